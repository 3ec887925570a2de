/* SPDX-License-Identifier: MIT */
/* Matching: the posted receives and the unexpected messages of one rank. Owned by the rank's
 * core, so there is no lock. Pure data: docs/matching.md.
 *
 * Receives that name their source and tag, and unexpected messages, are in one of 1, 8, 64 ...
 * lists by communicator, source and tag; receives with a wildcard are in a list of their own. Each
 * has its number in the order of all, which decides between lists. Messages of one collective
 * operation are in a few lists beside each other: whoever waits in it looks only at those, however
 * many have come for later ones. */
#ifndef MPIUTIL_MATCH_H
#define MPIUTIL_MATCH_H

#include <base/assert.h>
#include <mpiutil/message.h>

/* Queues of requests: a link to the first, and the place of the link behind the last, *end. */
static inline void mpu_queue(struct mpu_request ***end, struct mpu_request *q)
{
    b_assert(!**end);
    q->next = NULL;
    **end = q;
    *end = &q->next;
}

/* Takes the request at `at` out of a queue with this end. */
static inline struct mpu_request *mpu_unqueue(struct mpu_request **at, struct mpu_request ***end)
{
    b_assert(*at);
    struct mpu_request *q = *at;
    *at = q->next;
    if (!*at)
        *end = at;
    return q;
}

/* Stacks of arrivals, onto which several cores put some, and which one takes as a whole. */
static inline void mpu_stack(_Atomic(struct mpu_arrival *) *stack, struct mpu_arrival *a)
{
    struct mpu_arrival *top = atomic_load_explicit(stack, memory_order_relaxed);
    do
        a->next = top;
    while (!atomic_compare_exchange_weak_explicit(stack, &top, a, memory_order_release,
                                                  memory_order_relaxed));
}

struct mpu_posted {
    struct mpu_request *first, **end;
};

/* mark: of the operation that all of them name, as far as they name one; 0: none does. */
struct mpu_unexpected {
    struct mpu_arrival *first, **end;
    uint16_t mark;
};
#define MPU_MATCH_SEVERAL MPU_MARK_ELEMENT /* ... they name several */

struct mpu_lists {
    struct mpu_posted posted;
    struct mpu_unexpected unexpected;
};

struct mpu_match {
    struct mpu_lists *lists; /* mask + 1; at first `one` */
    uint16_t mask;
    uint16_t mark;  /* the operation that unexpected messages name, as in a list */
    uint32_t limit; /* entries of one kind; more ask for more lists */
    uint64_t order; /* of the next one that is queued */
    struct mpu_posted wild;
    uint64_t compared;              /* envelopes compared so far */
    uint32_t posted;                /* receives now */
    uint32_t came;                  /* messages so far that were not as expected: mpu_came */
    uint32_t waiting, waiting_most; /* unexpected messages now, and most so far */
    struct mpu_lists one;
};

/* m stays where it is. */
void mpu_match_init(struct mpu_match *m);

/* The oldest posted receive that takes a message of this envelope, removed from its queue; NULL:
 * none. _quickly is the same, inline where it is the first of its list. */
struct mpu_request *mpu_match_posted(struct mpu_match *m, uint32_t context, uint32_t source,
                                     int tag);
static inline struct mpu_request *mpu_match_quickly(struct mpu_match *m, uint32_t context,
                                                    uint32_t source, int tag);

/* The receive that it would return for this header; it stays where it is. */
struct mpu_request *mpu_match_peek(struct mpu_match *m, const struct mpu_wire *w);

/* A message that no posted receive takes is now the newest unexpected one. */
void mpu_match_queue(struct mpu_match *m, struct mpu_arrival *a);

/* A receive is asked for: returns the oldest unexpected message that it takes, removed; or NULL,
 * and the receive is now the newest posted one. */
static inline struct mpu_arrival *mpu_match_receive(struct mpu_match *m, struct mpu_request *q);

/* The message that it would return, removed if `take`; NULL: none. The receive is not posted. */
struct mpu_arrival *mpu_match_unexpected(struct mpu_match *m, const struct mpu_request *q,
                                         bool take);

/* The oldest unexpected message that a receive of `context`, source and tag (or MPU_ANY) would
 * take; NULL: none. With `take` it is removed, and no later receive finds it. */
struct mpu_arrival *mpu_match_probe(struct mpu_match *m, uint32_t context, int source, int tag,
                                    bool take);

/* An unexpected message with fits(it, arg) in one of so many lists from `first` on; NULL: none.
 * mark: an operation's; lists in which all name it, or none, are passed over; 0: none is. */
struct mpu_arrival *mpu_match_find(const struct mpu_match *m, uint32_t first, uint32_t lists,
                                   unsigned int mark,
                                   bool (*fits)(const struct mpu_arrival *a, const void *arg),
                                   const void *arg);
#define MPU_MATCH_LISTS UINT32_MAX /* all that there are */

/* Takes an unexpected message out; false: it is not there. Looks at no message that is not. */
bool mpu_match_remove(struct mpu_match *m, const struct mpu_arrival *a);

/* The posted receive with the lowest number from `order` on; NULL: none. */
struct mpu_request *mpu_match_since(const struct mpu_match *m, uint64_t order);

/* Whether a posted receive has room for more than `above` bytes. Looks at a few only: where there
 * are more lists than one, it is true if any is posted. */
bool mpu_match_awaits(const struct mpu_match *m, uint64_t above);

/* Takes a posted receive back; false: it is not in the queue. */
bool mpu_match_cancel(struct mpu_match *m, struct mpu_request *q);

/* Whether the lists are long enough for more of them. */
static inline bool mpu_match_crowded(const struct mpu_match *m)
{
    return m->posted > m->limit || m->waiting > m->limit;
}

/* Bytes of memory for them. _grow takes it, aligned to pointers, and returns what it replaces, to
 * be freed (NULL: nothing); NULL: there is no memory, and the lists stay as they are for good. */
size_t mpu_match_bytes(const struct mpu_match *m);
void *mpu_match_grow(struct mpu_match *m, void *memory);

/* The first of the MPU_MATCH_BESIDE lists of an operation; it may be counted beyond the last. */
#define MPU_MATCH_BESIDE 16
static inline uint32_t mpu_match_operation(uint32_t context, uint32_t number)
{
    return 3 * context + MPU_MATCH_BESIDE * number;
}

/* Neighbouring sources and tags are in different lists. */
static inline struct mpu_lists *mpu_match_lists(const struct mpu_match *m, uint32_t context,
                                                uint32_t source, int tag)
{
    uint32_t at = source + 7 * (uint32_t)tag;
    if (context % MPU_CONTEXTS == MPU_CONTEXT_PROGRAM)
        at += 3 * context;
    else
        at = at % MPU_MATCH_BESIDE + mpu_match_operation(context, mpu_operation_of(tag));
    return &m->lists[at & m->mask];
}

static inline void mpu_match_append(struct mpu_match *m, struct mpu_posted *l,
                                    struct mpu_request *q)
{
    q->order = m->order++;
    mpu_queue(&l->end, q);
    m->posted++;
}

static inline bool mpu_match_wild(const struct mpu_request *q)
{
    return q->source == MPU_ANY || q->tag == MPU_ANY;
}

/* Where a receive is posted. */
static inline struct mpu_posted *mpu_match_list(struct mpu_match *m, const struct mpu_request *q)
{
    return mpu_match_wild(q) ? &m->wild
                             : &mpu_match_lists(m, q->context, (uint32_t)q->source, q->tag)->posted;
}

static inline struct mpu_arrival *mpu_match_receive(struct mpu_match *m, struct mpu_request *q)
{
    struct mpu_arrival *a = m->waiting == 0 ? NULL : mpu_match_unexpected(m, q, true);
    if (!a)
        mpu_match_append(m, mpu_match_list(m, q), q);
    return a;
}

/* Takes a receive out of a list, where `at` links to it. */
static inline struct mpu_request *mpu_match_take(struct mpu_match *m, struct mpu_posted *l,
                                                 struct mpu_request **at)
{
    struct mpu_request *q = mpu_unqueue(at, &l->end);
    b_assert(m->posted > 0 && q->order < m->order);
    q->next = NULL;
    q->order = 0; /* from now on it is q->moved */
    m->posted--;
    return q;
}

static inline struct mpu_request *mpu_match_quickly(struct mpu_match *m, uint32_t context,
                                                    uint32_t source, int tag)
{
    struct mpu_posted *l = &mpu_match_lists(m, context, source, tag)->posted;
    const struct mpu_request *q = l->first;
    if (!q || m->wild.first || q->context != context || q->source != (int)source || q->tag != tag)
        return mpu_match_posted(m, context, source, tag);
    m->compared++;
    return mpu_match_take(m, l, &l->first);
}

#endif
