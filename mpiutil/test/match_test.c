/* SPDX-License-Identifier: MIT */
/* Matching against a reference model, exhaustively in a small world: every sequence of LENGTH
 * events out of all arrivals and receives over few sources, tags (wildcards included) and
 * contexts; with one list, with many, and with more of them from the middle of the sequence on. */
#include <string.h>

#include <test/check.h>

#include "match/match.h"

#define LENGTH_MAX 6

struct event {
    bool arrival;
    int source, tag, context;
};

struct world {
    int sources, tags, contexts, length;
};

static int kinds(const struct world *w)
{
    return w->contexts * (w->sources * w->tags + (w->sources + 1) * (w->tags + 1));
}

static struct event event_of(const struct world *w, int code)
{
    struct event e = {.context = code % w->contexts};
    code /= w->contexts;
    e.arrival = code < w->sources * w->tags;
    if (e.arrival) {
        e.source = code % w->sources;
        e.tag = code / w->sources;
        return e;
    }
    code -= w->sources * w->tags;
    e.source = code % (w->sources + 1) - 1; /* MPU_ANY is -1 */
    e.tag = code / (w->sources + 1) - 1;
    return e;
}

static bool fits(const struct event *a, const struct event *b)
{
    const struct event *arrival = a->arrival ? a : b, *receive = a->arrival ? b : a;
    return a->arrival != b->arrival && a->context == b->context &&
           (receive->source == MPU_ANY || receive->source == arrival->source) &&
           (receive->tag == MPU_ANY || receive->tag == arrival->tag);
}

/* The standard: an event is matched with the earliest one still alone that fits. */
static void model(const struct event *e, int n, int *partner)
{
    for (int i = 0; i < n; i++) {
        partner[i] = -1;
        for (int j = 0; j < i && partner[i] < 0; j++)
            if (partner[j] < 0 && fits(&e[i], &e[j])) {
                partner[i] = j;
                partner[j] = i;
            }
    }
}

static struct mpu_request *arrive(struct mpu_match *m, struct mpu_arrival *a)
{
    struct mpu_request *q = mpu_match_quickly(m, a->wire.context, a->wire.source, a->wire.tag);
    if (!q)
        mpu_match_queue(m, a);
    return q;
}

#define MORE 8 /* lists after the first time that there are more */

/* More lists before event `grows`. */
static void run(const struct event *e, int n, int grows, int *partner)
{
    struct mpu_match m;
    static struct mpu_lists lists[MORE];
    static struct mpu_arrival arrival[LENGTH_MAX];
    static struct mpu_request request[LENGTH_MAX];
    mpu_match_init(&m);
    for (int i = 0; i < n; i++) {
        partner[i] = -1;
        if (i == grows)
            CHECK(!mpu_match_grow(&m, lists));
        if (e[i].arrival) {
            arrival[i] = (struct mpu_arrival){.wire = {.context = (uint32_t)e[i].context,
                                                       .source = (uint32_t)e[i].source,
                                                       .tag = e[i].tag}};
            struct mpu_request *q = arrive(&m, &arrival[i]);
            if (q)
                partner[i] = (int)(q - request);
        } else {
            memset(&request[i], 0, sizeof request[i]);
            request[i].context = (uint32_t)e[i].context;
            request[i].source = e[i].source;
            request[i].tag = e[i].tag;
            struct mpu_arrival *seen =
                mpu_match_probe(&m, request[i].context, request[i].source, request[i].tag, false);
            struct mpu_arrival *a = mpu_match_receive(&m, &request[i]);
            CHECK(a == seen);
            if (a)
                partner[i] = (int)(a - arrival);
        }
        if (partner[i] >= 0)
            partner[partner[i]] = i;
    }
}

static void every_sequence(const struct world *w, int grows)
{
    long total = 1;
    for (int i = 0; i < w->length; i++)
        total *= kinds(w);
    for (long code = 0; code < total; code++) {
        struct event e[LENGTH_MAX];
        long rest = code;
        for (int i = 0; i < w->length; i++, rest /= kinds(w))
            e[i] = event_of(w, (int)(rest % kinds(w)));
        int want[LENGTH_MAX], got[LENGTH_MAX];
        model(e, w->length, want);
        run(e, w->length, grows, got);
        for (int i = 0; i < w->length; i++)
            if (want[i] != got[i]) {
                fprintf(stderr, "sequence %ld, event %d: matched %d, should be %d\n", code, i,
                        got[i], want[i]);
                exit(1);
            }
    }
    printf("%ld sequences of %d events agree with the model, more lists before event %d\n", total,
           w->length, grows);
}

/* Growing, as often as it is asked for: nothing is lost, the order of what has one envelope stays,
 * and there are few comparisons; without memory it is not asked again. */
static void many(int n, bool memory)
{
    struct mpu_match m;
    struct mpu_request *q = calloc((size_t)n, sizeof *q), wild = {.source = MPU_ANY};
    struct mpu_arrival *a = calloc((size_t)n, sizeof *a);
    mpu_match_init(&m);
    for (int i = 0; i < n; i++) {
        q[i].source = (int)(a[i].wire.source = (uint32_t)(i / 2));
        CHECK(!mpu_match_receive(&m, &q[i]));
        if (mpu_match_crowded(&m))
            free(mpu_match_grow(&m, memory ? malloc(mpu_match_bytes(&m)) : NULL));
        CHECK(!mpu_match_crowded(&m));
    }
    for (int i = n - 2; i >= 0; i -= 2) /* the source that was asked for last comes first */
        CHECK(arrive(&m, &a[i]) == &q[i] && arrive(&m, &a[i + 1]) == &q[i + 1]);
    CHECK((m.compared < (uint64_t)n * 16) == memory);
    for (int i = 0; i < n; i++)
        CHECK(!arrive(&m, &a[i]));
    CHECK_EQ(m.waiting, n);
    CHECK(mpu_match_receive(&m, &wild) == &a[0]);
    for (int i = n - 1; i > 0; i--) {
        int first = i % 2 ? i - 1 : i; /* of the two with this source */
        CHECK(mpu_match_probe(&m, 0, i / 2, 0, false) == &a[first == 0 ? 1 : first]);
        CHECK(mpu_match_remove(&m, &a[i]));
        CHECK(!mpu_match_remove(&m, &a[i]));
    }
    CHECK_EQ(m.waiting, 0);
    if (m.lists != &m.one)
        free(m.lists);
    free(a);
    free(q);
}

/* What is taken out leaves the order of the others as it was, at both ends of the queues too. */
static void take_out(int which)
{
    struct mpu_match m;
    struct mpu_request q[3] = {{0}};
    struct mpu_arrival a[3] = {{0}};
    mpu_match_init(&m);
    for (int i = 0; i < 3; i++)
        CHECK(!mpu_match_receive(&m, &q[i]));
    CHECK(mpu_match_cancel(&m, &q[which]));
    CHECK(!mpu_match_cancel(&m, &q[which]));
    for (int i = 0; i < 3; i++)
        if (i != which)
            CHECK(arrive(&m, &a[i]) == &q[i]);
    for (int i = 0; i < 3; i++)
        CHECK(!arrive(&m, &a[i]));
    CHECK(mpu_match_remove(&m, &a[which]));
    CHECK(!mpu_match_remove(&m, &a[which]));
    for (int i = 0; i < 3; i++)
        if (i != which)
            CHECK(mpu_match_receive(&m, &q[i]) == &a[i]);
    CHECK(!mpu_match_probe(&m, 0, 0, 0, true));
}

/* Messages of collective operations: of one, whatever their source and tag, all are found, and
 * few others are looked at. */
struct look {
    uint32_t number;
    int found, seen;
};

static bool is_of(const struct mpu_arrival *a, const void *arg)
{
    struct look *l = (struct look *)(uintptr_t)arg;
    l->seen++;
    l->found += mpu_operation_of(a->wire.tag) == l->number;
    return false;
}

static void operations(int numbers, int of_each)
{
    struct mpu_match m;
    int n = numbers * of_each;
    struct mpu_arrival *a = calloc((size_t)n, sizeof *a);
    mpu_match_init(&m);
    for (int i = 0; i < n; i++) {
        a[i].wire.context = 1;
        a[i].wire.source = (uint32_t)(i % of_each);
        a[i].wire.tag = i / of_each * MPU_OPERATION_TAGS + i % 3;
        CHECK(!arrive(&m, &a[i]));
        if (mpu_match_crowded(&m))
            free(mpu_match_grow(&m, malloc(mpu_match_bytes(&m))));
    }
    for (uint32_t k = 0; k <= (uint32_t)numbers; k++) {
        struct look l = {.number = k};
        CHECK(!mpu_match_find(&m, mpu_match_operation(1, k), MPU_MATCH_BESIDE, 0, is_of, &l));
        CHECK_EQ(l.found, k < (uint32_t)numbers ? of_each : 0);
        CHECK(numbers < 64 || l.seen <= (numbers / 32 + 1) * of_each); /* of 512 lists 16 */
    }
    for (int i = n - 1; i >= 0; i--)
        CHECK(mpu_match_probe(&m, 1, (int)a[i].wire.source, a[i].wire.tag, true) == &a[i]);
    if (m.lists != &m.one)
        free(m.lists);
    free(a);
}

static uint16_t mark_of(unsigned int operation)
{
    return (uint16_t)(operation << MPU_MARK_OPERATION_SHIFT);
}

static bool differs(const struct mpu_arrival *a, const void *mark)
{
    return mpu_marks_differ_in(a->wire.mark, *(const uint16_t *)mark, ~MPU_MARK_ELEMENT);
}

static struct mpu_arrival *find_other(const struct mpu_match *m, unsigned int operation)
{
    const uint16_t mark = mark_of(operation);
    return mpu_match_find(m, 0, MPU_MATCH_LISTS, mark, differs, &mark);
}

/* Messages of other operations than the one that is asked for are found among those of it and those
 * that name none, whatever was taken out meanwhile. */
static void others(void)
{
    static const unsigned int operation[] = {0, 7, 7, 0, 9, 7};
    enum { N = sizeof operation / sizeof operation[0] };
    struct mpu_match m;
    struct mpu_arrival a[N] = {{0}};
    mpu_match_init(&m);
    for (int i = 0; i < N; i++) {
        a[i].wire.context = 1;
        a[i].wire.source = (uint32_t)i;
        a[i].wire.mark = mark_of(operation[i]) | (uint16_t)i; /* elements do not matter */
        CHECK(!arrive(&m, &a[i]));
        CHECK(find_other(&m, 7) == (i < 4 ? NULL : &a[4]));
        CHECK(find_other(&m, 9) == (i < 1 ? NULL : &a[1]));
    }
    for (int i = 0; i < N; i++) {
        CHECK(mpu_match_probe(&m, 1, i, 0, true) == &a[i]);
        CHECK(find_other(&m, 7) == (i < 4 ? &a[4] : NULL));
        CHECK(find_other(&m, 8) == (i < 1   ? &a[1]
                                    : i < 2 ? &a[2]
                                    : i < 4 ? &a[4]
                                    : i < 5 ? &a[5]
                                            : NULL));
    }
    a[4].next = NULL;
    CHECK(!arrive(&m, &a[4])); /* the only one now: what was in the list does not count */
    CHECK(!find_other(&m, 9) && find_other(&m, 7) == &a[4]);
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        take_out(i);
    others();
    operations(1, 5);
    operations(3, 11);
    operations(500, 7);

    many(700, true);
    many(700, false);
    for (int grows = -1; grows <= 3; grows += grows < 0 ? 1 : 3) {
        every_sequence(&(struct world){.sources = 2, .tags = 1, .contexts = 1, .length = 6}, grows);
        every_sequence(&(struct world){.sources = 2, .tags = 2, .contexts = 1, .length = 5}, grows);
        every_sequence(&(struct world){.sources = 2, .tags = 1, .contexts = 2, .length = 4}, grows);
    }
    return 0;
}
