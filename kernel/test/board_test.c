/* SPDX-License-Identifier: MIT */
/* The board: wrong use, words that change before, while and after they are watched, several threads
 * of a cluster on one word, clusters that meet there again and again, a word of which nobody is
 * told. */
#include <sys/k_bell.h>
#include <sys/k_board.h>

#include <test/crew.h>

#include <limits.h>

#include "ikc.h"

enum { BIT = K_BELL_FIRST, CLUSTERS = 3, THREADS = 2, MEETINGS = 300 };

struct place {
    _Atomic uint32_t spare;
    _Alignas(64) _Atomic uint32_t arrived;
    _Alignas(64) _Atomic uint32_t meeting;
};

static struct place *place(void)
{
    struct k_board b;
    CHECK_EQ(k_board(&b), 0);
    CHECK_EQ(b.bytes, hal_machine()->shared_memory);
    return b.at;
}

static void check_bad(struct place *p)
{
    struct k_bell bell, none = {0};
    struct k_watch w = {.word = &p->spare, .bits = BIT, .bell = &bell}, bad;
    CHECK_EQ(k_bell_init(&bell, "bad"), 0);
    CHECK_EQ(k_board(NULL), -B_EFAULT);
    CHECK_EQ(k_board_tell(-1), -B_EHOSTUNREACH);
    CHECK_EQ(k_board_tell(CLUSTERS), -B_EHOSTUNREACH);
    for (int what = K_BOARD_TELL; what <= K_BOARD_WAKE; what++)
        CHECK_EQ(k_call(K_NR_board, what, LONG_MIN, 0, 0, 0), -B_EHOSTUNREACH); /* an int of 0 */
    CHECK_EQ(k_call(K_NR_board, K_BOARD_WAKE, 0, LONG_MIN, 0, 0), -B_EHOSTUNREACH);
    CHECK_EQ(k_board_watch(NULL), -B_EFAULT);
    CHECK_EQ(k_board_forget(NULL), -B_EFAULT);
    bad = w, bad.word = NULL;
    CHECK_EQ(k_board_watch(&bad), -B_EFAULT);
    bad = w, bad.word = (_Atomic uint32_t *)((char *)&p->spare + 1);
    CHECK_EQ(k_board_watch(&bad), -B_EFAULT);
    bad = w, bad.bell = NULL;
    CHECK_EQ(k_board_watch(&bad), -B_EFAULT);
    bad = w, bad.bell = &none;
    CHECK_EQ(k_board_watch(&bad), -B_EINVAL);
    bad = w, bad.bits = 0;
    CHECK_EQ(k_board_watch(&bad), -B_EINVAL);
    CHECK_EQ(k_board_watch(&w), 0);
    CHECK_EQ(k_board_watch(&w), -B_EBUSY);
    CHECK_EQ(k_bell_wait(&bell, 3000), -B_ETIMEDOUT);
    CHECK_EQ(k_board_forget(&w), 0);
    CHECK_EQ(k_board_forget(&w), 0);
    CHECK_EQ(k_call(K_NR_board, 99, 0, 0, 0, 0), -B_EINVAL);
    int got = 0, rc = k_board_read(ikc_me(), (uintptr_t)&w.value, &got, sizeof got);
    CHECK(rc == 0 || rc == -B_ENOSYS);
    CHECK(rc != 0 || k_board_read(CLUSTERS, (uintptr_t)p, &got, 1) == -B_EHOSTUNREACH);
}

/* Rung at once, and once only; a word that was forgotten rings nobody. */
static void check_now(struct place *p)
{
    struct k_bell bell;
    struct k_watch w = {.word = &p->spare, .value = 7, .bits = BIT, .bell = &bell};
    CHECK_EQ(k_bell_init(&bell, "now"), 0);
    CHECK_EQ(k_board_watch(&w), 0);
    CHECK_EQ(k_bell_take(&bell), BIT);
    CHECK_EQ(k_board_tell(ikc_me()), 0);
    CHECK_EQ(k_bell_wait(&bell, 3000), -B_ETIMEDOUT);
    w.value = 0;
    CHECK_EQ(k_board_watch(&w), 0);
    CHECK_EQ(k_board_forget(&w), 0);
    atomic_store(&p->spare, 1);
    CHECK_EQ(k_board_tell(ikc_me()), 0);
    CHECK_EQ(k_bell_wait(&bell, 3000), -B_ETIMEDOUT);
    atomic_store(&p->spare, 0);
}

/* The last of all threads of all clusters lets them go. */
static void meet(struct place *p, struct k_bell *bell)
{
    uint32_t meeting = atomic_load(&p->meeting);
    if (atomic_fetch_add(&p->arrived, 1) + 1 == CLUSTERS * THREADS) {
        atomic_store(&p->arrived, 0);
        atomic_store(&p->meeting, meeting + 1);
        for (int i = 0; i < CLUSTERS; i++)
            CHECK_EQ(k_board_tell(i), 0);
        return;
    }
    struct k_watch w = {.word = &p->meeting, .value = meeting, .bits = BIT, .bell = bell};
    CHECK_EQ(k_board_watch(&w), 0);
    while (atomic_load(&p->meeting) == meeting) {
        CHECK_EQ(k_bell_wait(bell, IKC_LONG), 0);
        CHECK_EQ(k_bell_take(bell), BIT);
    }
    CHECK_EQ(k_board_forget(&w), 0);
    k_bell_take(bell);
}

static void visitor(int me, void *arg)
{
    (void)me;
    struct k_bell bell;
    CHECK_EQ(k_bell_init(&bell, "visitor"), 0);
    for (uint32_t i = 0; i < MEETINGS; i++)
        meet(arg, &bell);
}

static int body(void *arg)
{
    (void)arg;
    struct place *p = place();
    struct crew_member m[THREADS];
    if (ikc_me() == 0) {
        check_bad(p);
        check_now(p);
    }
    ikc_meet(CLUSTERS);
    crew_start(m, THREADS, -1, visitor, p);
    crew_join(m, THREADS);
    CHECK_EQ(atomic_load(&p->meeting), MEETINGS);
    return 0;
}

/* Two clusters, each with a processor: a word is found that changes while its watcher sleeps, and
 * of which nobody tells. */
static int untold(void *arg)
{
    struct place *p = place();
    struct k_info info;
    struct k_bell bell;
    struct k_watch w = {.word = &p->spare, .bits = BIT, .bell = &bell};
    (void)arg;
    k_info(&info);
    CHECK_EQ(k_bell_init(&bell, "untold"), 0);
    ikc_meet(2);
    if (info.naps && info.cluster == 0) {
        CHECK_EQ(k_board_watch(&w), 0);
        CHECK_EQ(k_bell_wait(&bell, K_FOREVER), 0);
        CHECK_EQ(k_board_forget(&w), 0);
        atomic_store(&p->arrived, 1);
    } else if (info.naps) {
        CHECK_EQ(k_bell_wait(&bell, info.hz / 200), -B_ETIMEDOUT);
        atomic_store(&p->spare, 1);
        while (!atomic_load(&p->arrived))
            CHECK_EQ(k_bell_wait(&bell, info.hz / 1000), -B_ETIMEDOUT);
    }
    ikc_meet(2);
    return 0;
}

static int without(void *arg)
{
    (void)arg;
    struct k_board b;
    CHECK_EQ(k_board(&b), -B_ENOSYS);
    CHECK_EQ(k_board_tell(0), -B_ENOSYS);
    return 0;
}

int main(void)
{
    for (int asymmetric = 0; asymmetric < 2; asymmetric++) {
        struct hal_machine m = ikc_machine("mini", asymmetric);
        CHECK_EQ(on_machine(&m, body, NULL), 0);
        m.shared_memory = 0;
        CHECK_EQ(on_machine(&m, without, NULL), 0);
    }
    struct hal_machine m = ikc_machine("mini", 0);
    m.compute_clusters = 2;
    m.compute_cores = 1;
    m.io_clusters = 0;
    CHECK_EQ(on_machine(&m, untold, NULL), 0);
    return 0;
}
