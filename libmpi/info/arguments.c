/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "core/check.h"
#include "info/info.h"

int mpi_keep_arguments(struct mpi_process *p, const char *call, int argc, char **argv)
{
    int n = 0;
    size_t bytes = 0; /* as much as the values of MPI_INFO_ENV can hold, and the last one whole */
    for (; n < argc && argv && argv[n] && bytes < 2 * (size_t)MPI_MAX_INFO_VAL; n++)
        bytes += strlen(argv[n]) + 1;
    if (n == 0)
        return MPI_SUCCESS;
    char **kept = p->arguments = mpi_alloc(p, ((size_t)n + 1) * sizeof *kept + bytes);
    if (!kept)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    char *text = (char *)(kept + n + 1);
    for (int a = 0; a < n; a++) {
        size_t length = strlen(argv[a]) + 1;
        kept[a] = memcpy(text, argv[a], length);
        text += length;
    }
    return MPI_SUCCESS;
}
