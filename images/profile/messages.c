/* SPDX-License-Identifier: MIT */
/* Who waits for whom in a message. Sender and receiver count the messages between them for each tag
 * of a communicator, so that both know its number without a word of it in the message. A receive of
 * any source or tag is counted when it is done: if a rank has several of these under way, messages
 * with one sender and tag may be taken for each other. */
#include "layer.h"

#include <string.h>
#include <sys/mman.h>

#pragma weak PMPI_T_cvar_get_index
#pragma weak PMPI_T_cvar_handle_alloc
#pragma weak PMPI_T_cvar_handle_free
#pragma weak PMPI_T_cvar_read
#pragma weak PMPI_T_finalize
#pragma weak PMPI_T_init_thread

#define REQUESTS 1024 /* of a rank whose messages are known; those of more are not looked at */
#define PROBES   16   /* places where a request may be */
#define FIRST    256  /* room for counters */

/* How many messages of a key there were. */
struct counter {
    uint64_t key; /* 0: free */
    uint64_t messages;
};

/* Of each rank. */
static struct own {
    struct counter *counter; /* open addressing */
    uint64_t room, used;
    uint32_t brief; /* bytes of the longest message whose sender waits only for credit or memory */
    struct profile_message message[REQUESTS]; /* of requests, by their address */
} * own;
static struct profile_rank *ranks;

bool profile_messages(struct profile_rank *all, int n)
{
    ranks = all;
    own = profile_memory((size_t)n * sizeof *own);
    return own != NULL;
}

static struct own *own_of(const struct profile_call *c)
{
    return &own[c->rank - ranks];
}

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

void profile_limits(const struct profile_call *c)
{
    int provided;
    if (PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
        return;
    uint32_t near = limit("local_limit"), far = limit("eager_limit");
    own_of(c)->brief = near < far ? near : far;
    PMPI_T_finalize();
}

static struct counter *slot_of(const struct own *o, uint64_t key)
{
    uint64_t i = key >> 16;
    while (o->counter[i % o->room].key != 0 && o->counter[i % o->room].key != key)
        i++;
    return &o->counter[i % o->room];
}

/* At least half of the counters are free. */
static bool make_room(struct own *o)
{
    struct own more = {.room = o->room > 0 ? 2 * o->room : FIRST, .used = o->used};
    if (o->used < o->room / 2)
        return true;
    more.counter = profile_memory(more.room * sizeof *more.counter);
    if (more.counter == NULL)
        return false;
    for (uint64_t i = 0; i < o->room; i++) {
        if (o->counter[i].key != 0)
            *slot_of(&more, o->counter[i].key) = o->counter[i];
    }
    if (o->counter != NULL)
        munmap(o->counter, o->room * sizeof *o->counter);
    o->counter = more.counter;
    o->room = more.room;
    return true;
}

/* Number of the next message of a key, from 1 on; 0: no memory. */
static uint64_t next_number(struct own *o, uint64_t key, bool take)
{
    if (!make_room(o))
        return 0;
    struct counter *s = slot_of(o, key);
    if (take && s->key == 0) {
        s->key = key;
        o->used++;
    }
    return take ? ++s->messages : s->messages + 1;
}

/* Each side of a message has an event: 1 its sender, 2 its receiver. */
static uint64_t side(const struct profile_message *m, bool other)
{
    return m->send != other ? 1 : 2;
}

/* Gives a message whose other side and tag are known its number, and tells when this side began;
 * if it is only looked at, neither. */
static void number_it(const struct profile_call *c, struct profile_message *m, bool take)
{
    int self = (int)(c->rank - ranks);
    int from = m->send ? self : m->peer, to = m->send ? m->peer : self;
    uint64_t key = profile_mix(m->comm_key, (uint64_t)from << 32 | (uint32_t)to);
    key = profile_mix(key, (uint32_t)m->tag);
    profile_lock(c->rank);
    uint64_t number = next_number(own_of(c), profile_mix(key, side(m, false)), take);
    if (take && number > 0)
        profile_event(c->rank, profile_mix(profile_mix(key, number), side(m, false)), m->begin);
    profile_unlock(c->rank);
    m->other = number > 0 ? profile_mix(profile_mix(key, number), side(m, true)) : 0;
}

/* A message with rank `peer` of comm; not known if that is no rank, or comm is not. */
static struct profile_comm *describe(const struct profile_call *c, struct profile_message *m,
                                     int peer, int tag, MPI_Comm comm)
{
    struct profile_comm *known = profile_comm(c, comm);
    *m = (struct profile_message){.begin = c->begin, .tag = tag, .peer = -1};
    if (known == NULL)
        return NULL;
    m->comm_key = known->key;
    if (peer >= 0 && peer < known->size)
        m->peer = known->world[peer];
    return known;
}

void profile_sends(const struct profile_call *c, struct profile_message *m, int dest, int tag,
                   MPI_Comm comm, bool standard)
{
    describe(c, m, dest, tag, comm);
    m->send = true;
    m->brief = standard && c->function >= 0 && c->bytes <= own_of(c)->brief;
}

void profile_receives(const struct profile_call *c, struct profile_message *m, int source, int tag,
                      MPI_Comm comm)
{
    struct profile_comm *known = describe(c, m, source, tag, comm);
    if (known == NULL || (source != MPI_ANY_SOURCE && (tag != MPI_ANY_TAG || m->peer < 0)))
        return;
    m->comm = known; /* its number is known when it is done */
    known->users++;
}

void profile_before(const struct profile_call *c, struct profile_message *m)
{
    m->begin = c->begin;
    m->other = 0;
    if (m->comm != NULL)
        profile_event(c->rank, PROFILE_ANY, c->begin);
    else if (m->peer >= 0)
        number_it(c, m, true);
}

/* Which message a receive of any source or tag, or a probe, has found. */
static void found(const struct profile_call *c, struct profile_message *m, const MPI_Status *status,
                  bool take)
{
    int source = status->MPI_SOURCE;
    if (source < 0 || source >= m->comm->size)
        return;
    struct profile_message one = *m;
    one.peer = m->comm->world[source];
    one.tag = status->MPI_TAG;
    number_it(c, &one, take);
    m->other = one.other;
    m->peer = one.peer;
}

/* A receive of any source, which may still be under way, does not know its message yet. */
static void needs_other(struct profile_call *c, const struct profile_message *m)
{
    if (!m->send)
        profile_needs(c, PROFILE_SENDER, m->peer, m->other);
    else if (!profile_needs(c, PROFILE_RECEIVER, m->peer, m->other))
        profile_needs(c, PROFILE_RECEIVER, m->peer, PROFILE_ANY);
}

/* A short message is sent at once, unless its receiver has no room for it, which takes out what it
 * has when it comes into MPI. */
static void needs(struct profile_call *c, const struct profile_message *m)
{
    if (m->other == 0)
        return;
    if (m->brief)
        profile_needs(c, PROFILE_FLOW, m->peer, PROFILE_CAME);
    else
        needs_other(c, m);
}

void profile_after(struct profile_call *c, struct profile_message *m, const MPI_Status *status)
{
    if (m->comm != NULL) {
        found(c, m, status, true);
        needs(c, m);
        profile_release(m->comm);
        m->comm = NULL;
    } else {
        needs(c, m);
    }
}

void profile_probed(struct profile_call *c, MPI_Comm comm, const MPI_Status *status, bool taken)
{
    struct profile_message m;
    struct profile_comm *known = describe(c, &m, status->MPI_SOURCE, status->MPI_TAG, comm);
    if (known == NULL || m.peer < 0)
        return;
    number_it(c, &m, taken);
    needs(c, &m);
}

/* Where a request's message is, or may be put: NULL: too many. */
static struct profile_message *place_of(struct own *o, MPI_Request request)
{
    uint64_t hash = (uint64_t)(uintptr_t)request * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    struct profile_message *free_one = NULL;
    for (uint64_t i = 0; i < PROBES; i++) {
        struct profile_message *m = &o->message[(hash + i) % REQUESTS];
        if (m->request == request)
            return m;
        if (m->request == NULL && free_one == NULL)
            free_one = m;
    }
    return free_one;
}

void profile_keep(const struct profile_call *c, const struct profile_message *m,
                  MPI_Request request, bool persistent)
{
    if (c->function < 0 || request == MPI_REQUEST_NULL)
        return;
    profile_lock(c->rank);
    struct profile_message *place = place_of(own_of(c), request);
    if (place != NULL) {
        *place = *m;
        place->request = request;
        place->persistent = persistent;
    }
    profile_unlock(c->rank);
}

/* NULL: not kept. */
static struct profile_message *kept(const struct profile_call *c, MPI_Request request)
{
    struct profile_message *m = place_of(own_of(c), request);
    return m != NULL && m->request == request && request != MPI_REQUEST_NULL ? m : NULL;
}

void profile_start(const struct profile_call *c, int n, const MPI_Request requests[])
{
    for (int i = 0; c->function >= 0 && requests != NULL && i < n; i++) {
        struct profile_message *m = kept(c, requests[i]);
        if (m != NULL)
            profile_before(c, m);
    }
}

void profile_find(const struct profile_call *c, int n, const MPI_Request requests[],
                  struct profile_message *messages[])
{
    if (c->function >= 0)
        profile_lock(c->rank);
    for (int i = 0; i < n; i++)
        messages[i] = c->function < 0 || requests == NULL ? NULL : kept(c, requests[i]);
    if (c->function >= 0)
        profile_unlock(c->rank);
}

void profile_done(struct profile_call *c, int n, const int indices[],
                  struct profile_message *messages[], const MPI_Status statuses[])
{
    for (int i = 0; i < n; i++) {
        int index = indices == NULL ? i : indices[i];
        struct profile_message *m = index < 0 || index >= PROFILE_REQUESTS ? NULL : messages[index];
        if (m == NULL)
            continue;
        if (m->comm != NULL && statuses != NULL)
            found(c, m, &statuses[i], true);
        needs(c, m);
        m->other = 0;
        if (m->persistent)
            continue;
        if (m->comm != NULL)
            profile_release(m->comm);
        memset(m, 0, sizeof *m);
    }
}
