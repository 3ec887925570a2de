/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/fmt.h>

#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Abi_get_info = PMPI_Abi_get_info

/* May be called at any time. */
int PMPI_Abi_get_info(MPI_Info *info)
{
    static const char call[] = "MPI_Abi_get_info";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    static const struct {
        const char *key;
        size_t size;
    } types[] = {{"mpi_aint_size", sizeof(MPI_Aint)},
                 {"mpi_count_size", sizeof(MPI_Count)},
                 {"mpi_offset_size", sizeof(MPI_Offset)}};
    int rc = mpi_check_out(NULL, call, info, "info");
    if (rc)
        return rc;
    struct mpi_info *i = mpi_info_new(p);
    rc = i ? 0 : -B_ENOMEM;
    for (size_t t = 0; t < sizeof types / sizeof types[0] && !rc; t++) {
        char size[8];
        b_fmt(size, sizeof size, "%lu", (unsigned long)types[t].size);
        rc = mpi_info_put(p, i, types[t].key, size);
    }
    if (rc) {
        if (i)
            mpi_info_end(p, i);
        return mpi_error_below(NULL, rc, call);
    }
    *info = (MPI_Info)i;
    return MPI_SUCCESS;
}
