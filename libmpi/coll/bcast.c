/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"
#include "coll/now.h"

#pragma weak MPI_Bcast = PMPI_Bcast
#pragma weak MPI_Bcast_c = PMPI_Bcast_c

static __attribute__((noinline)) int the_long_way(const struct mpi_small *a, MPI_Comm comm)
{
    struct mpi_process *p = mpu_self_user_quickly();
    struct mpi_comm *c = mpi_at_once(p, comm, MPI_CHOICE_BCAST);
    int rc = c ? mpi_bcast_at_once(p, c, a) : MPI_NOT_AT_ONCE;
    if (rc != MPI_NOT_AT_ONCE)
        return rc;
    return mpi_coll_run(&mpi_coll_bcast,
                        &(struct mpi_coll_args){.call = a->call,
                                                .comm = comm,
                                                .recv = mpi_even(a->out, a->count, a->type),
                                                .root = a->root});
}

static inline int run(const struct mpi_small *a, MPI_Comm comm)
{
    struct mpi_process *p = mpu_self_user_quickly();
    struct mpi_comm *c = mpi_at_once_quickly(p, comm, MPI_CHOICE_BCAST);
    int rc = c ? mpi_bcast_at_once(p, c, a) : MPI_NOT_AT_ONCE;
    return rc != MPI_NOT_AT_ONCE ? rc : the_long_way(a, comm);
}

static inline int bcast(const char *call, void *buffer, MPI_Count count, MPI_Datatype datatype,
                        int root, MPI_Comm comm)
{
    return run(
        &(struct mpi_small){
            .call = call, .out = buffer, .count = count, .type = datatype, .root = root},
        comm);
}

int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    return mpu_return(bcast("MPI_Bcast", buffer, count, datatype, root, comm));
}

int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    return mpu_return(bcast("MPI_Bcast_c", buffer, count, datatype, root, comm));
}
