/* SPDX-License-Identifier: MIT */
#include "internal/object.h"

struct mpi_group mpi_comm_members(const struct mpi_comm *c)
{
    return (struct mpi_group){
        .magic = MPI_IS_GROUP, .size = c->p2p.size, .rank = c->p2p.rank, .world = c->p2p.world};
}
