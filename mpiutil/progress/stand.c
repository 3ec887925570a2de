/* SPDX-License-Identifier: MIT */
/* Reads a rank from outside. Of its lists another thread may be in the middle of a change, so only
 * as many entries are looked at as it says to have. */
#include <mpiutil/stand.h>

#include <base/mem.h>

#include "protocol/index.h"
#include "protocol/protocol.h"
#include "transport/lane.h"

/* What a rank asks for. */
struct wanted {
    uint32_t context; /* or SEVERAL */
    int source, tag;  /* world rank, or MPU_ANY */
};

#define SEVERAL UINT32_MAX /* of programs' communicators: any of its receives will do */

enum { LOOKS_MOST = 1 << 20 }; /* where many receives wait beside many messages */

/* How much a message is like what the rank waits for; 0: not at all, as those of a collective are
 * not like what a program receives. */
static int nearness(const struct wanted *t, const struct mpu_wire *w)
{
    bool source = t->source == MPU_ANY || t->source == (int)w->from;
    bool tag = t->tag == MPU_ANY || t->tag == w->tag;
    bool kind = t->context % MPU_CONTEXTS == w->context % MPU_CONTEXTS;
    return t->context == w->context ? 2 * source + tag : source && tag && kind;
}

/* MPI_Probe, MPI_Improbe ... post no receive. */
static bool probes(const struct mpu_doing *d)
{
    const char *end = d->call;
    while (*end)
        end++;
    return end - d->call > 4 && memcmp(end - 4, "robe", 4) == 0;
}

/* Of the messages that nobody has taken the one that is most like t, if it is more so than `best`.
 * How much it is. */
static int find_near(const struct mpu_rank *r, struct mpu_stand *s, const struct wanted *t,
                     int best)
{
    const struct mpu_match *m = &r->match;
    uint32_t looks = m->waiting;
    for (uint32_t i = 0; i <= m->mask; i++) {
        const struct mpu_arrival *a = m->lists[i].unexpected.first;
        for (; a && looks > 0; a = a->next, looks--) {
            int near = nearness(t, &a->wire);
            if (near <= best)
                continue;
            best = near;
            s->near = true;
            s->near_source = (int)a->wire.from;
            s->near_tag = a->wire.tag;
            s->near_elsewhere = t->context != a->wire.context;
            s->asked_source = t->source;
            s->asked_tag = t->tag;
        }
    }
    return best;
}

static bool is_program(uint32_t context)
{
    return context % MPU_CONTEXTS == MPU_CONTEXT_PROGRAM;
}

/* A send, or a receive that has been matched, has none to come. Where any of several receives will
 * do, the rank does not say which: each that it has asked for is looked at. */
static void find_near_receive(const struct mpu_rank *r, struct mpu_stand *s, uint32_t context)
{
    const struct mpu_match *m = &r->match;
    bool any = s->peer == MPU_ANY && s->doing.tag == MPU_ANY;
    uint32_t looks = m->posted, most = m->waiting ? LOOKS_MOST / m->waiting : 0;
    int best = 0;
    looks = looks < most ? looks : most;
    for (uint32_t i = 0; i <= m->mask + 1u; i++) {
        const struct mpu_request *q = i <= m->mask ? m->lists[i].posted.first : m->wild.first;
        for (; q && looks > 0; q = q->next, looks--) {
            const struct wanted t = {q->context, q->world, q->tag};
            bool is = t.source == s->peer && t.tag == s->doing.tag;
            bool here = t.context == context || (context == SEVERAL && is_program(t.context));
            if (here && (is || any))
                best = find_near(r, s, &t, best);
        }
    }
}

/* Of the sends that wait for an answer one of the program's, or else one of an operation's. */
static void find_unreceived(const struct mpu_rank *r, struct mpu_stand *s)
{
    const struct mpu_index *x = &r->unanswered.sends;
    uint32_t looks = x->count;
    bool program = false;
    for (uint32_t i = 0; i <= x->mask; i++) {
        const struct mpu_arrival *last = x->mask ? x->last[i] : x->one, *a = last;
        for (; a && looks > 0; looks--) {
            a = a->next;
            const struct mpu_request *q = mpu_request_of(a);
            bool is = is_program(q->context);
            bool older = s->unreceived && a->wire.cookie < s->unreceived->arrival.wire.cookie;
            if (!s->unreceived || (is && (!program || older)))
                s->unreceived = q;
            program |= is;
            if (a == last)
                break;
        }
    }
    s->unreceived_more = x->count > 1;
}

void mpu_stand_sites(struct mpu_cluster *c, uint64_t (*site)(void))
{
    c->site = site;
}

uintptr_t mpu_stand_site(const struct mpu_request *send)
{
    return send->arrival.site;
}

bool mpu_stand_sends(const struct mpu_request *q)
{
    return q->proto && !q->done;
}

const void *mpu_stand_user(const struct mpu_cluster *c, int rank)
{
    return c->ranks[c->endpoint[rank].local].head.user;
}

const struct mpu_doing *mpu_stand_doing(const struct mpu_cluster *c, int rank)
{
    return &c->ranks[c->endpoint[rank].local].doing;
}

void mpu_stand(const struct mpu_cluster *c, int rank, struct mpu_stand *s)
{
    const struct mpu_rank *r = &c->ranks[c->endpoint[rank].local];
    *s = (struct mpu_stand){.doing = r->doing, .peer = r->doing.peer};
    for (const struct mpu_request *q = r->outbox.first; q; q = q->next)
        if (c->set->slots && q->proto == &mpu_slot_copy)
            s->slots = c->set->slots;
    s->full = (r->noc.mails && !r->noc.listens && !r->noc.landing) || mpu_lane_refuses(r->at_core);
    if (s->doing.call && s->doing.comm && s->peer >= 0)
        s->peer = mpu_comm_world(s->doing.comm, s->peer);
    if (s->doing.call && (r->notices & MPU_STOPS) && !r->life.closing)
        find_unreceived(r, s);
    if (!s->doing.call || s->peer == MPU_ALL)
        return;
    const struct wanted t = {s->doing.comm   ? s->doing.comm->context
                             : s->doing.asks ? s->doing.context
                                             : SEVERAL,
                             s->peer, s->doing.tag};
    if (probes(&s->doing))
        find_near(r, s, &t, 0);
    else
        find_near_receive(r, s, t.context);
}

int mpu_stand_member(const struct mpu_cluster *c, const struct mpu_stand *s, int i)
{
    const struct mpu_comm *comm = s->doing.comm;
    int size = comm ? comm->size : svc_spawn_total(c->job);
    if (i >= size)
        return -1;
    return comm ? mpu_comm_world(comm, i) : i;
}
