/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "core/object.h"

struct mpi_process *mpi_process(void)
{
    return mpu_self_user();
}

/* A program may pass any value; only aligned addresses in the rank's own memory are looked at. */
bool mpi_may_be_object(const void *handle)
{
    return mpi_may_be_of(mpi_process(), handle);
}

struct mpi_comm *mpi_comm(struct mpi_process *p, MPI_Comm handle)
{
    bool world = handle == MPI_COMM_WORLD;
    if (world || handle == MPI_COMM_SELF)
        return p->phase != MPI_INITIALIZED ? NULL : world ? &p->world : &p->self;
    struct mpi_comm *c = (struct mpi_comm *)handle;
    return mpi_may_be_of(p, c) && c->magic == MPI_IS_COMM ? c : NULL;
}

MPI_Comm mpi_comm_handle(struct mpi_process *p, const struct mpi_comm *c)
{
    if (c == &p->world || c->magic != MPI_IS_COMM)
        return c == &p->world ? MPI_COMM_WORLD : MPI_COMM_NULL;
    return c == &p->self ? MPI_COMM_SELF : (MPI_Comm)c;
}

struct mpi_group *mpi_group(struct mpi_process *p, MPI_Group handle)
{
    if (handle == MPI_GROUP_EMPTY)
        return &p->empty;
    struct mpi_group *g = (struct mpi_group *)handle;
    return mpi_may_be_object(g) && g->magic == MPI_IS_GROUP ? g : NULL;
}

void *mpi_alloc(struct mpi_process *p, size_t n)
{
    void *memory = mpu_alloc(p->rank, n);
    if (memory)
        memset(memory, 0, n);
    return memory;
}

void mpi_free(struct mpi_process *p, void *memory)
{
    mpu_free(p->rank, memory);
}
