/* SPDX-License-Identifier: MIT */
/* Splitting: every rank learns what all others want in one round and takes its part. */
#include <base/error.h>

#include "comm/comm.h"
#include "comm/meeting.h"

struct wish {
    int color, key;
    uint32_t id; /* of the communicator, if this rank leads it */
    int world;
};

/* All that a rank needs, taken before it says anything: who has heard all wishes has its part. */
struct room {
    struct wish *all;
    struct mpi_ranks *here, *there;
    struct mpi_comm *made;
};

static bool take_room(struct mpi_process *p, const struct mpi_comm *c, struct room *r)
{
    int n = c->group.size, n2 = c->inter ? c->remote.size : 0;
    r->all = mpi_alloc(p, ((size_t)n + (size_t)n2) * sizeof *r->all);
    r->here = mpi_ranks_new(p, n);
    r->there = c->inter ? mpi_ranks_new(p, n2) : NULL;
    r->made = mpi_comm_room(p);
    return r->all && r->here && r->made && (!c->inter || r->there);
}

static void give_room(struct mpi_process *p, struct room *r)
{
    mpi_free(p, r->all);
    mpi_free(p, r->here);
    mpi_free(p, r->there);
    mpi_free(p, r->made);
}

/* Those of n wishes that have `color`, in the order of their keys, equal ones as they come; they
 * move to the front. How many; *id: what the first one gave. */
static int choose(struct wish *w, int n, int color, struct mpi_ranks *ranks, uint32_t *id)
{
    int many = 0;
    for (int i = 0; i < n; i++) {
        if (w[i].color != color)
            continue;
        struct wish next = w[i];
        int at = many++;
        for (; at > 0 && w[at - 1].key > next.key; at--)
            w[at] = w[at - 1];
        w[at] = next;
    }
    for (int i = 0; i < many; i++)
        ranks->world[i] = w[i].world;
    if (many)
        *id = w[0].id;
    return many;
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

/* Takes out of the room what the communicator keeps. -B_ENOMEM: who leads it has no id left, which
 * all its members see. */
static int make(struct mpi_process *p, const char *name, struct mpi_comm *c, struct room *r,
                int color, struct mpi_comm **made)
{
    uint32_t id = 0, id2 = 0;
    int n = choose(r->all, c->group.size, color, r->here, &id), n2 = 0;
    if (c->inter)
        n2 = choose(r->all + c->group.size, c->remote.size, color, r->there, &id2);
    if (c->inter && n2 == 0)
        return 0;
    if (c->inter && r->there->world[0] < r->here->world[0])
        id = id2;
    if (id == (uint32_t)MPI_ID_NONE || mpi_comm_id_used(p, id))
        return -B_ENOMEM;
    struct mpi_group group = mpi_group_of(p, r->here, n), remote = {0};
    if (c->inter)
        remote = mpi_group_of(p, r->there, n2);
    *made = r->made;
    mpi_comm_open(p, r->made, c, id, name, &group, c->inter ? &remote : NULL);
    mpi_group_drop(p, &group);
    if (c->inter)
        mpi_group_drop(p, &remote);
    r->made = NULL;
    r->here = r->there = NULL;
    return 0;
}

int mpi_comm_split(struct mpi_process *p, const char *call, const char *name, struct mpi_comm *c,
                   bool able, int color, int key, struct mpi_comm **made)
{
    *made = NULL;
    struct mpi_crowd m;
    int rc = mpi_comm_meeting(&m, p, call, c, &c->group);
    if (rc)
        return rc;
    struct wish mine = {color, key, mpi_comm_take_id(p), mpu_rank_number(p->rank)};
    struct room r;
    rc = take_room(p, c, &r) && able ? gather(&m, c, &mine, r.all) : -B_ENOMEM;
    rc = rc ? mpi_meet_raise(&m, c, rc) : MPI_SUCCESS;
    mpi_meeting_end(m.op);
    if (!rc && color != MPI_UNDEFINED && make(p, name, c, &r, color, made))
        rc = mpi_error(c, MPI_ERR_NO_MEM, call, "no context is left: too many communicators exist");
    give_room(p, &r);
    return rc;
}
