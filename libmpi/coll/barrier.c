/* SPDX-License-Identifier: MIT */
#include "coll/coll.h"

#pragma weak MPI_Barrier = PMPI_Barrier

int PMPI_Barrier(MPI_Comm comm)
{
    struct mpi_process *p = mpi_process();
    struct mpi_comm *c = p ? mpi_comm(p, comm) : NULL;
    int rc;
    bool runs = p && (p->phase == MPI_INITIALIZED || p->sessions);
    if (runs && c && !c->inter && mpi_coll_barrier_now(p, c, &rc))
        return rc;
    return mpi_coll_run(&mpi_coll_barrier,
                        &(struct mpi_coll_args){.call = "MPI_Barrier", .comm = comm});
}
