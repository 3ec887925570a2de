/* SPDX-License-Identifier: MIT */
/* Crowds: wrong use; everybody is released, in the order of coming; rings from anywhere wake single
 * ones, and neither a ring nor a release is lost or counted twice when both come at once. */
#include <stdatomic.h>

#include <sys/k_crowd.h>

#include <test/crew.h>
#include <test/on_machine.h>

#define TOKEN K_BELL_FIRST

static void stranger(int me, void *arg)
{
    struct k_crowd c = {0};
    (void)me;
    CHECK_EQ(k_crowd_wait(&c, arg), -B_EPERM);
}

static void check_bad(void)
{
    struct k_crowd c = {0};
    struct k_bell b;
    struct crew_member m;
    CHECK_EQ(k_bell_init(&b, "bad"), 0);
    CHECK_EQ(k_crowd_wait(NULL, &b), -B_EFAULT);
    CHECK_EQ(k_crowd_wait(&c, NULL), -B_EFAULT);
    CHECK_EQ(k_crowd_wait((struct k_crowd *)((char *)&c + 1), &b), -B_EFAULT);
    CHECK_EQ(k_crowd_release(NULL), -B_EFAULT);
    CHECK_EQ(k_crowd_release(&c), 0);
    crew_start(&m, 1, -1, stranger, &b);
    crew_join(&m, 1);
    CHECK_EQ(k_bell_ring(&b, TOKEN), 0);
    CHECK_EQ(k_crowd_wait(&c, &b), 0); /* was rung before */
    CHECK_EQ(k_bell_take(&b), TOKEN);
}

/* Members of one core meet again and again: the last one lets the others go. After some rounds a
 * ringer, on their core or another one, hands over tokens to single ones meanwhile. */
enum { MEMBERS = 5, ROUNDS = 120, QUIET = 20, TOKENS = 200 };

struct place {
    struct k_crowd crowd;
    struct k_bell bell[MEMBERS];
    atomic_bool open; /* to the ringer: from then on they may leave in another order */
    atomic_int given[MEMBERS];
    int taken[MEMBERS];
    int arrived, round;
    int came[2][MEMBERS], left; /* by round: they leave one while some come to the next */
};

static void take(struct place *p, int me)
{
    if (k_bell_take(&p->bell[me]) != 0)
        p->taken[me] += atomic_exchange(&p->given[me], 0);
}

static void wait_for_round(struct place *p, int me, int round)
{
    while (p->round == round) {
        CHECK_EQ(k_crowd_wait(&p->crowd, &p->bell[me]), 0);
        take(p, me);
    }
}

static void meet(struct place *p, int me)
{
    int round = p->round;
    p->came[round % 2][p->arrived++] = me;
    if (p->arrived < MEMBERS) {
        wait_for_round(p, me, round);
        CHECK(atomic_load(&p->open) || p->came[round % 2][p->left] == me);
        p->left++;
        return;
    }
    p->arrived = p->left = 0;
    atomic_store(&p->open, ++p->round >= QUIET);
    CHECK_EQ(k_crowd_release(&p->crowd), 0);
}

static void member(int me, void *arg)
{
    struct place *p = arg;
    CHECK_EQ(k_bell_init(&p->bell[me], "place"), 0);
    k_thread_hold(); /* what the members share has no lock */
    for (int i = 0; i < ROUNDS; i++) {
        if (me == i % MEMBERS)
            k_thread_yield(); /* they come in several orders */
        meet(p, me);
    }
    while (p->taken[me] < TOKENS / MEMBERS) {
        k_bell_wait(&p->bell[me], K_FOREVER);
        take(p, me);
    }
    k_thread_release();
}

static void ringer(int me, void *arg)
{
    struct place *p = arg;
    (void)me;
    while (!atomic_load(&p->open))
        k_thread_yield();
    for (int i = 0; i < TOKENS; i++) {
        atomic_fetch_add(&p->given[i % MEMBERS], 1);
        CHECK_EQ(k_bell_ring(&p->bell[i % MEMBERS], TOKEN), 0);
        if (i % 3 != 0)
            k_thread_yield();
    }
}

static void check_place(int core, int far)
{
    struct place p = {0};
    struct crew_member m[MEMBERS], r;
    crew_start(m, MEMBERS, core, member, &p);
    crew_start(&r, 1, far, ringer, &p);
    crew_join(m, MEMBERS);
    crew_join(&r, 1);
    CHECK_EQ(p.round, ROUNDS);
    for (int i = 0; i < MEMBERS; i++)
        CHECK_EQ(p.taken[i], TOKENS / MEMBERS);
}

/* A release from another core is refused, and nobody is lost by it. */
static void waiter(int me, void *arg)
{
    struct place *p = arg;
    CHECK_EQ(k_bell_init(&p->bell[me], "place"), 0);
    atomic_store(&p->open, true);
    k_crowd_wait(&p->crowd, &p->bell[me]);
    CHECK_EQ(k_bell_take(&p->bell[me]), TOKEN);
}

static void wrong_core(int me, void *arg)
{
    struct place *p = arg;
    (void)me;
    while (!atomic_load(&p->open))
        k_thread_yield();
    k_thread_sleep(20000);
    int rc = k_crowd_release(&p->crowd);
    CHECK(rc == -B_EPERM || rc == 0); /* 0: the waiter did not get there yet */
    CHECK_EQ(k_bell_ring(&p->bell[0], TOKEN), 0);
}

static int body(void *arg)
{
    struct k_info info;
    struct place p = {0};
    struct crew_member m, w;
    (void)arg;
    k_info(&info);
    check_bad();
    check_place(info.user_core, info.user_core);
    check_place(info.user_core, info.cores - 1);
    crew_start(&m, 1, info.user_core, waiter, &p);
    crew_start(&w, 1, info.cores - 1, wrong_core, &p);
    crew_join(&m, 1);
    crew_join(&w, 1);
    return 0;
}

int main(void)
{
    return on_machines(body);
}
