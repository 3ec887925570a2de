/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "core/errhandler.h"
#include "comm/from_group.h"
#include "info/info.h"

static int check_tag(struct mpi_from_group *f, int *tag)
{
    if (!f->stringtag || strlen(f->stringtag) >= MPI_MAX_STRINGTAG_LEN)
        return mpi_error(&f->none, MPI_ERR_ARG, f->call, "stringtag has at most %d characters",
                         MPI_MAX_STRINGTAG_LEN - 1);
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *s = f->stringtag; *s; s++)
        hash = (hash ^ (uint8_t)*s) * 16777619u;
    *tag = (int)(hash & INT32_MAX);
    return MPI_SUCCESS;
}

int mpi_check_from_group(struct mpi_process *p, struct mpi_from_group *f)
{
    struct mpi_info *i;
    int tag = 0, rc = mpi_check_errhandler(NULL, f->call, MPI_OWNER_COMM, f->errhandler);
    if (rc)
        return rc;
    f->none = (struct mpi_comm){
        .magic = MPI_DEAD, .errhandler = f->errhandler, .p2p = {.name = "a group"}};
    f->group = mpi_group(p, f->handle);
    if (!f->group)
        return mpi_error(&f->none, MPI_ERR_GROUP, f->call, "%s is no group",
                         f->handle == MPI_GROUP_NULL ? "MPI_GROUP_NULL" : "the handle");
    if ((rc = mpi_check_info(p, &f->none, f->call, f->info, true, &i)) ||
        (rc = check_tag(f, &tag)) || f->group->size == 0)
        return rc;
    if (f->group->rank == MPI_UNDEFINED)
        return mpi_error(&f->none, MPI_ERR_GROUP, f->call, "the caller is not in the group");
    f->crowd = (struct mpi_bootstrap){.p = p,
                                      .call = f->call,
                                      .name = "a group",
                                      .context = MPI_ID_GROUPS * MPI_CONTEXTS + MPI_CONTEXT_MAKE,
                                      .tag = tag,
                                      .group = f->group};
    return MPI_SUCCESS;
}
