/* SPDX-License-Identifier: MIT */
/* All lists are first in, first out: with arrivals of one sender in order, that is the order the
 * standard asks for. What can be matched from two lists is matched from the one whose entry has the
 * lower number. */
#include <base/assert.h>
#include <stddef.h>

#include "match/match.h"

#define LENGTH    8   /* entries for each list before there are more lists */
#define MORE      8   /* times as many then */
#define LISTS_MAX 512 /* 16 KB; a receive with a wildcard looks at all */
_Static_assert(LISTS_MAX - 1 <= UINT16_MAX, "a mask");

static void lists_init(struct mpu_lists *l, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        l[i] = (struct mpu_lists){0};
        l[i].posted.end = &l[i].posted.first;
        l[i].unexpected.end = &l[i].unexpected.first;
    }
}

void mpu_match_init(struct mpu_match *m)
{
    *m = (struct mpu_match){.lists = &m->one, .limit = LENGTH};
    lists_init(&m->one, 1);
    m->wild.end = &m->wild.first;
}

static inline bool takes(struct mpu_match *m, const struct mpu_request *q, const struct mpu_wire *w)
{
    m->compared++;
    return q->context == w->context && (q->source == MPU_ANY || q->source == (int)w->source) &&
           (q->tag == MPU_ANY || q->tag == w->tag);
}

/* Where the list links to the first receive that takes the envelope, among those before number
 * `before`. */
static struct mpu_request **find_posted(struct mpu_match *m, struct mpu_posted *l,
                                        const struct mpu_wire *w, uint64_t before)
{
    for (struct mpu_request **at = &l->first; *at && (*at)->order < before; at = &(*at)->next)
        if (takes(m, *at, w))
            return at;
    return NULL;
}

/* The one that takes the message, and its list; NULL: none. */
static inline struct mpu_request **find_first(struct mpu_match *m, const struct mpu_wire *w,
                                              struct mpu_posted **list)
{
    *list = &mpu_match_lists(m, w->context, w->source, w->tag)->posted;
    struct mpu_request **at = find_posted(m, *list, w, UINT64_MAX);
    if (m->wild.first) {
        struct mpu_request **other = find_posted(m, &m->wild, w, at ? (*at)->order : UINT64_MAX);
        if (other) {
            b_assert(!at || (*other)->order < (*at)->order);
            *list = &m->wild;
            return other;
        }
    }
    return at;
}

struct mpu_request *mpu_match_posted(struct mpu_match *m, uint32_t context, uint32_t source,
                                     int tag)
{
    const struct mpu_wire w = {.context = context, .source = source, .tag = tag};
    struct mpu_posted *l;
    struct mpu_request **at = m->posted == 0 ? NULL : find_first(m, &w, &l);
    return at ? mpu_match_take(m, l, at) : NULL;
}

__attribute__((cold)) struct mpu_request *mpu_match_peek(struct mpu_match *m,
                                                         const struct mpu_wire *w)
{
    struct mpu_posted *l;
    struct mpu_request **at = find_first(m, w, &l);
    return at ? *at : NULL;
}

/* One more of those that *all is noted of. */
static void note_mark(uint16_t *all, bool alone, const struct mpu_arrival *a)
{
    uint16_t mark = a->wire.mark & (uint16_t)~MPU_MARK_ELEMENT;
    if (alone || !*all)
        *all = mark;
    else if (mark && mark != *all)
        *all = MPU_MATCH_SEVERAL;
}

static inline void append_arrival(struct mpu_match *m, struct mpu_arrival *a)
{
    struct mpu_unexpected *l =
        &mpu_match_lists(m, a->wire.context, a->wire.source, a->wire.tag)->unexpected;
    b_assert(!*l->end);
    a->next = NULL;
    note_mark(&l->mark, !l->first, a);
    note_mark(&m->mark, m->waiting == 0, a);
    *l->end = a;
    l->end = &a->next;
}

void mpu_match_queue(struct mpu_match *m, struct mpu_arrival *a)
{
    a->order = m->order++;
    append_arrival(m, a);
    m->came++;
    if (++m->waiting > m->waiting_most)
        m->waiting_most = m->waiting;
}

static inline struct mpu_arrival **find_unexpected(struct mpu_match *m, struct mpu_unexpected *l,
                                                   const struct mpu_request *q, uint64_t before)
{
    for (struct mpu_arrival **at = &l->first; *at && (*at)->order < before; at = &(*at)->next)
        if (takes(m, q, &(*at)->wire))
            return at;
    return NULL;
}

static struct mpu_arrival *take_unexpected(struct mpu_match *m, struct mpu_unexpected *l,
                                           struct mpu_arrival **at)
{
    b_assert(m->waiting > 0 && *at);
    struct mpu_arrival *a = *at;
    *at = a->next;
    if (!a->next)
        l->end = at;
    a->next = NULL;
    m->waiting--;
    return a;
}

/* The oldest one of all lists that q takes. */
static __attribute__((cold)) struct mpu_arrival **
search(struct mpu_match *m, const struct mpu_request *q, struct mpu_unexpected **list)
{
    struct mpu_arrival **best = NULL;
    for (uint32_t i = 0; i <= m->mask; i++) {
        struct mpu_unexpected *l = &m->lists[i].unexpected;
        struct mpu_arrival **at = find_unexpected(m, l, q, best ? (*best)->order : UINT64_MAX);
        if (at) {
            b_assert(!best || (*at)->order < (*best)->order);
            best = at;
            *list = l;
        }
    }
    return best;
}

struct mpu_arrival *mpu_match_unexpected(struct mpu_match *m, const struct mpu_request *q,
                                         bool take)
{
    struct mpu_unexpected *l =
        &mpu_match_lists(m, q->context, (uint32_t)q->source, q->tag)->unexpected;
    struct mpu_arrival **at =
        mpu_match_wild(q) ? search(m, q, &l) : find_unexpected(m, l, q, UINT64_MAX);
    if (!at)
        return NULL;
    return take ? take_unexpected(m, l, at) : *at;
}

struct mpu_arrival *mpu_match_probe(struct mpu_match *m, uint32_t context, int source, int tag,
                                    bool take)
{
    if (m->waiting == 0)
        return NULL;
    struct mpu_request q; /* all that is looked at: */
    q.context = context;
    q.source = source;
    q.tag = tag;
    return mpu_match_unexpected(m, &q, take);
}

/* Whether all messages of which this was noted name this operation, or none. */
static bool all_name(uint16_t noted, unsigned int mark)
{
    return mark && (!noted || noted == mark);
}

__attribute__((cold)) struct mpu_arrival *
mpu_match_find(const struct mpu_match *m, uint32_t first, uint32_t lists, unsigned int mark,
               bool (*fits)(const struct mpu_arrival *a, const void *arg), const void *arg)
{
    b_assert((mark & MPU_MARK_ELEMENT) == 0);
    if (m->waiting == 0 || all_name(m->mark, mark))
        return NULL;
    for (uint32_t i = 0; i < lists && i <= m->mask; i++) {
        const struct mpu_unexpected *l = &m->lists[(first + i) & m->mask].unexpected;
        for (struct mpu_arrival *a = all_name(l->mark, mark) ? NULL : l->first; a; a = a->next)
            if (fits(a, arg))
                return a;
    }
    return NULL;
}

__attribute__((cold)) bool mpu_match_remove(struct mpu_match *m, const struct mpu_arrival *a)
{
    for (uint32_t i = 0; i <= m->mask; i++) {
        struct mpu_unexpected *l = &m->lists[i].unexpected;
        for (struct mpu_arrival **at = &l->first; *at; at = &(*at)->next)
            if (*at == a) {
                take_unexpected(m, l, at);
                return true;
            }
    }
    return false;
}

static inline struct mpu_request *last_of(const struct mpu_posted *l)
{
    b_assert(l->first);
    return (struct mpu_request *)((uint8_t *)l->end - offsetof(struct mpu_request, next));
}

/* In each list they are in their order. */
static void since(const struct mpu_posted *l, uint64_t order, struct mpu_request **best)
{
    struct mpu_request *q = l->first;
    if (!q || last_of(l)->order < order)
        return;
    while (q && q->order < order)
        q = q->next;
    if (q && (!*best || q->order < (*best)->order))
        *best = q;
}

__attribute__((cold)) struct mpu_request *mpu_match_since(const struct mpu_match *m, uint64_t order)
{
    struct mpu_request *best = NULL;
    for (uint32_t i = 0; i <= m->mask; i++)
        since(&m->lists[i].posted, order, &best);
    since(&m->wild, order, &best);
    return best;
}

static bool longer(const struct mpu_posted *l, uint64_t above)
{
    const struct mpu_request *q = l->first;
    while (q && q->size <= above)
        q = q->next;
    return q != NULL;
}

bool mpu_match_awaits(const struct mpu_match *m, uint64_t above)
{
    if (m->posted == 0 || m->lists != &m->one)
        return m->posted > 0;
    return longer(&m->one.posted, above) || longer(&m->wild, above);
}

__attribute__((cold)) bool mpu_match_cancel(struct mpu_match *m, struct mpu_request *q)
{
    struct mpu_posted *l = mpu_match_list(m, q);
    for (struct mpu_request **at = &l->first; *at; at = &(*at)->next)
        if (*at == q) {
            mpu_match_take(m, l, at);
            return true;
        }
    return false;
}

static uint32_t lists_wanted(const struct mpu_match *m)
{
    return (m->mask + 1u) * MORE;
}

size_t mpu_match_bytes(const struct mpu_match *m)
{
    return lists_wanted(m) * sizeof(struct mpu_lists);
}

/* What is in a new list comes from one old list, so its order stays. */
__attribute__((cold)) void *mpu_match_grow(struct mpu_match *m, void *memory)
{
    struct mpu_lists *old = m->lists;
    uint32_t n = m->mask + 1u, more = lists_wanted(m);
    if (!memory) {
        m->limit = UINT32_MAX;
        return NULL;
    }
    b_assert((more & (more - 1)) == 0 && more > n);
    m->lists = memory;
    m->mask = (uint16_t)(more - 1);
    m->limit = more < LISTS_MAX ? more * LENGTH : UINT32_MAX;
    lists_init(m->lists, more);
    for (uint32_t i = 0; i < n; i++) {
        for (struct mpu_request *q = old[i].posted.first, *next; q; q = next) {
            next = q->next;
            mpu_queue(&mpu_match_list(m, q)->end, q);
        }
        for (struct mpu_arrival *a = old[i].unexpected.first, *next; a; a = next) {
            next = a->next;
            append_arrival(m, a);
        }
    }
    return old == &m->one ? NULL : old;
}
