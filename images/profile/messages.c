/* SPDX-License-Identifier: MIT */
/* Who waits for whom in a message. Sender and receiver count the messages between them for each tag
 * of a communicator, so that both know its number without a word of it in the message. A receive of
 * any source or tag is counted when it is done: if a rank has several of these under way, messages
 * with one sender and tag may be taken for each other. */
#include "layer.h"

#include <sys/mman.h>

#pragma weak PMPI_T_cvar_get_index
#pragma weak PMPI_T_cvar_handle_alloc
#pragma weak PMPI_T_cvar_handle_free
#pragma weak PMPI_T_cvar_read
#pragma weak PMPI_T_finalize
#pragma weak PMPI_T_init_thread

#define REQUESTS 1024 /* of a rank whose messages are known; those of more are not looked at */
#define PLACES   2048 /* where they may be: a power of 2, twice as many */
#define PROBES   16   /* of them are looked at for one request */
#define STEP     (UINT64_C(0xc2b2ae3d27d4) << 18 | 1 << 8) /* from an id to the next message's */
#define FIRST    256                                       /* room for counters */

/* How many messages of a key there were. */
struct counter {
    uint64_t key; /* 0: free */
    uint64_t messages;
};

/* Of each rank. */
static struct own {
    struct counters {
        struct counter *counter; /* open addressing */
        uint64_t room, used;     /* a power of 2 */
    } counters;
    uint32_t brief; /* bytes of the longest message whose sender waits only for credit or memory */
    struct place {
        MPI_Request request; /* NULL: free */
        uint32_t message;
    } place[PLACES];                  /* by the requests' addresses */
    uint32_t spare[REQUESTS], spares; /* messages whose requests are done; the other free ones */
    uint32_t fresh;                   /* begin here */
    struct profile_message message[REQUESTS];
} * own;

bool profile_messages(int n)
{
    own = profile_memory((size_t)n * sizeof *own);
    return own != NULL;
}

static struct own *own_of(const struct profile_call *c)
{
    return &own[c->self];
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

static inline struct counter *slot_of(const struct counters *c, uint64_t key)
{
    uint64_t i = key >> 16, mask = c->room - 1;
    while (c->counter[i & mask].key != 0 && c->counter[i & mask].key != key)
        i++;
    return &c->counter[i & mask];
}

static bool double_room(struct counters *c)
{
    struct counters more = {NULL, c->room > 0 ? 2 * c->room : FIRST, c->used};
    more.counter = profile_memory(more.room * sizeof *more.counter);
    if (more.counter == NULL)
        return false;
    for (uint64_t i = 0; i < c->room; i++) {
        if (c->counter[i].key != 0)
            *slot_of(&more, c->counter[i].key) = c->counter[i];
    }
    if (c->counter != NULL)
        munmap(c->counter, c->room * sizeof *c->counter);
    *c = more;
    return true;
}

/* Number of the first message of a key, if it is taken or not; at least half of the counters stay
 * free. */
static __attribute__((noinline)) uint64_t first_number(struct counters *c, uint64_t key, bool take)
{
    if (!take)
        return 1;
    if (c->used >= c->room / 2 && !double_room(c))
        return 0;
    *slot_of(c, key) = (struct counter){key, 1};
    c->used++;
    return 1;
}

/* Number of the next message of a key, from 1 on; 0: no memory. */
static inline uint64_t next_number(struct counters *c, uint64_t key, bool take)
{
    struct counter *s = c->room > 0 ? slot_of(c, key) : NULL;
    if (s == NULL || s->key == 0)
        return first_number(c, key, take);
    s->messages += take;
    return s->messages + !take;
}

/* Each side of a message has an event. */
static uint64_t side(const struct profile_message *m, bool other)
{
    return m->send != other ? 2 : 4;
}

/* One odd number for all messages of one rank to another with a tag in a communicator. */
static uint64_t stream(const struct profile_message *m, int self)
{
    uint64_t from = (uint64_t)(m->send ? self : m->peer), to = (uint64_t)(m->send ? m->peer : self);
    uint64_t which = from * UINT64_C(0x9e3779b97f4a7c15) + to * UINT64_C(0x165667b19e3779f9) +
                     (uint64_t)m->tag * UINT64_C(0x27d4eb2f165667c5);
    return profile_mix(m->comm_key, which);
}

/* Gives a message whose other side and tag are known its number, and tells when this side began;
 * if it is only looked at, neither. Ids of a stream follow each other so that their events do in
 * the table: STEP adds 1 to the place. */
static void number_it(struct profile_call *c, struct profile_message *m, bool take)
{
    uint64_t key = stream(m, c->self);
    profile_lock(c->rank);
    uint64_t number = next_number(&own_of(c)->counters, key ^ side(m, false), take);
    m->id = number > 0 ? key + number * STEP : 0;
    if (take && number > 0)
        profile_event(c->rank, m->id ^ side(m, false), m->begin);
    profile_unlock(c->rank);
    m->other = number > 0 ? m->id ^ side(m, true) : 0;
    if (take && m->send)
        profile_takes_part(c, PROFILE_SENDS, m->id, m->begin);
}

/* A message with rank `peer` of comm; not known if that is no rank, or comm is not. */
static struct profile_comm *describe(struct profile_call *c, struct profile_message *m, int peer,
                                     int tag, MPI_Comm comm)
{
    struct profile_comm *known = profile_comm(c, comm);
    m->comm = NULL;
    m->id = m->other = 0;
    m->peer = -1;
    m->tag = tag;
    m->send = m->persistent = m->brief = false;
    if (known == NULL)
        return NULL;
    m->begin = c->begin;
    m->comm_key = known->key;
    if (c->comm == 0) { /* the first one of a sendrecv is its send */
        c->comm = (uint32_t)known->key;
        c->peer = peer;
        c->tag = tag;
    }
    if (peer >= 0 && peer < known->size)
        m->peer = known->world[peer];
    return known;
}

void profile_sends(struct profile_call *c, struct profile_message *m, int dest, int tag,
                   MPI_Comm comm, bool standard)
{
    describe(c, m, dest, tag, comm);
    m->send = true;
    m->brief = standard && c->function >= 0 && c->bytes <= own_of(c)->brief;
}

void profile_receives(struct profile_call *c, struct profile_message *m, int source, int tag,
                      MPI_Comm comm)
{
    struct profile_comm *known = describe(c, m, source, tag, comm);
    if (known == NULL || (source != MPI_ANY_SOURCE && (tag != MPI_ANY_TAG || m->peer < 0)))
        return;
    m->comm = known; /* its number is known when it is done */
    known->users++;
}

void profile_before(struct profile_call *c, struct profile_message *m)
{
    m->begin = c->begin;
    m->other = 0;
    if (m->comm != NULL)
        profile_event(c->rank, PROFILE_ANY, c->begin);
    else if (m->peer >= 0)
        number_it(c, m, true);
}

/* Which message a receive of any source or tag, or a probe, has found. */
static void found(struct profile_call *c, struct profile_message *m, const MPI_Status *status,
                  bool take)
{
    int source = status->MPI_SOURCE;
    if (source < 0 || source >= m->comm->size)
        return;
    if (c->comm == (uint32_t)m->comm_key && (c->peer < 0 || c->tag < 0)) {
        c->peer = source;
        c->tag = status->MPI_TAG;
    }
    struct profile_message one = *m;
    one.peer = m->comm->world[source];
    one.tag = status->MPI_TAG;
    number_it(c, &one, take);
    m->other = one.other;
    m->id = one.id;
    m->peer = one.peer;
}

/* A receive of any source, which may still be under way, does not know its message yet. */
static void needs_other(struct profile_call *c, const struct profile_message *m)
{
    if (!profile_lasted(c))
        return;
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
    if (m->brief) {
        if (profile_lasted(c))
            profile_needs(c, PROFILE_FLOW, m->peer, PROFILE_CAME);
        return;
    }
    needs_other(c, m);
    profile_takes_part(c, m->send ? PROFILE_SENT : PROFILE_RECEIVED, m->id, m->begin);
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

static unsigned hash_of(MPI_Request request)
{
    return (unsigned)((uint64_t)(uintptr_t)request * UINT64_C(0x9e3779b97f4a7c15) >> 32) % PLACES;
}

/* Where a request is, or may be put; -1: too many. It is at the first place from that of its hash
 * on that was free. */
static int place_of(const struct own *o, MPI_Request request)
{
    unsigned at = hash_of(request);
    for (int i = 0; i < PROBES; i++, at = (at + 1) % PLACES) {
        if (o->place[at].request == request || o->place[at].request == NULL)
            return (int)at;
    }
    return -1;
}

/* Room for the message of a request; NULL: too many. One that ended unseen may have left its. */
static struct profile_message *room_for(struct own *o, MPI_Request request)
{
    int at = place_of(o, request);
    if (at < 0 || (o->spares == 0 && o->fresh == REQUESTS))
        return NULL;
    struct place *p = &o->place[at];
    if (p->request == NULL) {
        p->request = request;
        p->message = o->spares > 0 ? o->spare[--o->spares] : o->fresh++;
    }
    return &o->message[p->message];
}

/* Requests behind it that would be at its place if that had been free move up. */
static void drop(struct own *o, const struct profile_message *m)
{
    int found = place_of(o, m->request);
    if (found < 0 || o->place[found].request == NULL)
        return;
    unsigned at = (unsigned)found;
    o->spare[o->spares++] = o->place[at].message;
    for (unsigned next = (at + 1) % PLACES; o->place[next].request != NULL;
         next = (next + 1) % PLACES) {
        if ((next - hash_of(o->place[next].request)) % PLACES < (next - at) % PLACES)
            continue;
        o->place[at] = o->place[next];
        at = next;
    }
    o->place[at].request = NULL;
}

void profile_keep(const struct profile_call *c, const struct profile_message *m,
                  MPI_Request request, bool persistent)
{
    if (c->function < 0 || request == MPI_REQUEST_NULL)
        return;
    profile_lock(c->rank);
    struct profile_message *kept = room_for(own_of(c), request);
    if (kept != NULL) {
        *kept = *m;
        kept->request = request;
        kept->persistent = persistent;
    }
    profile_unlock(c->rank);
}

/* NULL: not kept. */
static struct profile_message *kept_of(const struct profile_call *c, MPI_Request request)
{
    struct own *o = own_of(c);
    int at = request == MPI_REQUEST_NULL ? -1 : place_of(o, request);
    return at >= 0 && o->place[at].request == request ? &o->message[o->place[at].message] : NULL;
}

void profile_start(struct profile_call *c, int n, const MPI_Request requests[])
{
    for (int i = 0; c->function >= 0 && requests != NULL && i < n; i++) {
        struct profile_message *m = kept_of(c, requests[i]);
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
        messages[i] = c->function < 0 || requests == NULL ? NULL : kept_of(c, requests[i]);
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
        profile_lock(c->rank);
        drop(own_of(c), m);
        profile_unlock(c->rank);
    }
}
