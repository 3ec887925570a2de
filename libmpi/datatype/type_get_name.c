/* SPDX-License-Identifier: MIT */
#include "datatype/check.h"
#include "datatype/type.h"
#include "info/info.h"

#pragma weak MPI_Type_get_name = PMPI_Type_get_name

static const char *name_of(const struct mpi_process *p, const struct mpi_type *t)
{
    for (struct mpi_type_note *n = p->type_names; n; n = n->next)
        if (n->type == t)
            return n->name;
    return t->name ? t->name : "";
}

int PMPI_Type_get_name(MPI_Datatype datatype, char *type_name, int *resultlen)
{
    static const char call[] = "MPI_Type_get_name";
    const struct mpi_type *t;
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, type_name, "type_name");
    if (rc || (rc = mpi_check_out(NULL, call, resultlen, "resultlen")))
        return rc;
    const char *name = "MPI_DATATYPE_NULL"; /* a handle with a name like any other */
    if (datatype != MPI_DATATYPE_NULL) {
        if ((rc = mpi_check_type(NULL, call, datatype, &t)))
            return rc;
        name = name_of(p, t);
    }
    *resultlen = mpi_text_give(type_name, MPI_MAX_OBJECT_NAME, name) - 1;
    return MPI_SUCCESS;
}
