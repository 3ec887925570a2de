/* SPDX-License-Identifier: MIT */
#include <base/assert.h>
#include <base/error.h>
#include <mpiutil/segment.h>

#include "core/attr.h"
#include "comm/comm.h"
#include "comm/comm_table.h"
#include "core/errhandler.h"
#include "comm/meeting.h"
#include "comm/topo.h"

static uint32_t context(uint32_t id, enum mpi_context c)
{
    return id * MPI_CONTEXTS + c;
}

struct mpi_comm *mpi_comm_of_context(struct mpi_process *p, uint32_t context)
{
    uint32_t id = context / MPI_CONTEXTS;
    if (id == p->world.id)
        return &p->world;
    return mpi_comm_table_find(p, id);
}

bool mpi_comm_id_used(const struct mpi_process *p, uint32_t id)
{
    return mpi_comm_table_find(p, id) != NULL;
}

uint32_t mpi_comm_take_id(struct mpi_process *p)
{
    uint32_t mine = (uint32_t)mpu_rank_number(p->rank) << MPI_SERIAL_BITS;
    uint32_t end = UINT32_C(1) << MPI_SERIAL_BITS;
    for (uint32_t tries = 0; tries < end; tries++) {
        uint32_t id = mine | p->serial;
        p->serial = p->serial + 1 < end ? p->serial + 1 : MPI_ID_FIRST;
        if (!mpi_comm_id_used(p, id))
            return id;
    }
    return (uint32_t)MPI_ID_NONE;
}

void mpi_comm_init(struct mpi_comm *c, uint32_t id, const char *name, struct mpi_group group,
                   const struct mpi_group *remote)
{
    const struct mpi_group *to = remote ? remote : &group;
    *c = (struct mpi_comm){.magic = MPI_IS_COMM,
                           .refs = 1,
                           .id = id,
                           .inter = remote != NULL,
                           .group = group,
                           .errhandler = MPI_ERRORS_ARE_FATAL};
    if (remote)
        c->remote = *remote;
    c->p2p = (struct mpu_comm){.context = context(id, MPI_CONTEXT_P2P),
                               .rank = group.rank,
                               .size = to->size,
                               .world = to->world,
                               .name = name};
    c->coll = c->p2p;
    c->coll.context = context(id, MPI_CONTEXT_COLL);
    c->local = c->coll;
    if (remote) {
        c->local.context = context(id, MPI_CONTEXT_LOCAL);
        c->local.size = group.size;
        c->local.world = group.world;
    }
}

void mpi_comm_set_id(struct mpi_process *p, struct mpi_comm *c, uint32_t id)
{
    b_assert(!mpi_comm_id_used(p, id));
    mpi_comm_table_remove(p, c);
    c->id = id;
    mpi_comm_table_add(p, c);
    c->p2p.context = context(id, MPI_CONTEXT_P2P);
    c->coll.context = context(id, MPI_CONTEXT_COLL);
    c->local.context = context(id, c->inter ? MPI_CONTEXT_LOCAL : MPI_CONTEXT_COLL);
}

struct mpi_comm *mpi_comm_room(struct mpi_process *p)
{
    return mpi_comm_table_reserve(p) ? NULL : mpi_alloc(p, sizeof(struct mpi_comm));
}

void mpi_comm_open(struct mpi_process *p, struct mpi_comm *c, const struct mpi_comm *parent,
                   uint32_t id, const char *name, const struct mpi_group *group,
                   const struct mpi_group *remote)
{
    struct mpi_group here = mpi_group_share(group), there = {0};
    if (remote)
        there = mpi_group_share(remote);
    mpi_comm_init(c, id, name, here, remote ? &there : NULL);
    if (parent) {
        c->errhandler = mpi_errhandler_retain(parent->errhandler);
        if (!c->group.session)
            c->group.session = parent->group.session;
    }
    mpi_comm_table_add(p, c);
}

struct mpi_comm *mpi_comm_new(struct mpi_process *p, const struct mpi_comm *parent, uint32_t id,
                              const char *name, const struct mpi_group *group,
                              const struct mpi_group *remote)
{
    bool used = id != (uint32_t)MPI_ID_NONE && mpi_comm_id_used(p, id);
    struct mpi_comm *c = used ? NULL : mpi_comm_room(p);
    if (c)
        mpi_comm_open(p, c, parent, id, name, group, remote);
    return c;
}

void mpi_comm_gone(struct mpi_process *p, struct mpi_comm *c)
{
    if (c == &p->world || c == &p->self)
        return;
    mpi_comm_table_remove(p, c);
    c->magic = MPI_DEAD;
    if (c->channels)
        mpi_channels_free(p, c);
    if (c->segment)
        mpu_segment_leave(p->rank, c->segment);
    if (p->checker)
        mpi_checker_comm_gone(p, c);
    mpi_group_drop(p, &c->group);
    if (c->inter)
        mpi_group_drop(p, &c->remote);
    mpi_errhandler_drop(p, c->errhandler);
    mpi_topo_drop(p, c->topo);
    mpi_free(p, c->name);
    mpi_free(p, c);
}

int mpi_comm_end(struct mpi_process *p, struct mpi_comm *c)
{
    int rc = mpi_attrs_delete(p, mpi_comm_handle(p, c));
    if (rc)
        return rc;
    c->magic = MPI_DEAD;
    mpi_comm_release(p, c);
    return MPI_SUCCESS;
}

int mpi_check_freed(struct mpi_process *p, const char *call, const MPI_Comm *comm,
                    struct mpi_comm **c)
{
    int rc = mpi_check_out(NULL, call, comm, "comm");
    if (rc || (rc = mpi_check_comm(p, call, *comm, c)))
        return rc;
    if (*c == &p->world || *c == &p->self)
        return mpi_error(*c, MPI_ERR_COMM, call, "%s cannot be freed", (*c)->p2p.name);
    return MPI_SUCCESS;
}

int mpi_comm_let_go(struct mpi_process *p, const char *call, struct mpi_comm *c, MPI_Comm *comm)
{
    mpi_comm_retain(c); /* its attributes may have used its buffer */
    int rc = mpi_comm_end(p, c);
    if (!rc && mpi_buffer_end)
        mpi_buffer_end(p, call, c);
    mpi_comm_release(p, c);
    if (rc)
        return mpi_error(c, rc, call, "a function that deletes an attribute failed");
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* All come, unless only the members of a smaller group do. */
int mpi_comm_meeting(struct mpi_bootstrap *m, struct mpi_process *p, const char *call,
                     struct mpi_comm *c, const struct mpi_group *group)
{
    bool all = group->size == c->group.size + c->remote.size || group == &c->group;
    *m = (struct mpi_bootstrap){.p = p,
                                .call = call,
                                .name = c->p2p.name,
                                .group = group,
                                .op = mpi_meeting_begin(p, call, c, all)};
    return m->op ? MPI_SUCCESS : mpi_error_below(c, -B_ENOMEM, call);
}

struct mpi_bootstrap mpi_comm_some(struct mpi_process *p, const char *call,
                                   const struct mpi_comm *c, const struct mpi_group *group, int tag)
{
    return (struct mpi_bootstrap){.p = p,
                                  .call = call,
                                  .name = c->p2p.name,
                                  .context = context(c->id, MPI_CONTEXT_GROUP),
                                  .tag = tag,
                                  .group = group};
}

static int check_kind(struct mpi_process *p, const char *call, MPI_Comm handle, bool inter,
                      struct mpi_comm **c)
{
    int rc = mpi_check_comm(p, call, handle, c);
    if (rc || (*c)->inter == inter)
        return rc;
    return mpi_error(*c, MPI_ERR_COMM, call, "an %scommunicator is needed here",
                     inter ? "inter" : "intra");
}

int mpi_check_intra(struct mpi_process *p, const char *call, MPI_Comm handle, struct mpi_comm **c)
{
    return check_kind(p, call, handle, false, c);
}

int mpi_check_inter(struct mpi_process *p, const char *call, MPI_Comm handle, struct mpi_comm **c)
{
    return check_kind(p, call, handle, true, c);
}

struct mpi_verdict mpi_comm_judge(struct mpi_process *p, int class)
{
    struct mpi_verdict v = {class, (uint32_t)MPI_ID_NONE};
    if (!class && (v.id = mpi_comm_take_id(p)) == (uint32_t)MPI_ID_NONE)
        v.class = MPI_ERR_NO_MEM;
    return v;
}

static int refuse(struct mpi_process *p, struct mpi_comm *c, int class)
{
    if (c)
        mpi_comm_end(p, c);
    return class;
}

/* Who still has an operation under way on a communicator of that id is the only one to know. */
int mpi_comm_settle(struct mpi_process *p, const char *call, struct mpi_comm *parent,
                    struct mpi_verdict v, struct mpi_comm *c)
{
    if (!v.class && mpi_comm_id_used(p, v.id))
        v.class = MPI_ERR_NO_MEM;
    if (!v.class) {
        mpi_comm_set_id(p, c, v.id);
        return MPI_SUCCESS;
    }
    refuse(p, c, v.class);
    return mpi_error(parent, v.class, call, "%s",
                     v.class == MPI_ERR_NO_MEM
                         ? "a rank has no memory for it, or too many communicators already"
                         : "a rank could not go on");
}

/* All say whether they have what they need; the first one, to all, the id or that there is none.
 * mine: the class that this rank has raised already for want of c. */
static int agree(const struct mpi_bootstrap *m, struct mpi_comm *parent, int mine,
                 struct mpi_comm *c)
{
    struct mpi_verdict v = {.class = mine ? mine : c ? MPI_SUCCESS : MPI_ERR_NO_MEM};
    int rc = mpi_meet_all(m, 0, &v.class);
    if (m->group->rank == 0 && !rc)
        v = mpi_comm_judge(m->p, v.class);
    if (!rc)
        rc = mpi_meet_bcast(m, 0, &v, sizeof v);
    if (!rc && !mine)
        return mpi_comm_settle(m->p, m->call, parent, v, c);
    return refuse(m->p, c, mine ? mine : mpi_meet_raise(m, parent, rc));
}

int mpi_comm_make(const struct mpi_bootstrap *m, struct mpi_comm *parent, const char *name,
                  const struct mpi_group *group, const struct mpi_group *remote,
                  struct mpi_comm **made)
{
    struct mpi_comm *c = mpi_comm_new(m->p, parent, (uint32_t)MPI_ID_NONE, name, group, remote);
    int rc = agree(m, parent, MPI_SUCCESS, c);
    *made = rc ? NULL : c;
    return rc;
}

int mpi_comm_both(struct mpi_process *p, const struct mpi_group *a, const struct mpi_group *b,
                  struct mpi_group *both)
{
    bool first = mpi_group_world(a, 0) < mpi_group_world(b, 0);
    return mpi_group_join(p, first ? a : b, first ? b : a, both);
}

int mpi_comm_inherit(struct mpi_process *p, const char *call, struct mpi_comm *from,
                     struct mpi_comm *to)
{
    to->topo = mpi_topo_share(from->topo);
    int rc = mpi_attrs_copy(p, mpi_comm_handle(p, from), mpi_comm_handle(p, to));
    return rc ? mpi_error(from, rc, call,
                          "no memory, or a function that copies an attribute failed")
              : MPI_SUCCESS;
}

/* Functions of the program copy attributes, before the ranks meet: they may call MPI. */
static int copy(struct mpi_process *p, const char *call, struct mpi_comm *c, struct mpi_comm **made)
{
    static const char *const name[] = MPI_COMM_MADE_BY("MPI_Comm_dup");
    *made = mpi_comm_new(p, c, (uint32_t)MPI_ID_NONE, name[c->inter], &c->group,
                         c->inter ? &c->remote : NULL);
    return *made ? mpi_comm_inherit(p, call, c, *made) : MPI_SUCCESS;
}

int mpi_comm_dup(struct mpi_process *p, const char *call, struct mpi_comm *c,
                 struct mpi_comm **made)
{
    struct mpi_group all = {0};
    struct mpi_bootstrap m;
    struct mpi_comm *mine;
    int failed = copy(p, call, c, &mine), rc = mpi_comm_meeting(&m, p, call, c, &c->group);
    if (rc)
        return refuse(p, mine, rc);
    m.group = &all;
    if (c->inter)
        rc = mpi_comm_both(p, &c->group, &c->remote, &all);
    else
        all = mpi_group_share(&c->group);
    rc = rc ? refuse(p, mine, mpi_meet_raise(&m, c, rc)) : agree(&m, c, failed, mine);
    mpi_group_drop(p, &all);
    mpi_meeting_end(m.op);
    *made = rc ? NULL : mine;
    return rc;
}
