/* SPDX-License-Identifier: MIT */
/* Sends that are cancelled, wherever they are then: waiting for the outbox, held, announced,
 * synchronous, asked for by name, allowed, or matched while the question is on its way. Each ends
 * once, and is either cancelled or received, never both, never neither. */
#include <string.h>

#include "fake.h"

#define SENDERS  2
#define EACH     10 /* sends of a rank */
#define ALL      (SENDERS * EACH)
#define RECEIVER SENDERS
#define LONGEST  400

/* Where a send was when it was cancelled, and what became of it. */
enum where { WAITED, HELD, ANNOUNCED, SYNCHRONOUS, FOUND, ALLOWED, WHERES };
static const char *const where_names[WHERES] = {
    "waiting for the outbox", "held", "announced", "synchronous", "found", "allowed"};
static int ended[WHERES][2]; /* over all worlds: received, cancelled */

struct send {
    struct mpu_request q;
    int asked; /* enum where; -1: not cancelled */
    int received;
    uint8_t data[LONGEST];
};

static struct send send[SENDERS][EACH];
static struct mpu_request receive[ALL];
static uint8_t got[ALL][LONGEST];

static bool in(const struct mpu_request *list, const struct mpu_request *q)
{
    while (list && list != q)
        list = list->next;
    return list != NULL;
}

static enum where where(const struct mpu_request *q)
{
    const struct mpu_rank *r = q->rank;
    if (in(r->outbox.first, q))
        return WAITED;
    if (in(r->rendezvous.allowed, q))
        return ALLOWED;
    if (q->stage == MPU_HELD_STAGE)
        return HELD;
    if (q->proto == &mpu_eager_sync)
        return SYNCHRONOUS;
    return q->stage == MPU_FOUND_STAGE ? FOUND : ANNOUNCED;
}

static void start(int from, int i)
{
    struct send *s = &send[from][i];
    uint64_t n = fake_random(2) ? 8 : LONGEST;
    *s = (struct send){.asked = -1};
    memset(s->data, 16 * from + i, LONGEST);
    if (fake_random(2))
        mpu_send_sync_start(fake_rank(from), &s->q, fake_comm(from), RECEIVER, i % 3, s->data, n);
    else
        mpu_send_start(fake_rank(from), &s->q, fake_comm(from), RECEIVER, i % 3, s->data, n);
}

static void cancel(struct send *s)
{
    if (s->asked >= 0 || mpu_done(&s->q))
        return;
    s->asked = (int)where(&s->q);
    mpu_send_cancel(&s->q);
    if (fake_random(4) == 0)
        mpu_send_cancel(&s->q); /* nothing happens if it is not done */
}

static void post(int k, int tag)
{
    mpu_recv_start(fake_rank(RECEIVER), &receive[k], fake_comm(RECEIVER), MPU_ANY, tag, got[k],
                   LONGEST);
}

/* Each message that a receive has got. */
static int count_received(int posted)
{
    int n = 0;
    for (int k = 0; k < posted; k++)
        if (mpu_done(&receive[k])) {
            send[got[k][0] / 16][got[k][0] % 16].received++;
            n++;
        }
    return n;
}

static void check(struct send *s)
{
    CHECK_SEED(mpu_done(&s->q) && s->q.error == 0);
    CHECK_SEED(!s->q.cancelled || s->asked >= 0);
    CHECK_SEED(s->received == !s->q.cancelled);
    if (s->asked >= 0)
        ended[s->asked][s->q.cancelled]++;
}

/* Few receives: all that was cancelled and not received must end without any. */
static void run(const struct fake_shape *shape, uint32_t seed)
{
    int started[SENDERS] = {0}, posted = 0, wanted = 0;
    fake_begin(shape, seed);
    uint32_t receives = fake_random(3), cancels = 1 + fake_random(4);
    while (started[0] + started[1] < ALL) {
        int from = (int)fake_random(SENDERS);
        if (started[from] < EACH)
            start(from, started[from]), started[from]++;
        if (fake_random(3) < receives && posted < ALL / 2)
            post(posted++, (int)fake_random(4) - 1);
        fake_some();
        for (uint32_t i = 0; i < cancels; i++) {
            int of = (int)fake_random(SENDERS);
            if (started[of])
                cancel(&send[of][fake_random((uint32_t)started[of])]);
        }
        fake_some();
    }
    fake_settle();
    for (int k = 0; k < ALL; k++) {
        struct send *s = &send[k / EACH][k % EACH];
        CHECK_SEED(s->asked < 0 || mpu_done(&s->q));
        wanted += !mpu_done(&s->q) || !s->q.cancelled;
    }
    while (posted < wanted)
        post(posted++, MPU_ANY);
    fake_settle();
    for (int k = 0; k < posted; k++) /* by a tag of which all were cancelled */
        if (mpu_recv_cancel(&receive[k])) {
            post(k, MPU_ANY);
            fake_settle();
            mpu_recv_cancel(&receive[k]);
        }
    CHECK_SEED(count_received(posted) == wanted);
    for (int k = 0; k < ALL; k++)
        check(&send[k / EACH][k % EACH]);
    fake_check_quiet();
    fake_end();
}

/* Several are cancelled while nothing can leave: all are asked for once something can, whether or
 * not anything else happens. */
static void at_once(uint32_t seed)
{
    static uint8_t data[8];
    struct mpu_request q[3];
    fake_begin(&(struct fake_shape){.ranks = 2, .outbox = 3, .window = 4, .eager = 96}, seed);
    for (int i = 0; i < 3; i++)
        mpu_send_sync_start(fake_rank(0), &q[i], fake_comm(0), 1, 0, data, 8);
    CHECK_SEED(fake_rank(0)->outbox.busy);
    for (int i = 0; i < 3; i++)
        mpu_send_cancel(&q[i]);
    fake_settle();
    for (int i = 0; i < 3; i++)
        CHECK_SEED(mpu_done(&q[i]) && q[i].cancelled);
    fake_check_quiet();
    fake_end();
}

int main(void)
{
    for (uint32_t seed = 1; seed <= 3000; seed++) {
        at_once(seed);
        run(&(struct fake_shape){.ranks = SENDERS + 1,
                                 .outbox = 1 + (int)(seed % 4),
                                 .announce = 2,
                                 .window = 4,
                                 .eager = 96},
            seed);
        run(&(struct fake_shape){.ranks = SENDERS + 1,
                                 .board = 1 << 19,
                                 .lane = 512,
                                 .announce = 2,
                                 .window = 4,
                                 .eager = 96},
            seed);
    }
    for (int i = 0; i < WHERES; i++) {
        printf("%s: %d received, %d cancelled\n", where_names[i], ended[i][0], ended[i][1]);
        bool may_be_received = i != WAITED && i != HELD;
        CHECK((ended[i][0] > 0) == may_be_received && (ended[i][1] > 0) == (i != ALLOWED));
    }
    return 0;
}
