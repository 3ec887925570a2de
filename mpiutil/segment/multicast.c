/* SPDX-License-Identifier: MIT */
/* How a rank gives or takes what multicasts.h says where to find. */
#include <base/assert.h>
#include <base/fence.h>
#include <base/mem.h>

#include "progress/progress.h"
#include "segment/caster.h"

static inline struct casting *casting_of(struct mpu_await *a)
{
    return (struct casting *)a;
}

/* Of nonblocking ones others wait who do not sleep. */
static void tell_others(const struct casting *c, enum mpu_sleeps_for reason)
{
    if (c->standing || !c->await.segment->relaxed)
        b_fence();
    mpu_tell(c->await.segment, c->await.rank, reason);
}

static void say_done(struct casting *c, uint32_t number)
{
    c->cast->place->told = cast_done(number);
    atomic_store_explicit(&c->at->done[c->cast->rank], cast_done(number), memory_order_release);
}

void mpu_casting_tell(struct casting *c, uint32_t number)
{
    say_done(c, number);
    tell_others(c, MPU_FOR_ROOM);
}

/* Roots may wait for that: those who took no part in a call, because they gave wrong arguments,
 * have not told that it is done. */
static void before_sleep(struct mpu_await *a)
{
    say_done(casting_of(a), casting_of(a)->cast->number);
    b_fence();
    mpu_tell(a->segment, a->rank, MPU_FOR_ROOM);
}

static __attribute__((noinline)) bool wait_on(struct casting *c, const struct mpu_awaited *x)
{
    c->await.awaited = x;
    if (!c->standing)
        return mpu_await_word(&c->await);
    mpu_standing_begin(c->standing);
    return false;
}

/* False: cancelled, or it stands. */
static inline bool await(struct casting *c, const struct mpu_awaited *x)
{
    return !x->pending(&c->await) || wait_on(c, x);
}

/* n bytes from `at` on between the rank's data and the shared memory. */
static void move(const struct casting *c, uint64_t at, uint64_t n, uint8_t *chunk)
{
    const struct mpu_cast *x = c->cast;
    uint8_t *own = (uint8_t *)x->run + at;
    if (!x->run)
        x->move(x->data, at, n, chunk);
    else
        memcpy(x->rank == x->root ? chunk : own, x->rank == x->root ? own : chunk, n);
}

/* Root ----------------------------------------------------------------------------------------- */

static mpu_word *ranks_behind(struct mpu_await *a)
{
    struct casting *c = casting_of(a);
    for (; c->from < (uint32_t)c->await.segment->ranks; c->from++) {
        mpu_word *done = &c->at->done[c->from];
        if ((int)c->from != c->cast->rank && !cast_reached(atomic_load(done), c->needs))
            return done;
    }
    return NULL;
}

static const struct mpu_awaited room = {MPU_FOR_ROOM, ranks_behind, NULL, before_sleep};

/* What all have done is remembered, for there is often room for more than one. */
static bool has_room(struct casting *c, uint32_t claim)
{
    struct mpu_cast_place *place = c->cast->place;
    uint32_t least = cast_done(c->cast->number);
    c->needs = cast_needs_all(c->at, claim, c->cast->number, c->cast->bytes);
    if (cast_reached(place->free, c->needs))
        return true;
    if (!await(c, &room))
        return false;
    for (int i = 0; i < c->await.segment->ranks; i++) {
        uint32_t done = atomic_load_explicit(&c->at->done[i], memory_order_acquire);
        least = i != c->cast->rank && !cast_reached(done, least) ? done : least;
    }
    place->free = least;
    return true;
}

static mpu_word *not_filled(struct mpu_await *a)
{
    struct casting *c = casting_of(a);
    mpu_word *at = &c->entry->at;
    return atomic_load_explicit(at, memory_order_acquire) != cast_filled(c->cast->number) ? at
                                                                                          : NULL;
}

static const struct mpu_awaited entry = {MPU_FOR_DATA, not_filled, NULL, before_sleep};

/* Compares what this rank says with what the entry has. */
static bool agrees(struct casting *c)
{
    struct mpu_cast *x = c->cast;
    mpu_outcome_begin(&x->outcome, &x->visit->signature);
    mpu_outcome_compare(&x->outcome, &x->visit->signature, &c->entry->signature);
    return x->outcome.agreed;
}

/* Two roots: one of them fills the entry, the other one says something else, its rank at least. */
static bool other_root(struct casting *c)
{
    if (await(c, &entry))
        mpu_outcome_differs(&c->cast->outcome, &c->cast->visit->signature, &c->entry->signature);
    return false;
}

/* Whether the data go in chunks. */
static bool streams(const struct casting *c)
{
    return c->cast->bytes > MPU_CAST_SLOT && !c->cast->whole;
}

static mpu_word *chunk_unread(struct mpu_await *a)
{
    struct casting *c = casting_of(a);
    mpu_word *unread = &c->at->stream.unread[c->chunk % CAST_SLOTS];
    return atomic_load_explicit(unread, memory_order_acquire) ? unread : NULL;
}

static const struct mpu_awaited slot_free = {MPU_FOR_ROOM, chunk_unread, NULL, before_sleep};

static uint64_t chunk_at(const struct casting *c)
{
    return (uint64_t)c->chunk * MPU_CAST_SLOT;
}

static void move_chunk(struct casting *c)
{
    uint64_t left = c->cast->bytes - chunk_at(c);
    move(c, chunk_at(c), left < MPU_CAST_SLOT ? left : MPU_CAST_SLOT,
         c->at->slot[c->chunk % CAST_SLOTS]);
}

/* Before the entry is filled: nobody is at the last one any more, as it had all slots, too. */
static void begin_stream(struct casting *c)
{
    struct cast_stream *s = &c->at->stream;
    atomic_store_explicit(&s->filled, 0, memory_order_relaxed);
    for (int i = 0; i < CAST_SLOTS; i++)
        atomic_store_explicit(&s->unread[i], 0, memory_order_relaxed);
}

/* Where the data lie that are given as a whole. */
static uint8_t *place_of(const struct casting *c)
{
    struct cast_slots its = cast_slots_of(c->cast->number, c->entry->slots);
    return its.n ? c->at->slot[its.first] : c->entry->data;
}

/* After that. */
static bool give_chunks(struct casting *c)
{
    struct cast_stream *s = &c->at->stream;
    uint32_t others = (uint32_t)c->await.segment->ranks - 1;
    for (; chunk_at(c) < c->cast->bytes; c->chunk++) {
        if (!await(c, &slot_free))
            return false;
        move_chunk(c);
        atomic_store_explicit(&s->unread[c->chunk % CAST_SLOTS], others, memory_order_relaxed);
        atomic_store_explicit(&s->filled, c->chunk + 1, memory_order_release);
        tell_others(c, MPU_FOR_DATA);
    }
    return true;
}

static void fill(struct casting *c)
{
    struct mpu_cast *x = c->cast;
    struct cast_entry *e = c->entry;
    e->slots = (uint16_t)cast_take_slots(c->at, x->number, x->bytes);
    if (streams(c))
        begin_stream(c);
    else if (x->bytes)
        move(c, 0, x->bytes, place_of(c));
    e->signature = x->visit->signature;
    e->mark = x->mark;
    atomic_store_explicit(&e->at, cast_filled(x->number), memory_order_release);
    tell_others(c, MPU_FOR_DATA);
}

/* Once the entry is the rank's own it is filled without a wait. */
static bool fills(struct casting *c)
{
    uint32_t number = c->cast->number;
    uint32_t claim = atomic_load(&c->at->claimed[number % CAST_ENTRIES]);
    if (claim == cast_filled(number))
        return other_root(c);
    if (!has_room(c, claim))
        return false;
    if (!cast_claim(c->at, claim, number))
        return other_root(c);
    fill(c);
    c->filled = true;
    return true;
}

static bool give(struct casting *c)
{
    return (c->filled || fills(c)) && (!streams(c) || give_chunks(c));
}

/* Others --------------------------------------------------------------------------------------- */

static mpu_word *chunk_missing(struct mpu_await *a)
{
    struct casting *c = casting_of(a);
    mpu_word *filled = &c->at->stream.filled;
    return atomic_load_explicit(filled, memory_order_acquire) <= c->chunk ? filled : NULL;
}

static const struct mpu_awaited chunk = {MPU_FOR_DATA, chunk_missing, NULL, before_sleep};

/* The last one lets the root go on. */
static bool take_chunks(struct casting *c)
{
    struct cast_stream *s = &c->at->stream;
    for (; chunk_at(c) < c->cast->bytes; c->chunk++) {
        if (!await(c, &chunk))
            return false;
        move_chunk(c);
        if (atomic_fetch_sub(&s->unread[c->chunk % CAST_SLOTS], 1) == 1)
            tell_others(c, MPU_FOR_ROOM);
    }
    return true;
}

static bool take(struct casting *c)
{
    struct mpu_cast *x = c->cast;
    if (!await(c, &entry) || !agrees(c))
        return false;
    x->mark = c->entry->mark;
    if (streams(c))
        return take_chunks(c);
    if (x->bytes)
        move(c, 0, x->bytes, place_of(c));
    return true;
}

void mpu_multicasts_wipe(struct mpu_segment *s)
{
    struct mpu_multicasts *m = s->multicasts;
    for (int i = 0; i < CAST_ENTRIES; i++) {
        if (!atomic_load_explicit(&m->claimed[i], memory_order_relaxed))
            continue; /* pages that nobody has used stay so */
        atomic_store_explicit(&m->entry[i].at, 0, memory_order_relaxed);
        atomic_store_explicit(&m->claimed[i], 0, memory_order_relaxed);
    }
    for (int i = 0; i < CAST_SLOTS; i++)
        m->slot_filled[i] = 0;
    for (int i = 0; i < s->ranks; i++)
        atomic_store_explicit(&m->done[i], 0, memory_order_relaxed);
}

/* Since it has told. */
static uint32_t calls_done(const struct casting *c, uint32_t number)
{
    return (cast_done(number) - c->cast->place->told) / 2;
}

bool mpu_casting_go_on(struct casting *c)
{
    const struct mpu_cast *x = c->cast;
    bool done = x->rank == x->root ? give(c) : take(c);
    if (c->standing && c->standing->stands)
        return false;
    uint32_t slots = done ? c->entry->slots : 0;
    uint32_t often = slots == 0 ? CAST_TELLS : slots == 1 ? CAST_TELLS / 4 : 1;
    if (c->at_once || calls_done(c, x->number + 1) >= often)
        mpu_casting_tell(c, x->number + 1);
    return done;
}

/* A rank tells at the latest CAST_TELLS calls after the last time; and behind a call that came long
 * after the one before it, for so may the next one, or that had all slots, which the next one may
 * need. */
bool mpu_casting_begin(struct casting *c)
{
    const struct mpu_cast *x = c->cast;
    b_assert(x->root < c->await.segment->ranks);
    c->entry = cast_entry_of(c->at, x->number);
    c->at_once = !x->place->told || calls_done(c, x->number) >= CAST_TELLS;
    if (c->at_once)
        mpu_casting_tell(c, x->number);
    return mpu_casting_go_on(c);
}

bool mpu_multicast(struct mpu_segment *s, struct mpu_rank *r, struct mpu_cast *x)
{
    struct casting c = {.await = {s, r, x->visit, NULL, NULL, 0}, .at = s->multicasts, .cast = x};
    b_assert(s->shared);
    return mpu_casting_begin(&c);
}
