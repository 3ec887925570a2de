/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "internal/pset.h"

const char *const mpi_psets[MPI_PSETS] = {"mpi://WORLD", "mpi://SELF"};

int mpi_check_pset(struct mpi_process *p, const char *call, struct mpi_session *s, const char *name,
                   struct mpi_group *g)
{
    const struct mpi_group *groups[MPI_PSETS] = {&p->world.group, &p->self.group};
    for (int i = 0; name && i < MPI_PSETS; i++)
        if (strcmp(name, mpi_psets[i]) == 0) {
            *g = mpi_group_share(groups[i]);
            return MPI_SUCCESS;
        }
    return mpi_session_error(s, MPI_ERR_ARG, call, "there is no set of processes \"%s\"",
                             name ? name : "");
}
