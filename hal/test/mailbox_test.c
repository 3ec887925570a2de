/* SPDX-License-Identifier: MIT */
/* hal/mailbox.h: slots, verdicts, order, fairness, refusals. */
#include "contract.h"

#define SLOTS    4
#define MESSAGES 1500

static struct hal_mail numbered(int n)
{
    struct hal_mail m;
    memset(&m, n * 5 + 3, sizeof m);
    memcpy(m.header, &n, sizeof n);
    return m;
}

static int number_of(const struct hal_mail *m)
{
    int n;
    memcpy(&n, m->header, sizeof n);
    return n;
}

static bool same(const struct hal_mail *m, int n, size_t used)
{
    struct hal_mail want = numbered(n);
    return memcmp(m->header, want.header, HAL_MAIL_HEADER) == 0 &&
           memcmp(m->data, want.data, used) == 0;
}

static void test_refusals(void)
{
    struct hal_mail m = numbered(1);
    int clusters = hal_machine_clusters(hal_machine()), from;
    CHECK_EQ(hal_mailbox_send(clusters, &m, 0), -B_EHOSTUNREACH);
    CHECK_EQ(hal_mailbox_send(-1, &m, 0), -B_EHOSTUNREACH);
    CHECK_EQ(hal_mailbox_send(0, &m, HAL_MAIL_DATA + 1), -B_EINVAL);
    CHECK(!hal_mailbox_peek(&from));
    CHECK_EQ(hal_mailbox_verdict(0), -B_EAGAIN);
    CHECK_EQ(hal_mailbox_verdict_any(), -B_EAGAIN);
    for (int i = 0; i < clusters; i++)
        CHECK_EQ(hal_mailbox_release(i, 0), -B_EINVAL);
    contract_meet();
}

/* To itself: every slot, then refusal; the verdict, not the release, frees a slot. */
static void test_slots(void)
{
    int me = hal_cluster(), from;
    struct hal_mail m;
    for (int i = 0; i < SLOTS; i++) {
        m = numbered(i);
        CHECK_EQ(hal_mailbox_send(me, &m, (size_t)i * 40), 0);
        memset(&m, 0, sizeof m); /* it was copied */
    }
    m = numbered(SLOTS);
    CHECK_EQ(hal_mailbox_send(me, &m, 0), -B_EAGAIN);
    for (int i = 0; i < SLOTS; i++) {
        const struct hal_mail *got = contract_receive(&from);
        CHECK_EQ(from, me);
        CHECK(same(got, i, (size_t)i * 40));
        CHECK(same(hal_mailbox_peek(&from), i, 0)); /* the same until released */
        CHECK_EQ(hal_mailbox_release(me, 256), -B_EINVAL);
        CHECK_EQ(hal_mailbox_release(me, -1), -B_EINVAL);
        CHECK_EQ(hal_mailbox_release(me, 250 + i), 0);
    }
    CHECK_EQ(hal_mailbox_release(me, 0), -B_EINVAL);
    CHECK_EQ(hal_mailbox_send(me, &m, 0), -B_EAGAIN);
    UNTIL(hal_mailbox_verdict_any() == me);
    for (int i = 0; i < SLOTS; i++) {
        int verdict;
        UNTIL((verdict = hal_mailbox_verdict(me)) >= 0);
        CHECK_EQ(verdict, 250 + i);
        m = numbered(100 + i);
        CHECK_EQ(hal_mailbox_send(me, &m, HAL_MAIL_DATA), 0);
    }
    CHECK_EQ(hal_mailbox_verdict(me), -B_EAGAIN);
    for (int i = 0; i < SLOTS; i++) {
        CHECK(same(contract_receive(&from), 100 + i, HAL_MAIL_DATA));
        CHECK_EQ(hal_mailbox_release(me, 0), 0);
        UNTIL(hal_mailbox_verdict(me) == 0);
    }
    contract_meet();
}

/* Both others fill their slots; cluster 0 serves them in turn. */
static void test_fair(void)
{
    if (hal_cluster() == 0) {
        int served[3] = {0}, from;
        contract_meet();
        for (int i = 0; i < 2 * SLOTS; i++) {
            const struct hal_mail *m = contract_receive(&from);
            CHECK(from == 1 || from == 2);
            CHECK_EQ(number_of(m), served[from]);
            served[from]++;
            CHECK(served[1] - served[2] <= 1 && served[2] - served[1] <= 1);
            CHECK_EQ(hal_mailbox_release(from, served[from]), 0);
        }
    } else {
        for (int i = 0; i < SLOTS; i++) {
            struct hal_mail m = numbered(i);
            CHECK_EQ(hal_mailbox_send(0, &m, 8), 0);
        }
        contract_meet();
        for (int i = 0; i < SLOTS; i++) {
            UNTIL(hal_mailbox_verdict_any() == 0);
            CHECK_EQ(hal_mailbox_verdict(0), i + 1);
        }
    }
    contract_meet();
}

/* A message that is not released holds up only its own sender. */
static void test_held(void)
{
    int me = hal_cluster(), from;
    struct hal_mail m = numbered(me);
    if (me == 0) {
        int got = 0;
        contract_receive(&from);
        int held = from;
        while (got < 50) {
            const struct hal_mail *next = contract_receive(&from);
            if (from != held) {
                CHECK_EQ(number_of(next), from);
                CHECK_EQ(hal_mailbox_release(from, 1), 0);
                got++;
            } else {
                CHECK_EQ(number_of(next), held);
                hal_event_wait(contract_after(1000)); /* on sim a peek takes no time */
            }
        }
        for (int left = 50; left > 0; left--) {
            contract_receive(&from);
            CHECK_EQ(from, held);
            CHECK_EQ(hal_mailbox_release(held, 1), 0);
        }
    } else {
        for (int i = 0; i < 50; i++)
            contract_send(0, &m, 0);
    }
    contract_meet();
    while (hal_mailbox_verdict(0) >= 0) {
    }
}

/* Runs of equal verdicts, so that several late ones can be owed at once. */
static int verdict_of(int n)
{
    return n / 7 % 256;
}

/* Everybody sends to everybody, all lengths, and gets every message once, in order, unharmed; of
 * each ten verdicts `late` may come late. */
static void test_storm(int late)
{
    int me = hal_cluster(), clusters = hal_machine_clusters(hal_machine());
    int sent[3] = {0}, answered[3] = {0}, got[3] = {0}, left = 3 * clusters * MESSAGES;
    while (left > 0) {
        int before = left, from, verdict;
        for (int to = 0; to < clusters; to++) {
            struct hal_mail m = numbered(sent[to]);
            if (sent[to] < MESSAGES &&
                hal_mailbox_send(to, &m, (size_t)sent[to] % (HAL_MAIL_DATA + 1)) == 0) {
                sent[to]++;
                left--;
            }
            if ((verdict = hal_mailbox_verdict(to)) >= 0) {
                CHECK_EQ(verdict, verdict_of(answered[to]));
                answered[to]++;
                left--;
            }
        }
        const struct hal_mail *m = hal_mailbox_peek(&from);
        if (m) {
            CHECK(same(m, got[from], (size_t)got[from] % (HAL_MAIL_DATA + 1)));
            bool now = got[from] % 10 >= late;
            CHECK_EQ(
                (now ? hal_mailbox_release : hal_mailbox_release_late)(from, verdict_of(got[from])),
                0);
            got[from]++;
            left--;
        }
        if (left == before) {
            hal_mailbox_settle();
            uint64_t limit = contract_after(PATIENT / 4);
            hal_event_wait(limit);
            CHECK(hal_clock_cycles() < limit);
        }
    }
    CHECK_EQ(answered[me], MESSAGES);
    hal_mailbox_settle(); /* others may still wait for a late one */
    contract_meet();
}

/* A late verdict comes by any of the four ways, and before those after it. */
static void test_late(void)
{
    int me = hal_cluster(), from;
    struct hal_mail m = numbered(me);
    CHECK_EQ(hal_mailbox_release_late(me, 0), -B_EINVAL);
    contract_meet();
    if (me == 1) {
        for (int i = 0; i < 4; i++) {
            CHECK_EQ(hal_mailbox_send(0, &m, 0), 0);
            if (i == 0)
                contract_receive(&from); /* what rides comes with this */
            UNTIL(hal_mailbox_verdict(0) == 60 + i / 3);
            if (i == 0)
                CHECK_EQ(hal_mailbox_release(0, 7), 0);
        }
        for (int i = 0; i < SLOTS; i++)
            CHECK_EQ(hal_mailbox_send(0, &m, 0), 0);
        for (int i = 0; i < SLOTS; i++)
            UNTIL(hal_mailbox_verdict(0) == 70 + i);
    } else if (me == 0) {
        contract_receive(&from);
        CHECK_EQ(hal_mailbox_release_late(1, 256), -B_EINVAL);
        CHECK_EQ(hal_mailbox_release_late(1, 60), 0); /* rides with the next message */
        CHECK_EQ(hal_mailbox_send(1, &m, 100), 0);
        UNTIL(hal_mailbox_verdict(1) == 7);
        for (int i = 1; i < 4; i++) {
            contract_receive(&from);
            CHECK_EQ(hal_mailbox_release_late(1, 60 + i / 3), 0);
            hal_mailbox_settle();
        }
        for (int i = 0; i < SLOTS; i++) {
            contract_receive(&from);
            CHECK_EQ((i < 3 ? hal_mailbox_release_late : hal_mailbox_release)(1, 70 + i), 0);
        }
    }
    contract_meet();
}

static void boot(void *arg)
{
    (void)arg;
    test_refusals();
    test_slots();
    test_fair();
    test_held();
    test_late();
    test_storm(0);
    test_storm(4);
    test_storm(10);
}

/* With one slot, as the machine has it. */
static void boot_small(void *arg)
{
    (void)arg;
    struct hal_mail m = numbered(7);
    int from;
    if (hal_cluster() == 1) {
        CHECK_EQ(hal_mailbox_send(0, &m, 3), 0);
        CHECK_EQ(hal_mailbox_send(0, &m, 3), -B_EAGAIN);
        CHECK_EQ(hal_mailbox_send(2, &m, 3), 0); /* a slot of another pair */
        contract_meet();
        UNTIL(hal_mailbox_verdict(0) == 0);
        UNTIL(hal_mailbox_verdict(2) == 2);
    } else {
        contract_meet();
        contract_receive(&from);
        CHECK_EQ(hal_mailbox_release(from, hal_cluster()), 0);
    }
    contract_meet();
    test_storm(5);
}

static void more_slots(struct hal_machine *m)
{
    m->mail_slots = SLOTS;
}

CONTRACT({.boot = boot_small}, {.boot = boot, .adapt = more_slots});
