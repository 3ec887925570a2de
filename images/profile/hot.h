/* SPDX-License-Identifier: MIT */
/* What each recorded call passes through: two readings of a clock, a place whose sums grow, a
 * message that gets its number, a record. Each function tries the case of nearly all calls and
 * leaves the others to one that is not inline. */
#ifndef IMAGES_PROFILE_HOT_H
#define IMAGES_PROFILE_HOT_H

#include <hal/ticks.h>

#include "profile/layer.h"

#define PROFILE_HOT static inline __attribute__((always_inline))

/* process/image.h; not in other libraries of the ABI. */
extern __attribute__((weak)) atomic_bool image_fortran;
__attribute__((weak)) const void *image_fortran_site(void *const *frame);

PROFILE_HOT uint64_t profile_now(void)
{
    return profile_layer.processor ? hal_host_ticks() : profile_other_clock();
}

/* From where the function was called whose frame this is. */
PROFILE_HOT const void *profile_caller(void *const *frame)
{
    bool fortran = &image_fortran && atomic_load_explicit(&image_fortran, memory_order_relaxed);
    return fortran ? image_fortran_site(frame) : frame[1];
}

/* Which place it is called from; PROFILE_SITES: there is no room for more places. */
PROFILE_HOT void profile_find_place(struct profile_call *c)
{
    struct profile_rank *rank = c->own->rank;
    struct profile_record *r = &c->record;
    uint64_t address = (uint64_t)(uintptr_t)c->site;
    uint64_t hash = (address ^ (uint64_t)r->function << 40) * UINT64_C(0x9e3779b97f4a7c15);
    unsigned at = (unsigned)(hash >> 48) % PROFILE_SITES;
    const struct profile_site *s = &rank->site[at];
    bool here = s->address == address && s->function == r->function;
    r->site = (uint16_t)(here ? at : profile_site(c, at));
}

/* A call of function number `function`, whose frame this is, begins; false: nobody counts. */
PROFILE_HOT bool profile_begin(struct profile_call *c, int function, const char *name,
                               void *const *frame)
{
    struct profile_own *o = atomic_load_explicit(&profile_layer.only, memory_order_relaxed);
    struct profile_record *r = &c->record;
    if (!o && !(o = profile_asked()))
        return false;
    c->own = o;
    c->name = name;
    c->site = profile_caller(frame);
    r->bytes = r->id = r->posted = 0;
    r->comm = 0;
    r->peer = PROFILE_NOBODY;
    r->tag = r->who = 0;
    r->function = (uint16_t)function;
    r->part = r->cause = r->way = 0;
    profile_find_place(c);
    r->begin = r->last = profile_now();
    atomic_store_explicit(&o->rank->open, profile_open_word(r->function, r->site),
                          memory_order_relaxed);
    atomic_store_explicit(&o->rank->came, r->begin, memory_order_release);
    return true;
}

/* It is over. Clocks of several processors may differ. */
PROFILE_HOT void profile_over(struct profile_call *c)
{
    uint64_t end = profile_now();
    c->record.end = end < c->record.begin ? c->record.begin : end;
    uint64_t ticks = c->record.end - c->record.begin;
    c->lasted = ticks > profile_layer.negligible;
    c->soon = ticks < profile_layer.soon;
}

PROFILE_HOT struct profile_record *profile_next(struct profile_own *o)
{
    struct profile_record *next = o->next;
    o->next = next + 1 < o->ring_end ? next + 1 : o->ring;
    o->rank->recorded++;
    return next;
}

/* All is known of it. */
PROFILE_HOT void profile_end(struct profile_call *c)
{
    struct profile_own *o = c->own;
    struct profile_record *r = &c->record;
    struct profile_rank *rank = o->rank;
    struct profile_site *s = r->site < PROFILE_SITES ? &rank->site[r->site] : NULL;
    struct profile_total *t = s ? &s->total : &rank->function[r->function].total;
    atomic_store_explicit(&rank->open, 0, memory_order_relaxed);
    profile_lock(rank);
    t->calls++;
    t->bytes += r->bytes;
    t->ticks += r->end - r->begin;
    bool later = o->laters > o->charged;
    if (r->last > r->begin && !later)
        profile_waited(o, r, t, s);
    const char *way = o->last_way ? *o->last_way : NULL;
    if (way) {
        *o->last_way = NULL;
        r->way = way == o->latest ? o->latest_number : profile_way(o, way);
    }
    struct profile_record *record = profile_next(o);
    *record = *r;
    if (later)
        profile_charge_later(c, record, t, s);
    profile_unlock(rank);
}

/* How many bytes it is about. */
PROFILE_HOT void profile_bytes(struct profile_call *c, MPI_Count count, MPI_Datatype type)
{
    uintptr_t i = (uintptr_t)type;
    unsigned size =
        i >= PROFILE_TYPES ? 0 : atomic_load_explicit(&profile_layer.size[i], memory_order_relaxed);
    if (count > 0)
        c->record.bytes = (uint64_t)count * (size > 0 ? size - 1 : profile_size(type));
}

PROFILE_HOT struct profile_comm *profile_comm(struct profile_own *o, MPI_Comm comm)
{
    return comm == MPI_COMM_WORLD ? o->world
           : comm == o->recent    ? o->recent_comm
                                  : profile_comm_asked(o, comm);
}

/* Most calls take part in one message or collective at most. */
PROFILE_HOT void profile_takes_part(struct profile_call *c, unsigned parts, uint64_t id,
                                    uint64_t posted)
{
    struct profile_record *r = &c->record;
    if (id == 0)
        return;
    if (r->id != 0 && r->id != id) {
        profile_part(c, parts, id, posted);
        return;
    }
    r->id = id;
    r->part |= (uint16_t)parts;
    r->posted = posted;
}

PROFILE_HOT uint64_t profile_stream_comm(const struct profile_message *m)
{
    return m->send ? m->comm->key : m->comm->key - 1;
}
PROFILE_HOT uint64_t profile_stream_peer(const struct profile_message *m)
{
    return (uint64_t)(uint32_t)m->peer << 32 | (uint32_t)m->tag;
}

/* Gives a message whose other side and tag are known its number, and tells when this side began.
 * Ids of a stream follow each other so that their events do in the table: a step adds 1 to the
 * place. */
PROFILE_HOT void profile_number(struct profile_call *c, struct profile_message *m)
{
    struct profile_own *o = c->own;
    uint64_t comm = profile_stream_comm(m), peer_tag = profile_stream_peer(m);
    profile_lock(o->rank);
    struct profile_entry *last = profile_table_first(&o->streams, comm, peer_tag);
    m->id = last->key == comm && last->more == peer_tag ? (last->value += PROFILE_STEP)
                                                        : profile_id(o, m, true);
    if (m->id != 0)
        profile_event(o->rank, profile_side(m->id, m->send), m->begin);
    profile_unlock(o->rank);
    if (m->send)
        profile_takes_part(c, PROFILE_SENDS, m->id, m->begin);
}

/* A message with rank `peer` of comm; not known if that is no rank, or comm is not. */
PROFILE_HOT struct profile_comm *profile_describe(struct profile_call *c, struct profile_message *m,
                                                  int peer, int tag, MPI_Comm comm)
{
    struct profile_comm *known = profile_comm(c->own, comm);
    struct profile_record *r = &c->record;
    m->comm = known;
    m->id = 0;
    m->peer = -1;
    m->tag = tag;
    m->begin = r->begin;
    m->send = m->persistent = m->brief = m->any = m->both = m->collective = false;
    if (!known)
        return NULL;
    if (r->comm == 0) { /* the first one of a sendrecv is its send */
        r->comm = (uint32_t)known->key;
        r->peer = peer;
        r->tag = tag;
    }
    if (peer >= 0 && peer < known->size)
        m->peer = known->world[peer];
    return known;
}

/* The calling rank is about to send, or to receive (`standard`: the mode of sending); does so now,
 * in a call that began with this one, or starts a persistent one. */
PROFILE_HOT void profile_sends(struct profile_call *c, struct profile_message *m, int dest, int tag,
                               MPI_Comm comm, bool standard)
{
    profile_describe(c, m, dest, tag, comm);
    m->send = true;
    m->brief = standard && c->record.bytes <= c->own->brief;
}

PROFILE_HOT void profile_receives(struct profile_call *c, struct profile_message *m, int source,
                                  int tag, MPI_Comm comm)
{
    struct profile_comm *known = profile_describe(c, m, source, tag, comm);
    if (!known || (source != MPI_ANY_SOURCE && (tag != MPI_ANY_TAG || m->peer < 0)))
        return;
    m->any = true;
    known->users++;
}

PROFILE_HOT void profile_before(struct profile_call *c, struct profile_message *m)
{
    m->begin = c->record.begin;
    m->id = 0;
    if (m->any)
        profile_event(c->own->rank, PROFILE_ANY, m->begin);
    else if (m->peer >= 0)
        profile_number(c, m);
}

#endif
