/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "internal/errhandler.h"
#include "internal/from_group.h"
#include "internal/info.h"

int mpi_group_crowd(struct mpi_process *p, const char *call, const struct mpi_group *g,
                    const char *stringtag, struct mpi_crowd *m)
{
    if (!stringtag || strlen(stringtag) >= MPI_MAX_STRINGTAG_LEN)
        return mpi_error(NULL, MPI_ERR_ARG, call, "stringtag has at most %d characters",
                         MPI_MAX_STRINGTAG_LEN - 1);
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *s = stringtag; *s; s++)
        hash = (hash ^ (uint8_t)*s) * 16777619u;
    *m = (struct mpi_crowd){.p = p,
                            .call = call,
                            .name = "a group",
                            .context = MPI_ID_GROUPS * MPI_CONTEXTS + MPI_CONTEXT_MAKE,
                            .tag = (int)(hash & INT32_MAX),
                            .group = g};
    return MPI_SUCCESS;
}

int mpi_check_from_group(struct mpi_process *p, const char *call, const struct mpi_group *g,
                         MPI_Info info, MPI_Errhandler errhandler)
{
    struct mpi_info *i;
    int rc = mpi_check_info(p, NULL, call, info, true, &i);
    if (rc || (rc = mpi_check_errhandler(NULL, call, MPI_OWNER_COMM, errhandler)))
        return rc;
    if (g->rank == MPI_UNDEFINED)
        return mpi_error(NULL, MPI_ERR_GROUP, call, "the caller is not in the group");
    return MPI_SUCCESS;
}
