/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "core/check.h"
#include "info/info.h"

int mpi_keep_arguments(struct mpi_process *p, const char *call, int argc, char **argv)
{
    int n = 0;
    size_t bytes = sizeof *argv;
    for (; n < argc && argv && argv[n]; n++)
        bytes += sizeof *argv + strlen(argv[n]) + 1;
    if (n == 0)
        return MPI_SUCCESS;
    char **kept = p->arguments = mpi_alloc(p, bytes), *text = (char *)(kept + n + 1);
    if (!kept)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    for (int a = 0; a < n; a++) {
        size_t length = strlen(argv[a]) + 1;
        kept[a] = memcpy(text, argv[a], length);
        text += length;
    }
    return MPI_SUCCESS;
}
