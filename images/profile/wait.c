/* SPDX-License-Identifier: MIT */
/* What a call waited for: the last of the events of others that it needed. */
#include "layer.h"

static struct profile_rank *ranks;
static int rank_count;

void profile_ranks(struct profile_rank *all, int n)
{
    ranks = all;
    rank_count = n;
}

/* When the event was, if not long before or after now; 0: not yet, or so long ago that another took
 * its place. */
static uint64_t time_of(struct profile_rank *r, uint64_t id, uint64_t now)
{
    if (id == 0)
        return atomic_load_explicit(&r->came, memory_order_acquire);
    uint64_t stamp =
        atomic_load_explicit(&r->event[(id >> 8) % PROFILE_EVENTS], memory_order_acquire);
    uint64_t time = (now & ~PROFILE_STAMP_TIME) | (stamp & PROFILE_STAMP_TIME);
    if (stamp != profile_stamp(id, time))
        return 0;
    return time > now + PROFILE_STAMP_TIME / 2 ? time - PROFILE_STAMP_TIME - 1 : time;
}

/* A lack of credit is what is left when nothing else was late. */
bool profile_needs(struct profile_record *r, enum profile_cause cause, int who, uint64_t id)
{
    uint64_t time = who >= 0 && who < rank_count ? time_of(&ranks[who], id, r->end) : 0;
    uint64_t came = time < r->end ? time : r->end; /* clocks of several processors may differ */
    bool is_flow = cause == PROFILE_FLOW, was_flow = r->cause == PROFILE_FLOW;
    bool is_late = r->last > r->begin;
    if (is_late && is_flow != was_flow ? was_flow && came > r->begin : came > r->last) {
        r->last = came;
        r->cause = (uint8_t)cause;
        r->who = who;
    }
    return time > 0;
}

void profile_may_need(struct profile_record *r, enum profile_cause cause, int who, uint64_t id)
{
    if (who >= 0 && who < rank_count && time_of(&ranks[who], id, r->end) <= r->end)
        profile_needs(r, cause, who, id);
}

void profile_in_vain(struct profile_record *r, enum profile_cause cause, int who, uint64_t id)
{
    uint64_t time = who >= 0 && who < rank_count ? time_of(&ranks[who], id, r->end) : r->begin;
    uint64_t came = time != 0 && time < r->end ? time : r->end;
    if (came <= r->last)
        return;
    r->last = came;
    r->cause = (uint8_t)cause;
    r->who = who;
}

static void blame(struct profile_own *o, int who, int cause, uint64_t ticks)
{
    struct profile_wait *w = &o->rank->wait[(unsigned)who % PROFILE_WAITS];
    if (w->who != who + 1) {
        for (int i = 0; w->who > 0 && i < PROFILE_CAUSES; i++)
            if (w->waited[i] > 0)
                atomic_fetch_add(&ranks[w->who - 1].blamed[i], w->waited[i]);
        *w = (struct profile_wait){.who = who + 1};
    }
    w->waited[cause] += ticks;
}

/* Until the last of those whom the call needed had done their part, it waited. */
void profile_waited(struct profile_own *o, const struct profile_record *r,
                    struct profile_total *place, struct profile_site *site)
{
    uint64_t waited = r->last - r->begin;
    place->waited[r->cause] += waited;
    blame(o, r->who, r->cause, waited);
    if (site && waited > site->longest) {
        site->longest = waited;
        site->who = r->who;
    }
}

void profile_needs_soon(struct profile_call *c, enum profile_cause cause, int who, uint64_t id)
{
    struct profile_own *o = c->own;
    if (c->soon && o->laters < PROFILE_LATER)
        o->later[o->laters++] = (struct profile_later){.id = id, .who = who, .cause = cause};
    else
        profile_needs(&c->record, cause, who, id);
}

/* One call of those that look later, the first of which is number i: how many are its. */
static int look(struct profile_own *o, int i)
{
    const struct profile_later *first = &o->later[i];
    struct profile_record *r = first->record;
    int n = 0;
    for (; i + n < o->charged && first[n].record == r; n++)
        profile_needs(r, first[n].cause, first[n].who, first[n].id);
    if (r->last > r->begin)
        profile_waited(o, r, first->place, first->site);
    return n;
}

void profile_look(struct profile_own *o)
{
    for (int i = 0; i < o->charged;)
        i += look(o, i);
    o->laters = o->charged = 0;
}

/* Half of the room is left for what the next call needs. */
void profile_charge_later(struct profile_call *c, struct profile_record *record,
                          struct profile_total *place, struct profile_site *site)
{
    struct profile_own *o = c->own;
    for (; o->charged < o->laters; o->charged++) {
        struct profile_later *l = &o->later[o->charged];
        l->record = record;
        l->place = place;
        l->site = site;
    }
    if (o->charged > PROFILE_LATER / 2)
        profile_look(o);
}
