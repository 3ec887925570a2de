/* SPDX-License-Identifier: MIT */
#include <stdatomic.h>

#include <base/mem.h>

#include "comm/order.h"
#include "group/group.h"

/* In the memory of the cluster; whoever reads it last frees it. */
struct mpi_heard {
    atomic_int readers;
    int *order;              /* all that wish a color */
    int ordered;             /* ... how many */
    struct mpi_ranks *ranks; /* the same as world ranks; groups keep it */
    struct mpi_wish of[];    /* of a cluster after the other, `most` of each */
};

bool mpi_wishes_many(const struct mpi_comm *c)
{
    return !c->inter && c->group.size >= MPI_WISHES_MANY;
}

static struct mpi_wish *take(struct mpi_process *p, int n)
{
    return mpi_alloc(p, (size_t)n * sizeof(struct mpi_wish));
}

static int fullest(const struct mpi_comm *c)
{
    int most = 0;
    for (int i = 0; i < c->group.size; i++)
        if (most <= c->segment->position[i].member)
            most = c->segment->position[i].member + 1;
    return most;
}

static void find_mates(const struct mpi_wishes *w, const struct mpi_comm *c)
{
    const struct mpu_segment *s = c->segment;
    for (int i = 0, n = 0; n < s->members; i++)
        if (w->position[i].cluster == s->cluster)
            w->mates->world[n++] = mpi_group_world(&c->group, i);
}

/* Pages of their own: any rank of the cluster may free them. */
static struct mpi_heard *room_to_hear(struct mpi_process *p, size_t wishes, int members)
{
    size_t many = (size_t)members, page = MPU_PAGES_FROM / sizeof(int);
    struct mpi_heard *h =
        mpi_alloc(p, sizeof *h + wishes * sizeof h->of[0] + many * sizeof h->order[0]);
    struct mpi_ranks *ranks = h ? mpi_ranks_new(p, (int)(many > page ? many : page)) : NULL;
    if (!ranks) {
        mpi_free(p, h);
        return NULL;
    }
    h->order = (int *)(h->of + wishes);
    h->ranks = ranks;
    return h;
}

static bool room_together(struct mpi_wishes *w, struct mpi_process *p, struct mpi_comm *c)
{
    struct mpu_segment *s = c->segment;
    if (!s)
        s = c->segment = mpu_segment_join(p->rank, &c->coll);
    if (!s)
        return false;
    w->position = s->position;
    w->most = fullest(c);
    w->leads = w->position[c->group.rank].member == 0;
    w->near = take(p, w->most);
    w->mates = mpi_ranks_new(p, s->members);
    if (w->leads)
        w->heard = room_to_hear(p, (size_t)s->clusters * (size_t)w->most, c->group.size);
    if (!w->near || !w->mates || (w->leads && !w->heard))
        return false;
    for (int i = s->members; i < w->most; i++) /* places that nobody has */
        w->near[i] = (struct mpi_wish){.color = MPI_UNDEFINED};
    if (w->leads)
        atomic_init(&w->heard->readers, s->members);
    find_mates(w, c);
    return true;
}

bool mpi_wishes_room(struct mpi_wishes *w, struct mpi_process *p, struct mpi_comm *c)
{
    *w = (struct mpi_wishes){.all = NULL};
    if (mpi_wishes_many(c))
        return room_together(w, p, c);
    w->all = w->own = take(p, c->group.size + (c->inter ? c->remote.size : 0));
    return w->own;
}

static int gather_alone(const struct mpi_wishes *w, const struct mpi_bootstrap *m,
                        const struct mpi_comm *c, const struct mpi_wish *mine)
{
    int rc = mpi_meet_allgather(m, mine, sizeof *mine, w->own);
    if (rc || !c->inter)
        return rc;
    struct mpi_wish *theirs = w->own + c->group.size;
    size_t n = (size_t)c->group.size * sizeof *mine, room = (size_t)c->remote.size * sizeof *mine;
    if (c->group.rank == 0)
        rc = mpi_meet_trade(m, mpi_group_world(&c->remote, 0), w->own, n, theirs, room);
    return rc ? rc : mpi_meet_bcast(m, 0, theirs, room);
}

/* Members become world ranks; the lists may be the same. */
static void name(const struct mpi_wishes *w, const int *members, int n, int *world)
{
    for (int i = 0; i < n; i++)
        world[i] = mpi_wish_of(w, members[i])->world;
}

static void line_up(struct mpi_wishes *w, int members)
{
    struct mpi_heard *h = w->heard;
    w->all = h->of;
    h->ordered = mpi_order(w, 0, members, MPI_UNDEFINED, h->order);
    name(w, h->order, h->ordered, h->ranks->world);
}

/* The members of a cluster hear each other, the first ones of the clusters do, and say where what
 * they heard is. */
static int gather_together(struct mpi_wishes *w, const struct mpi_bootstrap *m,
                           const struct mpi_comm *c, const struct mpi_wish *mine)
{
    const struct mpu_segment *s = c->segment;
    struct mpi_group mates = {
        .size = s->members, .rank = w->position[c->group.rank].member, .world = w->mates->world};
    struct mpi_group leaders = {.size = s->clusters, .rank = s->cluster, .world = s->leaders};
    struct mpi_bootstrap inside = *m, between = *m;
    inside.group = &mates;
    between.group = &leaders;
    int rc = mpi_meet_allgather(&inside, mine, sizeof *mine, w->near);
    if (!rc && w->leads)
        rc = mpi_meet_allgather(&between, w->near, (size_t)w->most * sizeof *mine, w->heard->of);
    if (rc)
        return rc;
    if (w->leads)
        line_up(w, c->group.size);
    w->told = true;
    rc = mpi_meet_bcast(&inside, 0, &w->heard, sizeof w->heard);
    w->all = rc ? NULL : w->heard->of;
    return rc;
}

int mpi_wishes_gather(struct mpi_wishes *w, const struct mpi_bootstrap *m, const struct mpi_comm *c,
                      const struct mpi_wish *mine)
{
    return w->position ? gather_together(w, m, c, mine) : gather_alone(w, m, c, mine);
}

/* If the meeting broke while its leader said where they are, nobody knows who heard it: then the
 * memory stays. */
void mpi_wishes_drop(struct mpi_wishes *w, struct mpi_process *p)
{
    mpi_free(p, w->own);
    mpi_free(p, w->near);
    mpi_free(p, w->mates);
    bool last = w->heard && (w->told ? atomic_fetch_sub(&w->heard->readers, 1) == 1 : w->leads);
    if (last) {
        mpi_ranks_drop(p, w->heard->ranks);
        mpi_free(p, w->heard);
    }
}

/* Of n in a list: a list of its own, if all that keep the long one would need far less together.
 * Takes a reference. */
static struct mpi_group part(struct mpi_process *p, struct mpi_ranks *ranks, int first, int n,
                             int length, int keepers)
{
    bool copies = length >= MPI_WISHES_MANY && n < length / 2 / keepers;
    struct mpi_ranks *less = copies ? mpi_ranks_new(p, n) : NULL;
    if (less) {
        memcpy(less->world, ranks->world + first, (size_t)n * sizeof less->world[0]);
        return mpi_group_of(p, less, n);
    }
    atomic_fetch_add(&ranks->refs, 1);
    return mpi_group_part(p, ranks, first, n);
}

static struct mpi_group part_of_heard(const struct mpi_wishes *w, struct mpi_process *p,
                                      const struct mpi_comm *c, int color, uint32_t *id)
{
    const struct mpi_heard *h = w->heard;
    int first = mpi_order_find(w, h->order, h->ordered, color, false);
    int n = mpi_order_find(w, h->order, h->ordered, color, true) - first;
    *id = mpi_wish_of(w, h->order[first])->id;
    return part(p, h->ranks, first, n, c->group.size, c->segment->members);
}

struct mpi_group mpi_wishes_group(const struct mpi_wishes *w, struct mpi_process *p,
                                  const struct mpi_comm *c, int first, int n,
                                  struct mpi_ranks *room, int color, uint32_t *id)
{
    if (w->heard)
        return part_of_heard(w, p, c, color, id);
    int many = mpi_order(w, first, n, color, room->world);
    if (many)
        *id = mpi_wish_of(w, room->world[0])->id;
    name(w, room->world, many, room->world);
    return part(p, room, 0, many, n, 1);
}
