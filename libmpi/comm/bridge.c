/* SPDX-License-Identifier: MIT */
#include "comm/bridge.h"
#include "comm/meeting.h"

struct offer {
    int class; /* an error instead */
    int size;
    uint32_t id; /* the communicator's, if this side has the leader with the lower rank */
};

static bool leads(const struct mpi_bridge *b)
{
    return b->local.group->rank == b->leader;
}

/* After it every rank of the group has the other side's offer, with the id agreed. If the group
 * did not come together the other side is told. */
static int trade_offers(struct mpi_process *p, const struct mpi_bridge *b, struct offer *theirs)
{
    int rc = 0, able = MPI_SUCCESS, apart = mpi_meet_all(&b->local, b->leader, &able);
    if (leads(b) && b->class) {
        theirs->class = b->class;
    } else if (leads(b)) {
        struct offer mine = {.class = apart ? mpi_meeting_class(b->local.op) : MPI_SUCCESS,
                             .size = b->local.group->size,
                             .id = mpi_comm_take_id(p)};
        rc = mpi_meet_swap(&b->between, b->far, &mine, theirs, sizeof mine);
        if (mpu_rank_number(p->rank) < b->far)
            theirs->id = mine.id;
        if (rc)
            theirs->class = MPI_ERR_OTHER;
    }
    int told = apart ? apart : mpi_meet_bcast(&b->local, b->leader, theirs, sizeof *theirs);
    return rc ? rc : told;
}

/* What a rank needs for its communicator, taken before anybody has one. */
struct room {
    struct mpi_comm *comm;
    struct mpi_ranks *here, *there;
};

static void drop(struct mpi_process *p, struct room *r)
{
    mpi_free(p, r->comm);
    mpi_free(p, r->here);
    mpi_free(p, r->there);
}

/* Takes it, and learns whether all ranks of both groups could: 0 or an error of the meeting; in
 * *class the first error of anybody. The classes go up in each group, across, and down. */
static int take_room(struct mpi_process *p, const struct mpi_bridge *b, const struct offer *theirs,
                     struct room *r, int *class)
{
    *r = (struct room){mpi_comm_room(p), mpi_ranks_new(p, b->local.group->size),
                       mpi_ranks_new(p, theirs->size)};
    bool able = r->comm && r->here && r->there && theirs->id != (uint32_t)MPI_ID_NONE &&
                !mpi_comm_id_used(p, theirs->id);
    int other = MPI_SUCCESS, rc;
    *class = able ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    rc = mpi_meet_all(&b->local, b->leader, class);
    if (rc && !*class)
        *class = mpi_meeting_class(b->local.op);
    if (leads(b)) {
        int rc2 = mpi_meet_swap(&b->between, b->far, class, &other, sizeof other);
        *class = *class ? *class : rc2 ? MPI_ERR_OTHER : other;
        rc = rc ? rc : rc2;
    }
    int told = mpi_meet_bcast(&b->local, b->leader, class, sizeof *class);
    return rc ? rc : told;
}

/* The members of the other side into `there`. */
static int trade_members(const struct mpi_bridge *b, int size, const struct room *r)
{
    int n = b->local.group->size, rc = 0;
    for (int i = 0; i < n; i++)
        r->here->world[i] = mpi_group_world(b->local.group, i);
    size_t bytes = (size_t)n * sizeof(int), room = (size_t)size * sizeof(int);
    if (leads(b))
        rc = mpi_meet_trade(&b->between, b->far, r->here->world, bytes, r->there->world, room);
    return rc ? rc : mpi_meet_bcast(&b->local, b->leader, r->there->world, room);
}

static bool overlap(const struct mpi_group *a, const struct mpi_group *b)
{
    for (int i = 0; i < a->size; i++)
        if (mpi_group_find(b, mpi_group_world(a, i)) != MPI_UNDEFINED)
            return true;
    return false;
}

void mpi_bridge_refuse(const struct mpi_bridge *b, int class)
{
    struct offer mine = {.class = class, .id = (uint32_t)MPI_ID_NONE}, theirs;
    mpi_meet_swap(&b->between, b->far, &mine, &theirs, sizeof mine);
}

int mpi_bridge(struct mpi_process *p, const struct mpi_bridge *b, struct mpi_comm **made)
{
    struct offer theirs = {0};
    struct mpi_group remote;
    const char *call = b->local.call;
    int rc = trade_offers(p, b, &theirs);
    if (!rc && theirs.class)
        return b->class ? b->class
                        : mpi_error(b->parent, theirs.class, call, "a leader could not go on");
    struct room room = {NULL, NULL, NULL};
    int class = MPI_SUCCESS;
    if (!rc)
        rc = take_room(p, b, &theirs, &room, &class);
    if (!rc && !class)
        rc = trade_members(b, theirs.size, &room);
    if (rc || class) {
        drop(p, &room);
        return rc ? mpi_meet_raise(&b->local, b->parent, rc)
                  : mpi_error(b->parent, class, call,
                              "a rank has no memory or no context left for a communicator");
    }
    mpi_free(p, room.here);
    remote = mpi_group_of(p, room.there, theirs.size);
    if (overlap(b->local.group, &remote)) {
        mpi_free(p, room.comm);
        rc = mpi_error(b->parent, MPI_ERR_COMM, call, "a rank is in both groups");
    } else {
        *made = room.comm;
        mpi_comm_open(p, room.comm, b->parent, theirs.id, b->name, b->local.group, &remote);
    }
    mpi_group_drop(p, &remote);
    return rc;
}
