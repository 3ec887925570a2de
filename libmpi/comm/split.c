/* SPDX-License-Identifier: MIT */
/* Splitting: every rank learns what all others want in one round and takes its part. */
#include <base/error.h>
#include <base/mem.h>

#include "comm/meeting.h"
#include "comm/wishes.h"

/* All that a rank needs, taken before it says anything: who has heard all wishes has its part. */
struct room {
    struct mpi_wishes wishes;
    struct mpi_ranks *here, *there;
    struct mpi_comm *made;
};

static bool take_room(struct mpi_process *p, struct mpi_comm *c, struct room *r)
{
    *r = (struct room){.here = mpi_ranks_new(p, c->group.size)};
    r->there = c->inter ? mpi_ranks_new(p, c->remote.size) : NULL;
    r->made = mpi_comm_room(p);
    return mpi_wishes_room(&r->wishes, p, c) && r->here && r->made && (!c->inter || r->there);
}

static void give_room(struct mpi_process *p, struct room *r)
{
    mpi_wishes_drop(&r->wishes, p);
    mpi_free(p, r->here);
    mpi_free(p, r->there);
    mpi_free(p, r->made);
}

/* Those of n members from `first` on that wish `color`, in the order of their keys, equal ones as
 * they come. How many; *id: what the first one gave. */
static int choose(const struct mpi_wishes *w, int first, int n, int color, struct mpi_ranks *ranks,
                  uint32_t *id)
{
    int *chosen = ranks->world, many = 0;
    for (int i = first; i < first + n; i++) {
        const struct mpi_wish *next = mpi_wish_of(w, i);
        if (next->color != color)
            continue;
        int at = many++;
        for (; at > 0 && mpi_wish_of(w, chosen[at - 1])->key > next->key; at--)
            chosen[at] = chosen[at - 1];
        chosen[at] = i;
    }
    if (many)
        *id = mpi_wish_of(w, chosen[0])->id;
    for (int i = 0; i < many; i++)
        chosen[i] = mpi_wish_of(w, chosen[i])->world;
    return many;
}

/* Of much room little may be needed. */
static void shrink(struct mpi_process *p, struct mpi_ranks **ranks, int from, int to)
{
    struct mpi_ranks *less = from >= MPI_WISHES_MANY && to < from / 2 ? mpi_ranks_new(p, to) : NULL;
    if (!less)
        return;
    memcpy(less->world, (*ranks)->world, (size_t)to * sizeof less->world[0]);
    mpi_free(p, *ranks);
    *ranks = less;
}

/* Takes out of the room what the communicator keeps. -B_ENOMEM: who leads it has no id left, which
 * all its members see. */
static int make(struct mpi_process *p, const char *name, struct mpi_comm *c, struct room *r,
                int color, struct mpi_comm **made)
{
    uint32_t id = 0, id2 = 0;
    int size = c->group.size, n = choose(&r->wishes, 0, size, color, r->here, &id), n2 = 0;
    if (c->inter)
        n2 = choose(&r->wishes, size, c->remote.size, color, r->there, &id2);
    if (c->inter && n2 == 0)
        return 0;
    if (c->inter && r->there->world[0] < r->here->world[0])
        id = id2;
    if (id == (uint32_t)MPI_ID_NONE || mpi_comm_id_used(p, id))
        return -B_ENOMEM;
    shrink(p, &r->here, size, n);
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
    struct mpi_bootstrap m;
    int rc = mpi_comm_meeting(&m, p, call, c, &c->group);
    if (rc)
        return rc;
    struct mpi_wish mine = {color, key, mpi_comm_take_id(p), mpu_rank_number(p->rank)};
    struct room r;
    rc = take_room(p, c, &r) && able ? mpi_wishes_gather(&r.wishes, &m, c, &mine) : -B_ENOMEM;
    rc = rc ? mpi_meet_raise(&m, c, rc) : MPI_SUCCESS;
    mpi_meeting_end(m.op);
    if (!rc && color != MPI_UNDEFINED && make(p, name, c, &r, color, made))
        rc = mpi_error(c, MPI_ERR_NO_MEM, call, "no context is left: too many communicators exist");
    give_room(p, &r);
    return rc;
}
