/* SPDX-License-Identifier: MIT */
/* Messages of requests, from the call that begins them to the one that ends them. */
#include "hot.h"

#define PROBES 16 /* places that are looked at for one request */

/* The place of a request, or the first free one if `new`; NULL: there is none. A request that ended
 * unseen may have left its message. */
static inline struct profile_message *place_of(struct profile_own *o, MPI_Request request, bool new)
{
    uint64_t at = (uint64_t)(uintptr_t)request * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    for (int i = 0; i < PROBES; i++, at++) {
        struct profile_message *m = &o->kept[at % PROFILE_PLACES];
        if (m->request == request || (new && !m->request))
            return m;
    }
    return NULL;
}

void profile_keep(struct profile_call *c, const struct profile_message *m, MPI_Request request,
                  bool persistent)
{
    if (request == MPI_REQUEST_NULL)
        return;
    profile_lock(c->own->rank);
    struct profile_message *kept = place_of(c->own, request, true);
    if (kept) {
        *kept = *m;
        kept->request = request;
        kept->persistent = persistent;
        kept->bytes = c->record.bytes;
    }
    profile_unlock(c->own->rank);
}

/* The place of the send that a request ends beside its receive: handles are even addresses. */
static MPI_Request beside(MPI_Request request)
{
    return (MPI_Request)((uintptr_t)request | 1);
}

void profile_keep_both(struct profile_call *c, const struct profile_message *send,
                       struct profile_message *receive, MPI_Request request)
{
    if (request == MPI_REQUEST_NULL)
        return;
    receive->both = true;
    profile_keep(c, receive, request, false);
    profile_keep(c, send, beside(request), false);
}

/* NULL: not kept. */
static inline struct profile_message *kept_of(struct profile_own *o, MPI_Request request)
{
    return request == MPI_REQUEST_NULL ? NULL : place_of(o, request, false);
}

/* As other calls a start names what it sends, or what it receives if it sends nothing. */
void profile_start(struct profile_call *c, int n, const MPI_Request requests[])
{
    uint64_t sent = 0, room = 0;
    for (int i = 0; requests && i < n; i++) {
        profile_lock(c->own->rank);
        struct profile_message *m = kept_of(c->own, requests[i]);
        profile_unlock(c->own->rank);
        if (!m)
            continue;
        if (m->collective)
            profile_starts(c, m);
        else
            profile_before(c, m);
        *(m->send || m->collective ? &sent : &room) += m->bytes;
    }
    c->record.bytes = sent > 0 ? sent : room;
}

void profile_find(struct profile_call *c, int n, const MPI_Request requests[],
                  struct profile_message *messages[])
{
    profile_lock(c->own->rank);
    for (int i = 0; i < n; i++)
        messages[i] = requests ? kept_of(c->own, requests[i]) : NULL;
    profile_unlock(c->own->rank);
}

/* The message of a request that is no persistent one has been looked at; another thread may take
 * its place at once. */
static void forget(struct profile_call *c, struct profile_message *m)
{
    profile_lock(c->own->rank);
    m->request = NULL;
    profile_unlock(c->own->rank);
}

/* The send of a request that has ended both. */
static void sent_beside(struct profile_call *c, MPI_Request request)
{
    profile_lock(c->own->rank);
    struct profile_message *m = kept_of(c->own, beside(request));
    profile_unlock(c->own->rank);
    if (!m)
        return;
    profile_needs_message(c, m);
    forget(c, m);
}

void profile_done(struct profile_call *c, int n, const int indices[],
                  struct profile_message *messages[], const MPI_Status statuses[])
{
    for (int i = 0; i < n; i++) {
        int index = indices ? indices[i] : i;
        struct profile_message *m = index < 0 || index >= PROFILE_REQUESTS ? NULL : messages[index];
        if (!m)
            continue;
        if (m->collective) {
            profile_left(c, m);
            continue;
        }
        if (m->any && statuses)
            profile_found(c, m, &statuses[i], true);
        profile_needs_message(c, m);
        m->id = 0;
        if (m->persistent)
            continue;
        if (m->any)
            profile_release(m->comm);
        if (m->both)
            sent_beside(c, m->request);
        forget(c, m);
    }
}

/* Of several that are late one counts. */
void profile_tested_in_vain(struct profile_call *c, int n, struct profile_message *messages[])
{
    for (int i = 0; i < n; i++) {
        const struct profile_message *m = messages[i];
        if (m && m->collective)
            profile_stays(c, m);
        else if (m && !m->send && m->id != 0)
            profile_in_vain(&c->record, PROFILE_SENDER, m->peer, profile_side(m->id, true));
    }
}
