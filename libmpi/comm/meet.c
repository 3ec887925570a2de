/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "comm/comm.h"
#include "comm/meeting.h"

enum { NOBODY = -1 };

int mpi_meet_raise(const struct mpi_bootstrap *m, struct mpi_comm *parent, int error)
{
    return m->op ? mpi_meeting_raise(m->op, error) : mpi_error_below(parent, error, m->call);
}

/* On the context of the meeting, among all ranks. */
static int trade_alone(const struct mpi_bootstrap *m, struct mpi_peer_data out,
                       struct mpi_peer_data in)
{
    struct mpu_request send = {.error = 0}, receive = {.error = 0};
    struct mpu_rank *r = m->p->rank;
    struct mpu_comm c = {
        .context = m->context, .rank = mpu_rank_number(r), .size = mpu_ranks(r), .name = m->name};
    if (in.world >= 0)
        mpu_recv_start(r, &receive, &c, in.world, m->tag, in.data, in.n);
    if (out.world >= 0) {
        mpu_send_start(r, &send, &c, out.world, m->tag, out.data, out.n);
        mpu_wait(&send);
    }
    if (in.world >= 0)
        mpu_wait(&receive);
    return send.error ? send.error : receive.error;
}

/* In the report of waiting ranks stands whom it hears. */
static int trade(const struct mpi_bootstrap *m, struct mpi_peer_data out, struct mpi_peer_data in)
{
    const struct mpi_peer_data *shown = in.world >= 0 ? &in : &out;
    mpu_does(m->p->rank, m->call, NULL, shown->world, MPU_ALL, shown->n);
    int rc = m->op ? mpi_meeting_trade(m->op, out, in) : trade_alone(m, out, in);
    mpu_did(m->p->rank);
    return rc;
}

static int send(const struct mpi_bootstrap *m, int world, void *data, size_t n)
{
    return trade(m, (struct mpi_peer_data){world, data, n},
                 (struct mpi_peer_data){.world = NOBODY});
}

static int receive(const struct mpi_bootstrap *m, int world, void *data, size_t n)
{
    return trade(m, (struct mpi_peer_data){.world = NOBODY},
                 (struct mpi_peer_data){world, data, n});
}

/* A binomial tree: who is at distance d from the root hears from d without its lowest bit, and
 * tells those that add a lower bit to d. */
int mpi_meet_bcast(const struct mpi_bootstrap *m, int root, void *data, size_t n)
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

/* The same tree, the other way. */
int mpi_meet_all(const struct mpi_bootstrap *m, int root, int *class)
{
    int size = m->group->size, d = (m->group->rank + size - root) % size, bit = 1, rc = 0;
    for (; bit < size && !(d & bit) && !rc; bit *= 2) {
        int theirs = MPI_SUCCESS;
        if (d + bit < size)
            rc = receive(m, mpi_group_world(m->group, (d + bit + root) % size), &theirs,
                         sizeof theirs);
        if (!*class)
            *class = theirs;
    }
    if (d && !rc)
        rc = send(m, mpi_group_world(m->group, (d - bit + root) % size), class, sizeof *class);
    return rc;
}

int mpi_meet_trade(const struct mpi_bootstrap *m, int world, const void *mine, size_t n,
                   void *theirs, size_t room)
{
    return trade(m, (struct mpi_peer_data){world, (void *)(uintptr_t)mine, n},
                 (struct mpi_peer_data){world, theirs, room});
}

int mpi_meet_swap(const struct mpi_bootstrap *m, int world, const void *mine, void *theirs,
                  size_t n)
{
    return mpi_meet_trade(m, world, mine, n, theirs, n);
}

static void reverse(uint8_t *all, size_t n, int first, int last)
{
    for (; first < last; first++, last--) {
        uint8_t *a = all + (size_t)first * n, *b = all + (size_t)last * n;
        for (size_t i = 0; i < n; i++) {
            uint8_t byte = a[i];
            a[i] = b[i];
            b[i] = byte;
        }
    }
}

/* After the round with step k, `all` holds what the members me .. me + 2k - 1 gave, in this order:
 * the first of these go to member me - k, the rest comes from me + k. At last all turn around,
 * where they are: with many members there is no room for them twice. */
int mpi_meet_allgather(const struct mpi_bootstrap *m, const void *mine, size_t n, void *all)
{
    int size = m->group->size, me = m->group->rank, have = 1, rc = 0;
    uint8_t *to_turn = all;
    memcpy(to_turn, mine, n);
    for (int k = 1; k < size && !rc; k *= 2) {
        size_t part = (size_t)(k < size - k ? k : size - k) * n;
        int to = mpi_group_world(m->group, (me + size - k) % size);
        int from = mpi_group_world(m->group, (me + k) % size);
        rc = trade(m, (struct mpi_peer_data){to, to_turn, part},
                   (struct mpi_peer_data){from, to_turn + (size_t)have * n, part});
        have += (int)(part / n);
    }
    reverse(all, n, 0, size - me - 1);
    reverse(all, n, size - me, size - 1);
    reverse(all, n, 0, size - 1);
    return rc;
}
