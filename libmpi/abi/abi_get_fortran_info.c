/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "core/check.h"
#include "abi/fortran.h"
#include "info/info.h"

#pragma weak MPI_Abi_get_fortran_info = PMPI_Abi_get_fortran_info

/* May be called at any time. */
int PMPI_Abi_get_fortran_info(MPI_Info *info)
{
    static const char call[] = "MPI_Abi_get_fortran_info";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, info, "info");
    if (rc)
        return rc;
    struct mpi_info *i = mpi_info_new(p);
    rc = i ? 0 : -B_ENOMEM;
    for (int n = 0; n < MPI_FORTRAN_FACTS && !rc; n++) {
        const struct mpi_fortran_fact *f = &mpi_fortran_facts[n];
        char text[8];
        rc = mpi_info_put(p, i, f->key, mpi_fortran_value(f, text));
    }
    if (rc) {
        if (i)
            mpi_info_end(p, i);
        return mpi_error_below(NULL, rc, call);
    }
    *info = (MPI_Info)i;
    return MPI_SUCCESS;
}
