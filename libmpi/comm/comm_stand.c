/* SPDX-License-Identifier: MIT */
#include <mpi_stand.h>
#include <mpiutil/stand.h>

#include "comm/comm.h"
#include "comm/comm_table.h"
#include "request/request_set.h"

/* NULL: q is none, or something else. */
static const struct mpu_request *message_of(const struct mpi_request *q)
{
    return q && q->kind->message ? q->kind->message(q) : NULL;
}

const struct mpu_request *mpi_stand_message(const struct mpu_cluster *c, int rank)
{
    const struct mpi_process *p = mpu_stand_user(c, rank);
    const struct mpi_set *s = p ? p->waits : NULL;
    if (!s || !s->all)
        return NULL;
    int i = mpi_set_open(s, 0);
    return i < s->n ? message_of(mpi_request_of(s->array[i])) : NULL;
}

bool mpi_stand_one_of(const struct mpu_cluster *c, int rank, void (*whom)(void *arg, int world),
                      void *arg)
{
    const struct mpi_process *p = mpu_stand_user(c, rank);
    const struct mpi_set *s = p ? p->waits : NULL;
    if (!s || s->all)
        return false;
    for (int i = mpi_set_open(s, 0); i < s->n; i = mpi_set_open(s, i + 1)) {
        const struct mpi_request *q = mpi_request_of(s->array[i]);
        const struct mpu_request *m = message_of(q);
        const struct mpi_comm *comm = q ? q->comm : NULL;
        if (m && m->world >= 0)
            whom(arg, m->world);
        else if (!comm)
            return false;
        else
            for (int k = 0; k < comm->p2p.size; k++)
                whom(arg, mpu_comm_world(&comm->p2p, k));
    }
    return true;
}

static const struct mpi_comm *comm_of(const struct mpu_cluster *c, int rank, uint32_t context)
{
    const struct mpi_process *p = mpu_stand_user(c, rank);
    uint32_t id = context / MPI_CONTEXTS;
    if (!p)
        return NULL;
    const struct mpi_comm *comm = id == MPI_ID_WORLD  ? &p->world
                                  : id == MPI_ID_SELF ? &p->self
                                                      : mpi_comm_table_find(p, id);
    return comm && comm->magic == MPI_IS_COMM ? comm : NULL;
}

const struct mpu_comm *mpi_stand_comm(const struct mpu_cluster *c, int rank, uint32_t context)
{
    const struct mpi_comm *comm = comm_of(c, rank, context);
    return !comm ? NULL : comm->coll.context == context ? &comm->coll : &comm->p2p;
}

uint32_t mpi_stand_collectives(const struct mpu_cluster *c, int rank, uint32_t context)
{
    const struct mpi_comm *comm = comm_of(c, rank, context);
    return comm ? comm->collectives[comm->coll.context != context] : 0;
}
