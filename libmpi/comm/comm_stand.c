/* SPDX-License-Identifier: MIT */
#include <mpi_stand.h>
#include <mpiutil/stand.h>

#include "comm/comm.h"
#include "comm/comm_table.h"
#include "request/request_set.h"

/* The first request from *i on that is not complete, which *i is then; NULL: there is none. */
static const struct mpi_request *next_open(const struct mpi_set *s, int *i)
{
    for (; *i < s->n; ++*i) {
        const struct mpi_request *q = mpi_request_of(s->array[*i]);
        if (mpi_request_active(q) && !(q->flags & MPI_REQUEST_COMPLETE))
            return q;
    }
    return NULL;
}

static const struct mpu_request *message_of(const struct mpi_request *q)
{
    return q->kind->message ? q->kind->message(q) : NULL;
}

const struct mpu_request *mpi_stand_message(const struct mpu_cluster *c, int rank)
{
    const struct mpi_process *p = mpu_stand_user(c, rank);
    const struct mpi_set *s = p ? p->waits : NULL;
    const struct mpi_request *q = s && s->all ? next_open(s, &(int){0}) : NULL;
    return q ? message_of(q) : NULL;
}

bool mpi_stand_one_of(const struct mpu_cluster *c, int rank, void (*whom)(void *arg, int world),
                      void *arg)
{
    const struct mpi_process *p = mpu_stand_user(c, rank);
    const struct mpi_set *s = p ? p->waits : NULL;
    const struct mpi_request *q;
    for (int i = 0; s && !s->all && (q = next_open(s, &i)); i++) {
        const struct mpu_request *m = message_of(q);
        if (m && m->world >= 0)
            whom(arg, m->world);
        else if (!q->comm)
            return false;
        else
            for (int k = 0; k < q->comm->p2p.size; k++)
                whom(arg, mpu_comm_world(&q->comm->p2p, k));
    }
    return s && !s->all;
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
