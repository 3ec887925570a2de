/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "internal/group.h"
#include "internal/meet.h"

/* All ranks, on the context of the meeting. */
static struct mpu_comm world_of(const struct mpi_crowd *m)
{
    struct mpu_rank *r = m->p->rank;
    return (struct mpu_comm){
        .context = m->context, .rank = mpu_rank_number(r), .size = mpu_ranks(r), .name = m->name};
}

static void doing(const struct mpi_crowd *m, int peer, size_t n)
{
    mpu_doing(m->p->rank, &(struct mpu_doing){m->call, m->name, peer, m->tag, n});
}

static int finish(const struct mpi_crowd *m, struct mpu_request *q)
{
    mpu_wait(q);
    mpu_doing(m->p->rank, &(struct mpu_doing){0});
    return q->error;
}

static int send(const struct mpi_crowd *m, int world, const void *data, size_t n)
{
    struct mpu_request q;
    struct mpu_comm c = world_of(m);
    doing(m, world, n);
    mpu_send_start(m->p->rank, &q, &c, world, m->tag, data, n);
    return finish(m, &q);
}

static int receive(const struct mpi_crowd *m, int world, void *data, size_t n)
{
    struct mpu_request q;
    struct mpu_comm c = world_of(m);
    doing(m, world, n);
    mpu_recv_start(m->p->rank, &q, &c, world, m->tag, data, n);
    return finish(m, &q);
}

/* A binomial tree: who is at distance d from the root hears from d without its lowest bit, and
 * tells those that add a lower bit to d. */
int mpi_meet_bcast(const struct mpi_crowd *m, int root, void *data, size_t n)
{
    int size = m->group->size, d = (m->group->rank + size - root) % size, bit = 1, rc = 0;
    while (bit < size && !(d & bit))
        bit *= 2;
    if (d)
        rc = receive(m, mpi_group_world(m->group, (d - bit + root) % size), data, n);
    for (bit /= 2; bit && !rc; bit /= 2)
        if (d + bit < size)
            rc = send(m, mpi_group_world(m->group, (d + bit + root) % size), data, n);
    return rc;
}

int mpi_meet_trade(const struct mpi_crowd *m, int world, const void *mine, size_t n, void *theirs,
                   size_t room)
{
    struct mpu_request in, out;
    struct mpu_comm c = world_of(m);
    doing(m, world, room);
    mpu_recv_start(m->p->rank, &in, &c, world, m->tag, theirs, room);
    mpu_send_start(m->p->rank, &out, &c, world, m->tag, mine, n);
    mpu_wait(&out);
    int rc = finish(m, &in);
    return out.error ? out.error : rc;
}

int mpi_meet_swap(const struct mpi_crowd *m, int world, const void *mine, void *theirs, size_t n)
{
    return mpi_meet_trade(m, world, mine, n, theirs, n);
}

/* After the round with step k, `all` holds what the members me .. me + 2k - 1 gave, in this order:
 * the first of these go to member me - k, the rest comes from me + k. At last all turn around. */
int mpi_meet_allgather(const struct mpi_crowd *m, const void *mine, size_t n, void *all)
{
    int size = m->group->size, me = m->group->rank, have = 1;
    uint8_t *turned = mpi_alloc(m->p, (size_t)size * n);
    if (!turned)
        return -B_ENOMEM;
    memcpy(turned, mine, n);
    struct mpu_comm c = world_of(m);
    int rc = 0;
    for (int k = 1; k < size && !rc; k *= 2) {
        size_t part = (size_t)(k < size - k ? k : size - k) * n;
        int to = mpi_group_world(m->group, (me + size - k) % size);
        int from = mpi_group_world(m->group, (me + k) % size);
        struct mpu_request in, out;
        doing(m, from, part);
        mpu_recv_start(m->p->rank, &in, &c, from, m->tag, turned + (size_t)have * n, part);
        mpu_send_start(m->p->rank, &out, &c, to, m->tag, turned, part);
        mpu_wait(&out);
        rc = finish(m, &in);
        rc = rc ? rc : out.error;
        have += (int)(part / n);
    }
    for (int i = 0; i < size; i++)
        memcpy((uint8_t *)all + (size_t)((me + i) % size) * n, turned + (size_t)i * n, n);
    mpi_free(m->p, turned);
    return rc;
}
