/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "core/check.h"
#include "abi/fortran.h"
#include "info/info.h"

#pragma weak MPI_Abi_set_fortran_info = PMPI_Abi_set_fortran_info

/* The library knows the types of its Fortran compiler, so others cannot be set; a wrapper that says
 * what is so anyway is welcome. May be called at any time. */
int PMPI_Abi_set_fortran_info(MPI_Info info)
{
    static const char call[] = "MPI_Abi_set_fortran_info";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_info(p, NULL, call, info, false, &i);
    for (int n = 0; n < MPI_FORTRAN_FACTS && !rc; n++) {
        const struct mpi_fortran_fact *f = &mpi_fortran_facts[n];
        char text[8];
        const char *given = mpi_info_value(i, f->key), *fact = mpi_fortran_value(f, text);
        if (given && strcmp(given, fact) != 0)
            rc = mpi_error(NULL, MPI_ERR_ABI, call, "%s is %s, not %s", f->key, fact, given);
    }
    return rc;
}
