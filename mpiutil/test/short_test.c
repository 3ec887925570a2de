/* SPDX-License-Identifier: MIT */
/* Receives that are too short, or want something else, in each protocol between clusters, posted
 * before and after the message: the receiver gets its error and the bytes that it has room for, not
 * one more; the sender ends as usual. */
#include <string.h>

#include <base/error.h>

#include "fake.h"

#define LONGEST 3000
#define DOUBLES 3 /* marks of elements */
#define INTS    4

struct kind {
    const char *protocol;
    bool board, sync, held;
    uint64_t size;
};

static const struct kind kinds[] = {
    {"eager", false, false, false, 80},        {"eager-sync", false, true, false, 80},
    {"eager-split", false, false, false, 150}, {"lazy", false, false, false, 400},
    {"rendezvous", false, false, false, 3000}, {"rendezvous", false, true, false, 400},
    {"rendezvous", false, true, true, 3000},   {"eager", true, false, false, 20},
    {"eager", true, false, false, 80},         {"eager", true, false, false, 250},
    {"eager-sync", true, true, false, 80},     {"eager-sync", true, true, false, 250},
    {"pipeline", true, false, false, 3000},    {"pipeline", true, false, true, 3000}};

static uint8_t data[LONGEST], got[LONGEST];

static struct fake_shape shape_of(const struct kind *k)
{
    return (struct fake_shape){.ranks = 2,
                               .announce = 2,
                               .board = k->board ? 1 << 19 : 0,
                               .lane = 4096,
                               .eager = k->board ? 300 : 96,
                               .split = 192,
                               .lazy = 1000,
                               .lazy_bytes = 4096};
}

static void start(const struct kind *k, struct mpu_request *q, int tag, unsigned int mark)
{
    uint64_t n = mpu_marked(k->size, mark);
    if (k->sync)
        mpu_send_sync_start(fake_rank(0), q, fake_comm(0), 1, tag, data, n);
    else
        mpu_send_start(fake_rank(0), q, fake_comm(0), 1, tag, data, n);
}

static void post(struct mpu_request *q, int tag, uint64_t room, unsigned int mark)
{
    mpu_recv_start(fake_rank(1), q, fake_comm(1), 0, tag, got, mpu_marked(room, mark));
}

/* What is announced before so that this one is held. */
static void fill(struct mpu_request *before, bool send)
{
    static uint8_t other[LONGEST];
    for (int i = 0; i < 2; i++)
        if (send)
            mpu_send_start(fake_rank(0), &before[i], fake_comm(0), 1, 1, data, LONGEST);
        else
            mpu_recv_start(fake_rank(1), &before[i], fake_comm(1), 0, 1, other, LONGEST);
}

/* The name counted for the send: that of a lazy one is its copy's, too. */
static bool went_by(const char *name)
{
    const struct mpu_rank *r = fake_rank(0);
    for (const struct mpu_proto *const *p = r->cluster->set->proto; *p; p++)
        if (!strcmp((*p)->name, name))
            return r->carried[(*p)->id].messages > 0;
    return false;
}

static void run(const struct kind *k, uint64_t room, unsigned int mark, bool early, uint32_t seed)
{
    struct fake_shape shape = shape_of(k);
    struct mpu_request send, receive, before[2], after[2];
    fake_begin(&shape, seed);
    memset(got, 0xee, sizeof got);
    if (k->held)
        fill(before, true);
    if (early)
        post(&receive, 0, room, INTS);
    start(k, &send, 0, mark);
    if (!early) {
        fake_settle();
        post(&receive, 0, room, INTS);
    }
    fake_settle();
    CHECK_SEED(mpu_done(&send) && send.error == 0 && mpu_done(&receive));
    if (k->held) {
        fill(after, false);
        fake_settle();
        CHECK_SEED(mpu_done(&before[0]) && mpu_done(&after[1]) && after[1].error == 0);
    }
    uint64_t n = room < k->size ? room : k->size;
    int error = room < k->size ? -B_EMSGSIZE : mark == DOUBLES ? -B_EBADMSG : 0;
    CHECK_SEED(went_by(k->protocol));
    CHECK_SEED(receive.error == error && receive.count == n && receive.source == 0);
    CHECK_SEED(receive.sent_mark == mark && !memcmp(got, data, n));
    for (uint64_t i = n; i < LONGEST; i++)
        CHECK_SEED(got[i] == 0xee);
    fake_check_quiet();
    fake_end();
}

int main(void)
{
    for (int i = 0; i < LONGEST; i++)
        data[i] = (uint8_t)(i % 199);
    uint32_t seed = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (int early = 0; early < 2; early++)
            for (unsigned int mark = DOUBLES; mark <= INTS; mark++) {
                const uint64_t n = kinds[i].size, rooms[] = {0, 1, n / 2, n - 1, n, n + 1};
                for (size_t k = 0; k < 6; k++)
                    for (int times = 0; times < 5; times++)
                        if (rooms[k] <= LONGEST)
                            run(&kinds[i], rooms[k], mark, early, ++seed);
            }
    return 0;
}
