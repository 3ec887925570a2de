/* SPDX-License-Identifier: MIT */
/* Matching against a reference model, exhaustively in a small world: every sequence of LENGTH
 * events out of all arrivals and receives over few sources, tags (wildcards included) and
 * contexts. */
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

static void run(const struct event *e, int n, int *partner)
{
    struct mpu_match m;
    static struct mpu_arrival arrival[LENGTH_MAX];
    static struct mpu_request request[LENGTH_MAX];
    mpu_match_init(&m);
    for (int i = 0; i < n; i++) {
        partner[i] = -1;
        if (e[i].arrival) {
            arrival[i] = (struct mpu_arrival){.wire = {.context = (uint32_t)e[i].context,
                                                       .source = (uint32_t)e[i].source,
                                                       .tag = e[i].tag}};
            struct mpu_request *q = mpu_match_arrival(&m, &arrival[i]);
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

static void every_sequence(const struct world *w)
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
        run(e, w->length, got);
        for (int i = 0; i < w->length; i++)
            if (want[i] != got[i]) {
                fprintf(stderr, "sequence %ld, event %d: matched %d, should be %d\n", code, i,
                        got[i], want[i]);
                exit(1);
            }
    }
    printf("%ld sequences of %d events agree with the model\n", total, w->length);
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
            CHECK(mpu_match_arrival(&m, &a[i]) == &q[i]);
    for (int i = 0; i < 3; i++)
        CHECK(!mpu_match_arrival(&m, &a[i]));
    CHECK(mpu_match_remove(&m, &a[which]));
    CHECK(!mpu_match_remove(&m, &a[which]));
    for (int i = 0; i < 3; i++)
        if (i != which)
            CHECK(mpu_match_receive(&m, &q[i]) == &a[i]);
    CHECK(!mpu_match_probe(&m, 0, 0, 0, true));
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        take_out(i);

    every_sequence(&(struct world){.sources = 2, .tags = 1, .contexts = 1, .length = 6});
    every_sequence(&(struct world){.sources = 2, .tags = 2, .contexts = 1, .length = 5});
    every_sequence(&(struct world){.sources = 2, .tags = 1, .contexts = 2, .length = 4});
    return 0;
}
