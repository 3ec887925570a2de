/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "core/check.h"
#include "errhan/code.h"
#include "info/info.h"

#pragma weak MPI_Add_error_string = PMPI_Add_error_string

/* The text may be replaced. Those of the standard's codes stay. */
int PMPI_Add_error_string(int errorcode, const char *string)
{
    static const char call[] = "MPI_Add_error_string";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_code *c;
    int rc = mpi_check_out(NULL, call, string, "string");
    if (rc || (rc = mpi_check_own_code(p, call, errorcode, &c)))
        return rc;
    if (strlen(string) >= MPI_MAX_ERROR_STRING)
        return mpi_error(NULL, MPI_ERR_ARG, call, "a text has at most %d characters",
                         MPI_MAX_ERROR_STRING - 1);
    char *text = mpi_text_new(p, string);
    if (!text)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    mpi_free(p, c->text);
    c->text = text;
    return MPI_SUCCESS;
}
