/* SPDX-License-Identifier: MIT */
/* Sends at once: an endpoint that takes a message has sent it when it says so, and one that refuses
 * has done nothing. It refuses what would overtake an earlier send, what is too long, and what
 * there is no credit for; then a request carries the message, in its order. */
#include <string.h>

#include <base/error.h>

#include "fake.h"
#include "fake_kernel.h"

#define SHORT 20
#define LONG  2000 /* above each limit */
#define MOST  16

static uint8_t data[MOST][LONG], got[MOST][LONG];

static bool now(int to, int tag, uint64_t n)
{
    fake_kernel_enter(0);
    return mpu_send_now(fake_rank(0), fake_comm(0), to, tag, data[tag], n);
}

static void start(struct mpu_request *q, int to, int tag, uint64_t n, bool sync)
{
    fake_kernel_enter(0);
    if (sync)
        mpu_send_sync_start(fake_rank(0), q, fake_comm(0), to, tag, data[tag], n);
    else
        mpu_send_start(fake_rank(0), q, fake_comm(0), to, tag, data[tag], n);
}

static void receive(struct mpu_request *q, int at, int tag, uint64_t n)
{
    fake_kernel_enter(at);
    mpu_recv_start(fake_rank(at), q, fake_comm(at), 0, tag, got[tag < 0 ? 0 : tag], n);
}

static void check_got(struct mpu_request *q, int tag, uint64_t n)
{
    CHECK_SEED(mpu_done(q) && q->error == 0 && q->tag == tag && q->source == 0 && q->count == n);
}

static void begin(const struct fake_shape *s, uint32_t seed)
{
    memset(got, 0, sizeof got);
    fake_begin(s, seed);
}

static void end(void)
{
    fake_check_quiet();
    fake_end();
}

/* What refuses leaves no trace: no credit is taken, nothing is under way, nothing waits. */
static void check_refused(int to, int tag, uint64_t n)
{
    const struct mpu_rank *r = fake_rank(0);
    unsigned int credit = r->credit.peers[to].window;
    uint64_t sent = r->carried[MPU_PROTO_EAGER].messages;
    const struct mpu_request *waits = r->outbox.first;
    CHECK_SEED(!now(to, tag, n));
    CHECK_SEED(r->credit.peers[to].window == credit && r->outbox.first == waits &&
               !mpu_lane_news(fake_rank(to)));
    CHECK_SEED(r->carried[MPU_PROTO_EAGER].messages == sent);
}

static void check_limits(const struct fake_shape *s)
{
    struct mpu_request q[MOST];
    begin(s, 1);
    int window = fake_rank(0)->cluster->window, tag;
    CHECK(window < MOST);
    check_refused(1, 0, LONG);
    for (tag = 0; tag < window && now(1, tag, SHORT); tag++)
        fake_settle(); /* else the outbox would be busy first */
    CHECK_EQ(tag, window);
    fake_settle();
    check_refused(1, tag, SHORT);
    for (int i = 0; i < window; i++) {
        receive(&q[i], 1, i, SHORT);
        check_got(&q[i], i, SHORT);
        CHECK(!memcmp(got[i], data[i], SHORT));
    }
    fake_settle(); /* the receiver tells what it has consumed */
    CHECK(now(1, tag, SHORT));
    fake_settle();
    receive(&q[0], 1, tag, SHORT);
    check_got(&q[0], tag, SHORT);
    end();
}

/* Where clusters share memory a short message for which there is no credit lies in a cell of the
 * sender, and comes in its turn. */
static void check_cells(const struct fake_shape *s)
{
    struct mpu_request q[MOST];
    begin(s, 1);
    struct mpu_rank *r = fake_rank(0);
    int window = r->cluster->window;
    CHECK(window + 2 < MOST);
    check_refused(1, 0, LONG);
    for (int tag = 0; tag < window + 2; tag++) {
        CHECK(now(1, tag, SHORT));
        CHECK_EQ(r->credit.peers[1].window, (unsigned int)(tag < window ? tag + 1 : window));
    }
    fake_settle();
    for (int i = 0; i < window + 2; i++) {
        receive(&q[i], 1, MPU_ANY, SHORT);
        check_got(&q[i], i, SHORT);
        CHECK(!memcmp(got[0], data[i], SHORT));
    }
    fake_settle(); /* the receiver tells what it has consumed */
    CHECK(r->credit.peers[1].window < (unsigned int)window);
    CHECK(now(1, window + 2, SHORT));
    fake_settle();
    receive(&q[0], 1, window + 2, SHORT);
    check_got(&q[0], window + 2, SHORT);
    end();
}

/* Some sends have a request, some go at once where they can; all that match the same receives are
 * received in the order in which they were sent. */
static void check_order(const struct fake_shape *s, uint32_t seed)
{
    struct mpu_request send[MOST], recv[MOST];
    bool sent[MOST];
    begin(s, seed);
    for (int i = 0; i < MOST; i++) {
        uint64_t n = fake_random(4) ? SHORT : LONG;
        sent[i] = fake_random(2) && now(1, i, n);
        if (!sent[i])
            start(&send[i], 1, i, n, fake_random(4) == 0);
        fake_some();
    }
    for (int i = 0; i < MOST; i++) {
        receive(&recv[i], 1, MPU_ANY, LONG);
        fake_some();
    }
    fake_settle();
    for (int i = 0; i < MOST; i++) {
        CHECK_SEED(mpu_done(&recv[i]) && recv[i].error == 0 && recv[i].tag == i);
        CHECK_SEED(sent[i] || (mpu_done(&send[i]) && send[i].error == 0));
    }
    end();
}

/* To the own core: a posted receive takes it at once, whatever its length, and with less room
 * its first bytes; else it is left in a cell if it is short. */
static void check_own(void)
{
    const struct fake_shape s = {.ranks = 2};
    struct mpu_request send, recv;
    begin(&s, 1);
    uint32_t limit = fake_rank(0)->tune[MPU_TUNE_LOCAL_LIMIT];
    CHECK(limit >= SHORT && limit < LONG);
    receive(&recv, 0, 1, LONG);
    CHECK(now(0, 1, LONG));
    check_got(&recv, 1, LONG);
    CHECK(!memcmp(got[1], data[1], LONG));
    receive(&recv, 0, 2, SHORT);
    CHECK(now(0, 2, LONG));
    CHECK(mpu_done(&recv) && recv.error == -B_EMSGSIZE && recv.count == SHORT);
    CHECK(got[2][SHORT] == 0);

    CHECK(now(0, 3, limit) && !now(0, 4, limit + 1));
    start(&send, 0, 4, LONG, false);
    CHECK(!mpu_done(&send));
    receive(&recv, 0, 4, LONG);
    check_got(&recv, 4, LONG);
    CHECK(mpu_done(&send));
    receive(&recv, 0, 3, LONG);
    check_got(&recv, 3, limit);

    start(&send, 0, 5, SHORT, true);
    CHECK(!mpu_done(&send));
    receive(&recv, 0, 5, SHORT);
    CHECK(mpu_done(&recv) && mpu_done(&send));
    receive(&recv, 0, 6, SHORT);
    start(&send, 0, 6, SHORT, true);
    CHECK(mpu_done(&recv) && mpu_done(&send) && send.error == 0);
    end();
}

int main(void)
{
    const struct fake_shape fake = {
        .ranks = 2, .window = 6, .announce = 2, .eager = 96, .outbox = 2};
    const struct fake_shape board = {
        .ranks = 2, .window = 6, .announce = 2, .eager = 300, .board = 1 << 19, .lane = 4096};
    for (int i = 0; i < MOST; i++)
        memset(data[i], i + 1, LONG);
    check_limits(&fake);
    check_cells(&board);
    check_own();
    for (uint32_t seed = 1; seed <= 500; seed++) {
        check_order(&fake, seed);
        check_order(&board, seed);
    }
    return 0;
}
