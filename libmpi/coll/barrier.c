/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"
#include "coll/now.h"

#pragma weak MPI_Barrier = PMPI_Barrier

static __attribute__((noinline)) int the_long_way(MPI_Comm comm)
{
    struct mpi_process *p = mpu_self_user_quickly();
    struct mpi_comm *c = mpi_at_once(p, comm, MPI_CHOICE_BARRIER);
    if (c)
        return mpi_barrier_at_once(p, c);
    return mpi_coll_run(&mpi_coll_barrier,
                        &(struct mpi_coll_args){.call = "MPI_Barrier", .comm = comm});
}

int PMPI_Barrier(MPI_Comm comm)
{
    struct mpi_process *p = mpu_self_user_quickly();
    struct mpi_comm *c = mpi_at_once_quickly(p, comm, MPI_CHOICE_BARRIER);
    return mpu_return(c ? mpi_barrier_at_once(p, c) : the_long_way(comm));
}
