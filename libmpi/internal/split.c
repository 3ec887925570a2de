/* SPDX-License-Identifier: MIT */
/* Splitting: every rank learns what all others want in one round and takes its part. */
#include <base/error.h>

#include "internal/comm.h"
#include "internal/meeting.h"

struct wish {
    int color, key;
    uint32_t id; /* of the communicator, if this rank leads it */
    int world;
};

/* Those of n wishes that have `color`, in the order of their keys, equal ones as they come. */
static struct mpi_ranks *choose(struct mpi_process *p, const struct wish *w, int n, int color,
                                int *count, uint32_t *id)
{
    struct mpi_ranks *ranks = mpi_ranks_new(p, n);
    int *chosen = mpi_alloc(p, (size_t)n * sizeof *chosen), many = 0;
    for (int i = 0; i < n && ranks && chosen; i++) {
        if (w[i].color != color)
            continue;
        int at = many++;
        for (; at > 0 && w[chosen[at - 1]].key > w[i].key; at--)
            chosen[at] = chosen[at - 1];
        chosen[at] = i;
    }
    for (int i = 0; i < many; i++)
        ranks->world[i] = w[chosen[i]].world;
    if (many)
        *id = w[chosen[0]].id;
    *count = many;
    if (!chosen) {
        mpi_free(p, ranks);
        ranks = NULL;
    }
    mpi_free(p, chosen);
    return ranks;
}

/* The wishes of the local group, and behind them those of the remote one. */
static int gather(const struct mpi_crowd *m, const struct mpi_comm *c, const struct wish *mine,
                  struct wish *all)
{
    int rc = mpi_meet_allgather(m, mine, sizeof *mine, all);
    if (rc || !c->inter)
        return rc;
    struct wish *theirs = all + c->group.size;
    size_t n = (size_t)c->group.size * sizeof *all, room = (size_t)c->remote.size * sizeof *all;
    if (c->group.rank == 0)
        rc = mpi_meet_trade(m, mpi_group_world(&c->remote, 0), all, n, theirs, room);
    return rc ? rc : mpi_meet_bcast(m, 0, theirs, room);
}

static int make(struct mpi_process *p, const char *name, struct mpi_comm *c, const struct wish *all,
                int color, struct mpi_comm **made)
{
    uint32_t id = 0, id2 = 0;
    int n = 0, n2 = 0;
    struct mpi_group group = {0}, remote = {0};
    struct mpi_ranks *here = choose(p, all, c->group.size, color, &n, &id), *there = NULL;
    if (!here)
        return -B_ENOMEM;
    group = mpi_group_of(p, here, n);
    if (c->inter) {
        there = choose(p, all + c->group.size, c->remote.size, color, &n2, &id2);
        if (!there) {
            mpi_group_drop(p, &group);
            return -B_ENOMEM;
        }
        remote = mpi_group_of(p, there, n2);
    }
    bool both = !c->inter || n2 > 0;
    if (c->inter && n2 && remote.world[0] < group.world[0])
        id = id2;
    if (both)
        *made = mpi_comm_new(p, c, id, name, &group, c->inter ? &remote : NULL);
    mpi_group_drop(p, &group);
    if (c->inter)
        mpi_group_drop(p, &remote);
    return both && !*made ? -B_ENOMEM : 0;
}

int mpi_comm_split(struct mpi_process *p, const char *call, const char *name, struct mpi_comm *c,
                   int color, int key, struct mpi_comm **made)
{
    *made = NULL;
    struct mpi_crowd m;
    int rc = mpi_comm_meeting(&m, p, call, c, &c->group);
    if (rc)
        return rc;
    struct wish mine = {color, key, mpi_comm_take_id(p), mpu_rank_number(p->rank)};
    size_t n = (size_t)c->group.size + (size_t)c->remote.size;
    struct wish *all = mpi_alloc(p, n * sizeof *all);
    rc = all ? gather(&m, c, &mine, all) : -B_ENOMEM;
    if (!rc && color != MPI_UNDEFINED)
        rc = make(p, name, c, all, color, made);
    mpi_free(p, all);
    rc = rc ? mpi_meet_raise(&m, c, rc) : MPI_SUCCESS;
    mpi_meeting_end(m.op);
    return rc;
}
