/* SPDX-License-Identifier: MIT */
/* The order of messages: two ranks send to a third, which receives with and without wildcards, in
 * all protocols between clusters, over the fake transport and over shared memory. What matched what
 * is compared with what the standard allows (MPI 5.0, 3.5): messages of one sender do not overtake
 * each other, nor do receives, and nothing that fits is left alone. */
#include <string.h>

#include "fake.h"

#define SENDERS  2
#define EACH     8 /* messages of a sender */
#define ALL      (SENDERS * EACH)
#define RECEIVER SENDERS
#define LONGEST  1000

struct message {
    struct mpu_request q;
    int from, number, tag, context; /* number: in the order of its sender */
    uint64_t size;
    uint8_t data[LONGEST];
};

struct receive {
    struct mpu_request q;
    int from, tag, context;
    struct message *got; /* NULL: none */
    uint8_t data[LONGEST];
};

static struct message message[SENDERS][EACH];
static struct receive receive[ALL]; /* in the order in which they were posted */
static int posted;

static void send(int from, int number)
{
    static const uint64_t sizes[] = {4, 24, 96, 97, 150, 200, 600, LONGEST};
    struct message *m = &message[from][number];
    *m = (struct message){.from = from,
                          .number = number,
                          .tag = (int)fake_random(2),
                          .context = (int)fake_random(8) == 0,
                          .size = sizes[fake_random(8)]};
    memset(m->data, 16 * from + number, m->size);
    const struct mpu_comm *c = m->context ? fake_other(from) : fake_comm(from);
    if (fake_random(4) == 0)
        mpu_send_sync_start(fake_rank(from), &m->q, c, RECEIVER, m->tag, m->data, m->size);
    else
        mpu_send_start(fake_rank(from), &m->q, c, RECEIVER, m->tag, m->data, m->size);
}

static void post(void)
{
    struct receive *r = &receive[posted++];
    *r = (struct receive){.from = (int)fake_random(SENDERS + 1) - 1,
                          .tag = (int)fake_random(3) - 1,
                          .context = (int)fake_random(8) == 0};
    mpu_recv_start(fake_rank(RECEIVER), &r->q,
                   r->context ? fake_other(RECEIVER) : fake_comm(RECEIVER), r->from, r->tag,
                   r->data, LONGEST);
}

static bool fits(const struct receive *r, const struct message *m)
{
    return r->context == m->context && (r->from == MPU_ANY || r->from == m->from) &&
           (r->tag == MPU_ANY || r->tag == m->tag);
}

/* Which message a receive got: its bytes tell. */
static struct message *found(struct receive *r)
{
    if (!mpu_done(&r->q))
        return NULL;
    struct message *m = &message[r->data[0] / 16][r->data[0] % 16];
    CHECK_SEED(r->q.error == 0 && r->q.count == m->size && fits(r, m));
    CHECK_SEED(r->q.source == m->from && r->q.tag == m->tag);
    CHECK_SEED(memcmp(r->data, m->data, m->size) == 0);
    return m;
}

/* The place among the receives of the one that got this message; `posted`: none. */
static int taker(const struct message *m)
{
    int i = 0;
    while (i < posted && receive[i].got != m)
        i++;
    return i;
}

/* Receive i got m: what it may not have overtaken. */
static void check_match(int i, const struct message *m)
{
    for (int k = 0; k < m->number; k++) {
        struct message *before = &message[m->from][k];
        CHECK_SEED(!fits(&receive[i], before) || taker(before) < i);
    }
    for (int k = 0; k < i; k++)
        CHECK_SEED(!fits(&receive[k], m) || receive[k].got);
    CHECK_SEED(taker(m) == i && mpu_done(&message[m->from][m->number].q));
}

static void check_all(void)
{
    for (int i = 0; i < posted; i++)
        receive[i].got = found(&receive[i]);
    for (int i = 0; i < posted; i++) {
        if (receive[i].got)
            check_match(i, receive[i].got);
        for (int k = 0; k < ALL && !receive[i].got; k++) {
            struct message *m = &message[k / EACH][k % EACH];
            CHECK_SEED(!fits(&receive[i], m) || taker(m) < posted);
        }
    }
}

/* Takes what is left, so that the world can end. */
static void clean(void)
{
    static uint8_t data[LONGEST];
    for (int i = 0; i < posted; i++)
        if (!receive[i].got)
            CHECK_SEED(mpu_recv_cancel(&receive[i].q));
    for (int k = 0; k < ALL; k++) {
        struct message *m = &message[k / EACH][k % EACH];
        struct mpu_request q;
        if (taker(m) < posted)
            continue;
        mpu_recv_start(fake_rank(RECEIVER), &q,
                       m->context ? fake_other(RECEIVER) : fake_comm(RECEIVER), m->from, m->tag,
                       data, LONGEST);
        fake_settle();
        CHECK_SEED(mpu_done(&q) && q.count == m->size && data[0] == m->data[0]);
    }
    fake_check_quiet();
}

static void run(const struct fake_shape *shape, uint32_t seed)
{
    int sent[SENDERS] = {0};
    fake_begin(shape, seed);
    posted = 0;
    uint32_t eager = fake_random(3), bias = 1 + fake_random(5); /* who comes first */
    while (sent[0] + sent[1] < ALL || posted < ALL) {
        int from = (int)fake_random(SENDERS);
        if (fake_random(6) >= bias && posted < ALL)
            post();
        else if (sent[from] < EACH)
            send(from, sent[from]), sent[from]++;
        else if (posted < ALL && sent[1 - from] == EACH)
            post();
        for (uint32_t i = 0; i < eager; i++)
            fake_some();
    }
    fake_settle();
    check_all();
    clean();
    fake_end();
}

int main(void)
{
    for (uint32_t seed = 1; seed <= 3000; seed++) {
        int some = 1 + (int)(seed % 4);
        run(&(struct fake_shape){.ranks = 3,
                                 .outbox = some,
                                 .window = 1 + some,
                                 .announce = 2 + (int)(seed % 3),
                                 .eager = 96,
                                 .split = 192,
                                 .lazy = seed % 2 ? 600 : 0,
                                 .lazy_bytes = 4096},
            seed);
        run(&(struct fake_shape){.ranks = 3,
                                 .board = 1 << 19,
                                 .lane = 1024,
                                 .window = 1 + some,
                                 .announce = 2 + (int)(seed % 3),
                                 .eager = 300},
            seed);
    }
    return 0;
}
