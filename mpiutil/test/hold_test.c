/* SPDX-License-Identifier: MIT */
/* Held sends: with a window of two announcements at a receiver, any number of sends completes in
 * whatever order they are taken, and nothing is left of what was held, wanted or asked. */
#include <string.h>

#include "fake.h"

#define SENDERS  2
#define EACH     12 /* sends of a rank */
#define ALL      (SENDERS * EACH)
#define RECEIVER SENDERS
#define BYTES    400

enum how { FORWARD, REVERSE, RANDOM, WILD, HOWS };

static struct mpu_request send[SENDERS][EACH], receive[ALL];
static uint8_t data[SENDERS][EACH][BYTES], got[ALL][BYTES];
static int most; /* announcements of a rank that were there at once */

static bool of_sender(const struct mpu_arrival *a, const void *arg)
{
    int *n = (int *)(uintptr_t)arg;
    n[1] += a->wire.from == (uint32_t)n[0] && a->wire.kind == MPU_RTS;
    return false;
}

/* What the window bounds is seen where it matters: at the receiver and on the way there. */
static void step(void)
{
    fake_some();
    for (int from = 0; from < SENDERS; from++) {
        int n[2] = {from, fake_under_way(from, RECEIVER, MPU_RTS)};
        mpu_match_find(&fake_rank(RECEIVER)->match, 0, MPU_MATCH_LISTS, 0, of_sender, n);
        most = n[1] > most ? n[1] : most;
    }
}

static void start_sends(void)
{
    for (int k = 0; k < ALL; k++) {
        int from = k % SENDERS, i = k / SENDERS;
        memset(data[from][i], k, BYTES);
        mpu_send_start(fake_rank(from), &send[from][i], fake_comm(from), RECEIVER, i, data[from][i],
                       BYTES);
        step();
    }
}

/* Which send receive k names, as from * EACH + tag. */
static void choose(enum how how, int *named)
{
    for (int k = 0; k < ALL; k++)
        named[k] = how == REVERSE ? ALL - 1 - k : k;
    for (int k = ALL - 1; how == RANDOM && k > 0; k--) {
        int other = (int)fake_random((uint32_t)k + 1), kept = named[k];
        named[k] = named[other];
        named[other] = kept;
    }
}

static void start_receive(enum how how, int k, int named)
{
    int from = named / EACH, tag = named % EACH;
    if (how == WILD) {
        from = fake_random(2) ? MPU_ANY : from;
        tag = MPU_ANY;
    }
    mpu_recv_start(fake_rank(RECEIVER), &receive[k], fake_comm(RECEIVER), from, tag, got[k], BYTES);
}

/* One receive after the other, or all at once; some receives are taken back before they match. */
static void run(const struct fake_shape *shape, enum how how, bool in_turn, uint32_t seed)
{
    int named[ALL], count[ALL] = {0};
    fake_begin(shape, seed);
    choose(how, named);
    bool late = fake_random(2);
    if (late)
        start_sends();
    for (int k = 0; k < ALL; k++) {
        start_receive(how, k, named[k]);
        step();
        if (late && in_turn) {
            if (fake_random(4) == 0 && mpu_recv_cancel(&receive[k])) {
                step();
                start_receive(how, k, named[k]);
            }
            if (how != WILD) {
                fake_settle();
                CHECK_SEED(mpu_done(&receive[k]));
            }
        }
    }
    if (!late)
        start_sends();
    fake_settle();
    if (how == WILD) /* those of one rank that were named may be more than it sends */
        for (int k = 0; k < ALL; k++)
            if (mpu_recv_cancel(&receive[k])) {
                mpu_recv_start(fake_rank(RECEIVER), &receive[k], fake_comm(RECEIVER), MPU_ANY,
                               MPU_ANY, got[k], BYTES);
                fake_settle();
            }
    for (int k = 0; k < ALL; k++) {
        CHECK_SEED(mpu_done(&receive[k]) && receive[k].error == 0 && receive[k].count == BYTES);
        int it = receive[k].source * EACH + receive[k].tag;
        CHECK_SEED(how == WILD || it == named[k]);
        CHECK_SEED(!memcmp(got[k], data[receive[k].source][receive[k].tag], BYTES));
        CHECK_SEED(mpu_done(&send[receive[k].source][receive[k].tag]) && !count[it]++);
    }
    CHECK_SEED(most <= shape->announce);
    most = 0;
    fake_check_quiet();
    fake_end();
}

/* Who probes gets all that is held, in its order: the oldest first. */
static void probed(const struct fake_shape *shape, uint32_t seed)
{
    fake_begin(shape, seed);
    struct mpu_rank *r = fake_rank(RECEIVER);
    const struct mpu_comm *c = fake_comm(RECEIVER);
    start_sends();
    fake_settle();
    for (int from = 0; from < SENDERS; from++)
        CHECK_SEED(!mpu_probe(r, c, from, EACH - 1, false));
    fake_settle();
    for (int k = 0; k < ALL; k++) {
        struct mpu_arrival *a = mpu_probe(r, c, k / EACH, MPU_ANY, true);
        CHECK_SEED(a && a->wire.tag == k % EACH);
        mpu_recv_taken(r, &receive[k], a, got[k], BYTES);
    }
    fake_settle();
    for (int k = 0; k < ALL; k++)
        CHECK_SEED(mpu_done(&receive[k]) && !memcmp(got[k], data[k / EACH][k % EACH], BYTES));
    most = 0;
    fake_check_quiet();
    fake_end();
}

/* Receives that were asked for and taken back: the sender remembers what was wanted until that is
 * too much, forgets all, and is asked again. What it finds for a later receive meanwhile is the
 * earlier one's, which it has forgotten. */
static void forgotten(const struct fake_shape *shape, uint32_t seed)
{
    enum { FIRST_TAG = 50, GONE_TAG = 100 };
    memset(data[1][0], 1, BYTES);
    memset(data[1][1], 2, BYTES);
    struct mpu_request first, second, gone, sent[4];
    fake_begin(shape, seed);
    struct mpu_rank *r = fake_rank(RECEIVER), *s = fake_rank(0);
    for (int i = 0; i < 2; i++)
        mpu_send_sync_start(s, &sent[i], fake_other(0), RECEIVER, 0, data[0][0], BYTES);
    fake_settle();
    mpu_recv_start(r, &first, fake_comm(RECEIVER), 0, FIRST_TAG, got[0], BYTES);
    for (int i = 50 + (int)fake_random(30); i > 0; i--) {
        mpu_recv_start(r, &gone, fake_comm(RECEIVER), 0, GONE_TAG, NULL, 0);
        fake_some();
        CHECK_SEED(mpu_recv_cancel(&gone));
    }
    mpu_recv_start(r, &second, fake_comm(RECEIVER), MPU_ANY, MPU_ANY, got[1], BYTES);
    fake_some();
    for (int i = 2; i < 4; i++) {
        mpu_send_sync_start(s, &sent[i], fake_comm(0), RECEIVER, FIRST_TAG, data[1][i - 2], BYTES);
        fake_some();
    }
    fake_settle();
    CHECK_SEED(mpu_done(&first) && got[0][0] == 1 && mpu_done(&second) && got[1][0] == 2);
    for (int i = 0; i < 2; i++)
        mpu_recv_start(r, &receive[i], fake_other(RECEIVER), 0, 0, got[i], BYTES);
    fake_settle();
    for (int i = 0; i < 4; i++)
        CHECK_SEED(mpu_done(&sent[i]));
    fake_check_quiet();
    fake_end();
}

int main(void)
{
    const struct fake_shape by_fake = {
        .ranks = SENDERS + 1, .announce = 2, .window = 4, .eager = 96, .outbox = 1};
    const struct fake_shape by_memory = {.ranks = SENDERS + 1,
                                         .board = 1 << 19,
                                         .lane = 1024,
                                         .announce = 2,
                                         .window = 4,
                                         .eager = 96};
    for (uint32_t seed = 1; seed <= 500; seed++) {
        for (enum how how = 0; how < HOWS; how++) {
            struct fake_shape s = by_fake;
            s.outbox = 1 + (int)(seed % 4);
            run(&s, how, seed % 3 == 0, seed);
            run(&by_memory, how, seed % 3 == 0, seed);
        }
        probed(&by_fake, seed);
        probed(&by_memory, seed);
        forgotten(&by_fake, seed);
    }
    return 0;
}
