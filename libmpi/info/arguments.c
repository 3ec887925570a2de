/* SPDX-License-Identifier: MIT */
/* What MPI_INFO_ENV will need of the arguments of MPI_Init, which may be gone by then: the command,
 * and behind its end the others with blanks between them. */
#include <base/error.h>
#include <base/fmt.h>
#include <base/mem.h>

#include "core/check.h"
#include "info/info.h"

int mpi_keep_arguments(struct mpi_process *p, const char *call, int argc, char **argv)
{
    size_t n = 0, room = 2;
    if (argc < 1 || !argv || !argv[0])
        return MPI_SUCCESS;
    for (int a = 0; a < argc && argv[a]; a++)
        room += strlen(argv[a]) + 1;
    room = room < 2 * MPI_MAX_INFO_VAL ? room : 2 * MPI_MAX_INFO_VAL;
    char *text = p->arguments = mpi_alloc(p, room);
    if (!text)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    for (int a = 0; a < argc && argv[a] && n + 1 < room; a++)
        n += (size_t)b_fmt(text + n, room - n, a > 1 ? " %s" : "%s", argv[a]) + (a == 0);
    text[room - 1] = '\0';
    return MPI_SUCCESS;
}
