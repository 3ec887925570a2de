/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"
#include "coll/now.h"

#pragma weak MPI_Reduce = PMPI_Reduce
#pragma weak MPI_Reduce_c = PMPI_Reduce_c

static __attribute__((noinline)) int the_long_way(const struct mpi_small *a, MPI_Comm comm)
{
    struct mpi_process *p = mpu_self_user_quickly();
    struct mpi_comm *c = mpi_at_once(p, comm, MPI_CHOICE_REDUCE);
    int rc = c ? mpi_reduce_at_once(p, c, a) : MPI_NOT_AT_ONCE;
    if (rc != MPI_NOT_AT_ONCE)
        return rc;
    return mpi_coll_run(&mpi_coll_reduce,
                        &(struct mpi_coll_args){.call = a->call,
                                                .comm = comm,
                                                .send = mpi_even(a->in, a->count, a->type),
                                                .recv = mpi_even(a->out, a->count, a->type),
                                                .op = a->op,
                                                .root = a->root});
}

static inline int run(const struct mpi_small *a, MPI_Comm comm)
{
    struct mpi_process *p = mpu_self_user_quickly();
    struct mpi_comm *c = mpi_at_once_quickly(p, comm, MPI_CHOICE_REDUCE);
    int rc = c ? mpi_reduce_at_once(p, c, a) : MPI_NOT_AT_ONCE;
    return rc != MPI_NOT_AT_ONCE ? rc : the_long_way(a, comm);
}

static inline int reduce(const char *call, const void *sendbuf, void *recvbuf, MPI_Count count,
                         MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    return run(&(struct mpi_small){.call = call,
                                   .in = sendbuf,
                                   .out = recvbuf,
                                   .count = count,
                                   .type = datatype,
                                   .op = op,
                                   .root = root},
               comm);
}

int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm)
{
    return mpu_return(reduce("MPI_Reduce", sendbuf, recvbuf, count, datatype, op, root, comm));
}

int PMPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, int root, MPI_Comm comm)
{
    return mpu_return(reduce("MPI_Reduce_c", sendbuf, recvbuf, count, datatype, op, root, comm));
}
