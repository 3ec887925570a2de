/* SPDX-License-Identifier: MIT */
/* Splitting: every rank learns what all others want in one round and takes its part. */
#include <base/error.h>

#include "comm/meeting.h"
#include "comm/wishes.h"

/* All that a rank needs, taken before it says anything: who has heard all wishes has its part. */
struct room {
    struct mpi_wishes wishes;
    struct mpi_ranks *here, *there; /* NULL: lists that are read together */
    struct mpi_comm *made;
};

static bool take_room(struct mpi_process *p, struct mpi_comm *c, struct room *r)
{
    bool lists = !mpi_wishes_many(c);
    *r = (struct room){.here = lists ? mpi_ranks_new(p, c->group.size) : NULL};
    r->there = c->inter ? mpi_ranks_new(p, c->remote.size) : NULL;
    r->made = mpi_comm_room(p);
    return mpi_wishes_room(&r->wishes, p, c) && r->made && (!lists || r->here) &&
           (!c->inter || r->there);
}

static void give_room(struct mpi_process *p, struct room *r)
{
    mpi_wishes_drop(&r->wishes, p);
    mpi_ranks_drop(p, r->here);
    mpi_ranks_drop(p, r->there);
    mpi_free(p, r->made);
}

/* The groups of a communicator to be made, and its id. */
struct part {
    struct mpi_group here, there; /* `there` of size 0 but between two groups */
    uint32_t id;
};

static struct part choose(struct mpi_process *p, const struct mpi_comm *c, const struct room *r,
                          int color)
{
    struct part a = {.id = 0};
    uint32_t far = 0;
    int n = c->group.size, n2 = c->remote.size;
    a.here = mpi_wishes_group(&r->wishes, p, c, 0, n, r->here, color, &a.id);
    if (c->inter)
        a.there = mpi_wishes_group(&r->wishes, p, c, n, n2, r->there, color, &far);
    if (a.there.size && mpi_group_world(&a.there, 0) < mpi_group_world(&a.here, 0))
        a.id = far;
    return a;
}

/* Takes out of the room what the communicator keeps. -B_ENOMEM: who leads it has no id left, which
 * all its members see. */
static int make(struct mpi_process *p, const char *const *names, struct mpi_comm *c, struct room *r,
                int color, struct mpi_comm **made)
{
    struct part a = choose(p, c, r, color);
    bool none = c->inter && a.there.size == 0;
    int rc = !none && (a.id == (uint32_t)MPI_ID_NONE || mpi_comm_id_used(p, a.id)) ? -B_ENOMEM : 0;
    if (!none && !rc) {
        *made = r->made;
        mpi_comm_open(p, r->made, c, a.id, names[c->inter], &a.here, c->inter ? &a.there : NULL);
        r->made = NULL;
    }
    mpi_group_drop(p, &a.here);
    if (c->inter)
        mpi_group_drop(p, &a.there);
    return rc;
}

int mpi_comm_split(struct mpi_process *p, const char *call, const char *const *names,
                   struct mpi_comm *c, bool able, int color, int key, struct mpi_comm **made)
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
    if (!rc && color != MPI_UNDEFINED && make(p, names, c, &r, color, made))
        rc = mpi_error(c, MPI_ERR_NO_MEM, call, "no context is left: too many communicators exist");
    give_room(p, &r);
    return rc;
}
