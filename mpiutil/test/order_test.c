/* SPDX-License-Identifier: MIT */
/* The order of messages: three ranks send to each other, and receive with and without wildcards, in
 * all protocols between clusters, over the fake transport and over shared memory. What matched what
 * is compared with what the standard allows (MPI 5.0, 3.5): messages of one sender do not overtake
 * each other, nor do receives, and nothing that fits is left alone. */
#include <string.h>

#include "fake.h"

#define RANKS   3
#define EACH    12 /* messages of a rank */
#define ALL     (RANKS * EACH)
#define LONGEST 1000

struct message {
    struct mpu_request q;
    int from, to, number, tag, context; /* number: in the order of its sender */
    uint64_t size;
    uint8_t data[LONGEST];
};

struct receive {
    struct mpu_request q;
    int at, from, tag, context;
    struct message *got; /* NULL: none */
    uint8_t data[LONGEST];
};

static struct message message[RANKS][EACH];
static struct receive receive[ALL]; /* in the order in which they were posted */
static int posted;
static bool crowded;

static const struct mpu_comm *comm(int rank, int context)
{
    return context ? fake_other(rank) : fake_comm(rank);
}

/* Whom a rank sends to next: anybody else, or all of them mostly the last one. */
static int whom(int from)
{
    if (crowded)
        return from == RANKS - 1 ? 0 : RANKS - 1;
    return (from + 1 + (int)fake_random(2)) % RANKS;
}

static void send(int from, int number)
{
    static const uint64_t sizes[] = {4, 24, 96, 97, 150, 200, 600, LONGEST};
    struct message *m = &message[from][number];
    *m = (struct message){.from = from,
                          .to = whom(from),
                          .number = number,
                          .tag = (int)fake_random(2),
                          .context = (int)fake_random(8) == 0,
                          .size = sizes[fake_random(8)]};
    memset(m->data, 16 * from + number, m->size);
    const struct mpu_comm *c = comm(from, m->context);
    if (fake_random(4) == 0)
        mpu_send_sync_start(fake_rank(from), &m->q, c, m->to, m->tag, m->data, m->size);
    else
        mpu_send_start(fake_rank(from), &m->q, c, m->to, m->tag, m->data, m->size);
}

static void post(void)
{
    struct receive *r = &receive[posted++];
    int at = whom((int)fake_random(RANKS)), other = (at + 1 + (int)fake_random(2)) % RANKS;
    *r = (struct receive){.at = at,
                          .from = fake_random(3) ? other : MPU_ANY,
                          .tag = (int)fake_random(3) - 1,
                          .context = (int)fake_random(8) == 0};
    mpu_recv_start(fake_rank(at), &r->q, comm(at, r->context), r->from, r->tag, r->data, LONGEST);
}

static bool fits(const struct receive *r, const struct message *m)
{
    return r->at == m->to && r->context == m->context &&
           (r->from == MPU_ANY || r->from == m->from) && (r->tag == MPU_ANY || r->tag == m->tag);
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
        mpu_recv_start(fake_rank(m->to), &q, comm(m->to, m->context), m->from, m->tag, data,
                       LONGEST);
        fake_settle();
        CHECK_SEED(mpu_done(&q) && q.count == m->size && data[0] == m->data[0]);
    }
    fake_check_quiet();
}

static void run(const struct fake_shape *shape, uint32_t seed)
{
    int sent[RANKS] = {0}, all = 0;
    fake_begin(shape, seed);
    posted = 0;
    crowded = fake_random(2);
    uint32_t pace = fake_random(3), bias = 1 + fake_random(5); /* who comes first */
    while (all < ALL || posted < ALL) {
        bool posts = all == ALL || fake_random(6) >= bias;
        int from = (int)fake_random(RANKS);
        if (posts && posted < ALL)
            post();
        else if (sent[from] < EACH)
            send(from, sent[from]++), all++;
        for (uint32_t i = 0; i < pace; i++)
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
        run(&(struct fake_shape){.ranks = RANKS,
                                 .outbox = some,
                                 .window = 1 + some,
                                 .announce = 2 + (int)(seed % 3),
                                 .eager = 96,
                                 .split = 192,
                                 .lazy = seed % 2 ? 600 : 0,
                                 .lazy_bytes = 4096},
            seed);
        run(&(struct fake_shape){.ranks = RANKS,
                                 .board = 1 << 19,
                                 .lane = 1024,
                                 .window = 1 + some,
                                 .announce = 2 + (int)(seed % 3),
                                 .eager = 300},
            seed);
    }
    return 0;
}
