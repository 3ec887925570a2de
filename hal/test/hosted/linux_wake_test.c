/* SPDX-License-Identifier: MIT */
/* No wake-up is lost when cores sleep at once (LWMPI_SPIN=0), nor when they poll: a ping-pong by
 * each kind of event, always with HAL_NEVER. A lost one ends the machine by its time-out. What a
 * core has to find by itself is found. */
#include <pthread.h>
#include <threads.h>

#include <hal/portal.h>

#include "contract_run.h"

#define ROUNDS 5000
#define CORES  4

static atomic_int turn;
static struct {
    _Atomic(uint32_t) turn;
    struct b_watch watch[CORES];
} watched;

static void by_mail(int me)
{
    struct hal_mail m = {.header = {0}};
    for (int i = 0; i < ROUNDS; i++) {
        if (me == i % 2) {
            memcpy(m.data, &i, sizeof i);
            while (hal_mailbox_send(1 - me, &m, sizeof i) != 0)
                if (hal_mailbox_verdict(1 - me) < 0)
                    hal_event_wait(HAL_NEVER);
        } else {
            int from, got;
            const struct hal_mail *r;
            while (!(r = hal_mailbox_peek(&from)))
                hal_event_wait(HAL_NEVER);
            memcpy(&got, r->data, sizeof got);
            CHECK_EQ(got, i);
            CHECK_EQ(hal_mailbox_release(from, 0), 0);
        }
    }
}

/* The sender waits for nothing but verdicts. */
static void by_verdict(int me)
{
    struct hal_mail m = {.header = {0}};
    while (hal_mailbox_verdict(1 - me) >= 0) {
    }
    for (int i = 0; i < ROUNDS; i++) {
        int from;
        if (me == 0) {
            CHECK_EQ(hal_mailbox_send(1, &m, 0), 0);
            int verdict;
            while ((verdict = hal_mailbox_verdict(1)) < 0)
                hal_event_wait(HAL_NEVER);
            CHECK_EQ(verdict, i & 255);
        } else {
            while (!hal_mailbox_peek(&from))
                hal_event_wait(HAL_NEVER);
            CHECK_EQ(hal_mailbox_release(from, i & 255), 0);
        }
    }
}

/* More words than slots: both ends wait, the one for a word, the other for a slot. */
static void by_word(int me)
{
    for (uint64_t i = 0; i < ROUNDS; i++) {
        int from;
        uint64_t word;
        if (me == 0) {
            while (hal_sync_signal(1, i) != 0)
                hal_event_wait(HAL_NEVER);
        } else {
            while (hal_sync_peek(&from, &word) != 0)
                hal_event_wait(HAL_NEVER);
            CHECK_EQ(word, i);
            CHECK_EQ(hal_sync_release(from), 0);
        }
    }
}

static void by_grant(int me)
{
    static char data[64];
    for (uint32_t i = 0; i < ROUNDS / 4; i++) {
        if (me == 0) {
            struct hal_grant g;
            int handle;
            while (hal_portal_grant(&g) != 0)
                hal_event_wait(HAL_NEVER);
            CHECK_EQ(hal_portal_put(&g, i, data, sizeof data, HAL_PORTAL_CORE, &handle), 0);
            while (hal_portal_sent(handle) == -B_EAGAIN)
                hal_event_wait(HAL_NEVER);
        } else {
            size_t n;
            uint32_t cookie;
            CHECK_EQ(hal_portal_allow(0, 0, 0, data, sizeof data), 0);
            while (hal_portal_received(0, &n, &cookie) == -B_EAGAIN)
                hal_event_wait(HAL_NEVER);
            CHECK(n == sizeof data && cookie == i);
        }
    }
}

/* The cores of one cluster pass a token round. */
static void token(void *arg)
{
    (void)arg;
    int me = hal_core(), next = (me + 1) % CORES;
    for (int round = 0; round < ROUNDS / 4; round++) {
        while (atomic_load(&turn) != round * CORES + me)
            hal_event_wait(HAL_NEVER);
        atomic_store(&turn, round * CORES + me + 1);
        hal_event_notify(next);
    }
}

/* The same, and each watches for its turn; the last one returns last. */
static void watched_token(void *arg)
{
    token(arg);
    int me = hal_core(), next = (me + 1) % CORES;
    struct b_watch *w = &watched.watch[me];
    for (uint32_t round = 0; round < ROUNDS / 4; round++) {
        w->value = round * CORES + (uint32_t)me;
        while (!b_watch_due(w))
            hal_event_watch(HAL_NEVER, w);
        atomic_store_explicit(&watched.turn, w->value + 1, memory_order_release);
        if (b_watch_asleep(&watched.watch[next]))
            hal_event_notify(next);
    }
}

/* Not a core: writes the word once it has seen the core asleep for long, and raises no event. */
static void *writes_alone(void *arg)
{
    struct b_watch *w = arg;
    const struct timespec shortly = {.tv_nsec = 100000}, later = {.tv_nsec = 3000000};
    while (!atomic_load(&w->asleep))
        thrd_sleep(&shortly, NULL);
    thrd_sleep(&later, NULL);
    atomic_store_explicit(&watched.turn, w->value, memory_order_release);
    return NULL;
}

/* A core whose watch is relaxed finds by itself what it was not told of, because its writer did not
 * see that it went to sleep. */
static void by_look(void)
{
    struct b_watch w = {.word = &watched.turn, .value = 77};
    pthread_t writer;
    hal_event_watch(0, &w);
    if (!atomic_load(&w.relaxed))
        return;
    CHECK_EQ(pthread_create(&writer, NULL, writes_alone, &w), 0);
    while (!b_watch_due(&w))
        hal_event_watch(HAL_NEVER, &w);
    CHECK_EQ(pthread_join(writer, NULL), 0);
    atomic_store(&watched.turn, 0);
}

/* Not a core: writes the word when the core has slept for long, and raises no event. */
static void *writes_unseen(void *arg)
{
    const struct timespec later = {.tv_nsec = 3000000};
    (void)arg;
    thrd_sleep(&later, NULL);
    atomic_store_explicit(&watched.turn, 1, memory_order_release);
    return NULL;
}

/* A core that naps looks at all memory again, though it does not say at which. */
static void by_nap(void)
{
    pthread_t writer;
    if (!hal_event_naps())
        return;
    CHECK_EQ(pthread_create(&writer, NULL, writes_unseen, NULL), 0);
    while (!atomic_load(&watched.turn))
        hal_event_wait(HAL_NEVER);
    CHECK_EQ(pthread_join(writer, NULL), 0);
    atomic_store(&watched.turn, 0);
}

static void boot(void *arg)
{
    (void)arg;
    int me = hal_cluster();
    by_look();
    by_nap();
    by_mail(me);
    contract_meet();
    by_verdict(me);
    contract_meet();
    by_word(me);
    contract_meet();
    by_grant(me);
    contract_meet();
    for (int core = 0; core < CORES; core++) {
        watched.watch[core].word = &watched.turn;
        watched.watch[core].value = UINT32_MAX;
    }
    for (int core = 1; core < hal_machine_cores(hal_machine(), me); core++)
        CHECK_EQ(hal_core_start(core, watched_token, NULL), 0);
    if (hal_machine_cores(hal_machine(), me) == CORES) {
        watched_token(NULL);
        watched.watch[0].value = ROUNDS / 4 * CORES;
        while (!b_watch_due(&watched.watch[0]))
            hal_event_watch(HAL_NEVER, &watched.watch[0]);
    }
}

int main(void)
{
    static const uint64_t spins[] = {0, 1000, 50000};
    for (size_t i = 0; i < sizeof spins / sizeof spins[0]; i++) {
        for (int cores = 1; cores <= CORES; cores += CORES - 1) {
            struct hal_machine m;
            struct hal_options o;
            contract_load("mini", &m, &o);
            m.io_clusters = 0;
            m.compute_cores = (uint32_t)cores; /* one each polls, four each only yield */
            o.spin_ns = spins[i];
            CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
        }
    }
    return 0;
}
