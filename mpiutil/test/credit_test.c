/* SPDX-License-Identifier: MIT */
/* Credit: a sender is never more than a window of eager messages ahead of the receives of another
 * rank, whatever they are (eager, synchronous, in pieces) and whatever becomes of them; all credit
 * comes back but what is half a window or less, and that is told along with the next message. */
#include "fake.h"

#define WINDOW 4
#define SENDS  24

static bool add(const struct mpu_arrival *a, const void *sum)
{
    *(int *)(uintptr_t)sum += mpu_credit_of(a);
    return false;
}

/* What the window counts: what is under way, and what its receiver keeps as it does not want it. */
static int ahead(int from, int to)
{
    static const enum mpu_kind kinds[] = {MPU_EAGER, MPU_SYNC, MPU_SPLIT, MPU_PIECE};
    int n = 0;
    mpu_match_find(&fake_rank(to)->match, 0, MPU_MATCH_LISTS, 0, add, &n);
    for (int i = 0; i < 4; i++)
        n += fake_under_way(from, to, kinds[i]);
    return n;
}

static void step(void)
{
    CHECK_SEED(ahead(0, 1) <= WINDOW && ahead(1, 0) <= WINDOW);
    fake_some();
    CHECK_SEED(ahead(0, 1) <= WINDOW && ahead(1, 0) <= WINDOW);
}

/* Sends in one direction, all of them eager: credit comes back by messages of its own only, one for
 * each time that more than half of a window is owed. */
static void one_way(uint32_t seed)
{
    static uint8_t data[96], got[96];
    static struct mpu_request send[SENDS], receive[SENDS];
    fake_begin(&(struct fake_shape){.ranks = 2, .window = WINDOW, .eager = 96, .outbox = 64}, seed);
    int sent = 0, received = 0;
    while (sent < SENDS || received < SENDS) {
        bool may = fake_rank(0)->credit.peers[1].window < WINDOW;
        if (sent < SENDS && may && fake_random(2))
            mpu_send_start(fake_rank(0), &send[sent++], fake_comm(0), 1, 0, data, sizeof data);
        else if (received < SENDS)
            mpu_recv_start(fake_rank(1), &receive[received++], fake_comm(1), 0, 0, got, sizeof got);
        step();
    }
    fake_settle();
    for (int i = 0; i < SENDS; i++)
        CHECK_SEED(mpu_done(&send[i]) && mpu_done(&receive[i]) && receive[i].error == 0);
    CHECK_SEED(fake_rank(0)->carried[MPU_PROTO_EAGER].messages == SENDS);
    CHECK_SEED(fake_counted("credit.messages") == SENDS / (WINDOW / 2 + 1));
    CHECK_SEED(fake_rank(1)->credit.peers[0].owed == 0 &&
               fake_rank(0)->credit.peers[1].window == 0);
    fake_check_quiet();
    fake_end();
}

/* A message in two pieces each way, again and again: credit comes back along with the next one. */
static void in_turn(uint32_t seed)
{
    static uint8_t data[192], got[2][192];
    struct mpu_request send[2], receive[2];
    fake_begin(&(struct fake_shape){.ranks = 2, .window = WINDOW, .eager = 96, .split = 192}, seed);
    for (int i = 0; i < SENDS; i++) {
        for (int k = 0; k < 2; k++) {
            mpu_send_start(fake_rank(k), &send[k], fake_comm(k), 1 - k, 0, data, sizeof data);
            mpu_recv_start(fake_rank(k), &receive[k], fake_comm(k), 1 - k, 0, got[k],
                           sizeof got[k]);
        }
        fake_settle();
        for (int k = 0; k < 2; k++)
            CHECK_SEED(mpu_done(&send[k]) && mpu_done(&receive[k]) && receive[k].error == 0);
    }
    for (int k = 0; k < 2; k++)
        CHECK_SEED(fake_rank(k)->carried[MPU_PROTO_SPLIT].messages == SENDS);
    CHECK_SEED(fake_counted("credit.messages") == 0);
    fake_check_quiet();
    fake_end();
}

/* Nobody receives: exactly a window leaves, the rest is announced; then all of it arrives. */
static void nobody_receives(uint32_t seed)
{
    static uint8_t data[8], got[8];
    static struct mpu_request send[SENDS], receive[SENDS];
    fake_begin(&(struct fake_shape){.ranks = 2, .window = WINDOW, .eager = 96}, seed);
    for (int i = 0; i < SENDS; i++) {
        mpu_send_start(fake_rank(0), &send[i], fake_comm(0), 1, i, data, sizeof data);
        step();
    }
    fake_settle();
    CHECK_SEED(fake_rank(0)->carried[MPU_PROTO_EAGER].messages == WINDOW);
    CHECK_SEED(ahead(0, 1) == WINDOW);
    for (int i = 0; i < SENDS; i++)
        CHECK_SEED(mpu_done(&send[i]) == (i < WINDOW));
    for (int i = 0; i < SENDS; i++) {
        mpu_recv_start(fake_rank(1), &receive[i], fake_comm(1), 0, i, got, sizeof got);
        step();
    }
    fake_settle();
    for (int i = 0; i < SENDS; i++)
        CHECK_SEED(mpu_done(&send[i]) && mpu_done(&receive[i]));
    fake_check_quiet();
    fake_end();
}

/* Both ways, all kinds; some are cancelled or forgotten: nothing may be lost, nor given twice. */
static void both_ways(uint32_t seed)
{
    static const uint64_t sizes[] = {0, 8, 96, 97, 192};
    static uint8_t data[192], got[192];
    static struct mpu_request send[2][SENDS], receive[2][SENDS];
    int cancelled[2] = {0};
    fake_begin(&(struct fake_shape){.ranks = 2,
                                    .window = WINDOW,
                                    .eager = 96,
                                    .split = 192,
                                    .outbox = 1 + (int)fake_random(4)},
               seed);
    for (int i = 0; i < 2 * SENDS; i++) {
        int from = i & 1;
        struct mpu_request *q = &send[from][i / 2];
        uint64_t n = sizes[fake_random(5)];
        if (fake_random(3) == 0)
            mpu_send_sync_start(fake_rank(from), q, fake_comm(from), 1 - from, 0, data, n);
        else
            mpu_send_start(fake_rank(from), q, fake_comm(from), 1 - from, 0, data, n);
        if (!mpu_done(q) && fake_random(4) == 0)
            mpu_send_cancel(q);
        step();
    }
    fake_settle();
    for (int i = 0; i < 2 * SENDS; i++) {
        struct mpu_request *q = &send[i & 1][i / 2];
        cancelled[i & 1] += mpu_done(q) && q->cancelled;
    }
    for (int to = 0; to < 2; to++)
        for (int i = 0; i < SENDS - cancelled[1 - to]; i++) {
            mpu_recv_start(fake_rank(to), &receive[to][i], fake_comm(to), MPU_ANY, MPU_ANY, got,
                           sizeof got);
            step();
        }
    fake_settle();
    for (int to = 0; to < 2; to++)
        for (int i = 0; i < SENDS - cancelled[1 - to]; i++)
            CHECK_SEED(mpu_done(&receive[to][i]));
    fake_check_quiet();
    fake_end();
}

/* A receiver that owes several senders enough while it can tell nobody tells all of them once it
 * can, whether or not anything else happens. */
static void several(uint32_t seed)
{
    static uint8_t data[8], got[8];
    static struct mpu_request send[3][WINDOW], receive[3][WINDOW], other[3];
    fake_begin(&(struct fake_shape){.ranks = 4, .window = WINDOW, .eager = 96, .outbox = 3}, seed);
    for (int k = 0; k < 3 * WINDOW; k++)
        mpu_send_start(fake_rank(k % 3), &send[k % 3][k / 3], fake_comm(k % 3), 3, 0, data, 8);
    fake_settle();
    for (int i = 0; i < 3; i++)
        mpu_send_start(fake_rank(3), &other[i], fake_comm(3), i, 0, data, 8);
    CHECK_SEED(fake_rank(3)->outbox.busy);
    for (int k = 0; k < 3 * WINDOW; k++)
        mpu_recv_start(fake_rank(3), &receive[k % 3][k / 3], fake_comm(3), k % 3, 0, got, 8);
    fake_settle();
    for (int i = 0; i < 3; i++) {
        CHECK_SEED(mpu_done(&receive[i][WINDOW - 1]) && fake_rank(i)->credit.peers[3].window == 0);
        mpu_recv_start(fake_rank(i), &receive[i][0], fake_comm(i), 3, 0, got, 8);
    }
    fake_check_quiet();
    fake_end();
}

/* Credit that comes with a message for which the receiver has no memory is taken once, however
 * often the receiver finds the message in its ring. */
static void without_memory(uint32_t seed)
{
    enum { MANY = 300 };
    static uint8_t data[8], got[8];
    static struct mpu_request send[MANY], receive[MANY], there[MANY], back[MANY];
    const struct fake_shape board = {
        .ranks = 2, .board = 1 << 19, .lane = 4096, .window = MANY, .eager = 96};
    fake_begin(&board, seed);
    fake_full(true);
    for (int i = 0; i < MANY; i++) {
        mpu_recv_start(fake_rank(0), &back[i], fake_comm(0), 1, 0, got, sizeof got);
        mpu_send_start(fake_rank(1), &there[i], fake_comm(1), 0, 0, data, sizeof data);
        fake_some();
        mpu_send_start(fake_rank(0), &send[i], fake_comm(0), 1, i, data, sizeof data);
        fake_some();
    }
    CHECK_SEED(!mpu_done(&send[MANY - 1]));
    fake_full(false);
    for (int i = 0; i < MANY; i++)
        mpu_recv_start(fake_rank(1), &receive[i], fake_comm(1), 0, i, got, sizeof got);
    fake_settle();
    for (int i = 0; i < MANY; i++)
        CHECK_SEED(mpu_done(&send[i]) && mpu_done(&receive[i]) && mpu_done(&back[i]));
    fake_check_quiet();
    fake_end();
}

int main(void)
{
    for (uint32_t seed = 1; seed <= 2000; seed++) {
        several(seed);
        one_way(seed);
        in_turn(seed);
        nobody_receives(seed);
        both_ways(seed);
        if (seed % 16 == 0)
            without_memory(seed);
    }
    return 0;
}
