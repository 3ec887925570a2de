/* SPDX-License-Identifier: MIT */
/* Who waits for whom in a message. Sender and receiver count the messages between them for each tag
 * of a communicator, so that both know its number without a word of it in the message. A receive of
 * any source or tag is counted when it is done: if a rank has several of these under way, messages
 * with one sender and tag may be taken for each other. */
#include "hot.h"

#pragma weak PMPI_T_cvar_get_index
#pragma weak PMPI_T_cvar_handle_alloc
#pragma weak PMPI_T_cvar_handle_free
#pragma weak PMPI_T_cvar_read
#pragma weak PMPI_T_finalize
#pragma weak PMPI_T_init_thread

static uint32_t limit(const char *name)
{
    int index, count;
    uint32_t value = 0;
    MPI_T_cvar_handle handle;
    if (PMPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
        return 0;
    PMPI_T_cvar_read(handle, &value);
    PMPI_T_cvar_handle_free(&handle);
    return value;
}

bool profile_messages(struct profile_own *o)
{
    int provided;
    bool room = profile_table_begin(&o->streams);
    if (room && PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS) {
        uint32_t near = limit("local_limit"), far = limit("eager_limit");
        o->brief = near < far ? near : far;
        PMPI_T_finalize();
    }
    return room;
}

/* One odd number for all messages of one rank to another with a tag in a communicator. */
static uint64_t name_of(const struct profile_message *m, int self)
{
    uint64_t from = (uint64_t)(m->send ? self : m->peer), to = (uint64_t)(m->send ? m->peer : self);
    uint64_t which = from * UINT64_C(0x9e3779b97f4a7c15) + to * UINT64_C(0x165667b19e3779f9) +
                     (uint64_t)m->tag * UINT64_C(0x27d4eb2f165667c5);
    return profile_mix(m->comm->key, which);
}

uint64_t profile_id(struct profile_own *o, const struct profile_message *m, bool take)
{
    uint64_t comm = profile_stream_comm(m), peer_tag = profile_stream_peer(m);
    struct profile_entry *last = take ? profile_table_take(&o->streams, comm, peer_tag)
                                      : profile_table_find(&o->streams, comm, peer_tag);
    if (!last)
        return 0;
    uint64_t id = (last->value != 0 ? last->value : name_of(m, o->self)) + PROFILE_STEP;
    if (take)
        last->value = id;
    return id;
}

/* Which message it is; `take`: it is received now, or by way of its handle. */
static void identify(struct profile_call *c, struct profile_message *m, bool take)
{
    if (take) {
        profile_number(c, m);
        return;
    }
    profile_lock(c->own->rank);
    m->id = profile_id(c->own, m, false);
    profile_unlock(c->own->rank);
}

void profile_found(struct profile_call *c, struct profile_message *m, const MPI_Status *status,
                   bool take)
{
    int source = status->MPI_SOURCE;
    struct profile_record *r = &c->record;
    if (source < 0 || source >= m->comm->size)
        return;
    if (r->comm == (uint32_t)m->comm->key && (r->peer < 0 || r->tag < 0)) {
        r->peer = source;
        r->tag = status->MPI_TAG;
    }
    struct profile_message one = *m;
    one.peer = m->comm->world[source];
    one.tag = status->MPI_TAG;
    identify(c, &one, take);
    m->id = one.id;
    m->peer = one.peer;
}

/* A receive of any source, which may still be under way, does not know its message yet; when it
 * began cannot be looked for later. */
static void needs_other(struct profile_call *c, const struct profile_message *m)
{
    uint64_t other = profile_side(m->id, !m->send);
    if (!m->send || c->soon)
        profile_needs_soon(c, m->send ? PROFILE_RECEIVER : PROFILE_SENDER, m->peer, other);
    else if (!profile_needs(&c->record, PROFILE_RECEIVER, m->peer, other))
        profile_needs(&c->record, PROFILE_RECEIVER, m->peer, PROFILE_ANY);
}

/* A short message is sent at once, unless its receiver has no room for it, which takes out what it
 * has when it comes into MPI: not soon, and when that was cannot be looked for later. If the call
 * has not lasted, others' events are not looked at: the lines of memory are theirs. */
void profile_needs_message(struct profile_call *c, const struct profile_message *m)
{
    if (m->id == 0)
        return;
    if (m->brief) {
        if (c->lasted && !c->soon)
            profile_needs(&c->record, PROFILE_FLOW, m->peer, 0);
        return;
    }
    if (c->lasted)
        needs_other(c, m);
    profile_takes_part(c, m->send ? PROFILE_SENT : PROFILE_RECEIVED, m->id, m->begin);
}

void profile_probed_in_vain(struct profile_call *c, int source, int tag, MPI_Comm comm)
{
    struct profile_message m;
    if (!profile_describe(c, &m, source, tag, comm) || m.peer < 0 || tag == MPI_ANY_TAG)
        return;
    identify(c, &m, false);
    profile_in_vain(&c->record, PROFILE_SENDER, m.peer, profile_side(m.id, true));
}

void profile_after(struct profile_call *c, struct profile_message *m, const MPI_Status *status)
{
    if (m->any) {
        profile_found(c, m, status, true);
        profile_release(m->comm);
        m->any = false;
    }
    profile_needs_message(c, m);
}

void profile_probed(struct profile_call *c, MPI_Comm comm, const MPI_Status *status, bool taken)
{
    struct profile_message m;
    struct profile_comm *known = profile_describe(c, &m, status->MPI_SOURCE, status->MPI_TAG, comm);
    if (!known || m.peer < 0)
        return;
    identify(c, &m, taken);
    profile_needs_message(c, &m);
}
