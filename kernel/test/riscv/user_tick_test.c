/* SPDX-License-Identifier: MIT */
/* Threads in user mode that compute and never call. On the same core others still sleep and wake in
 * time, and read messages, which on core 0 of the variants with tasks its Dispatcher moves; the
 * program's own Dispatcher there runs a periodic task. What
 * they compute in registers of both kinds is not disturbed. */
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_sync.h>
#include <sys/k_task.h>

#include "../ikc.h"

enum { PORT = 4, MESSAGES = 20, NAPS = 20, BUSY = 2 };

static volatile int stop;
static int rounds[BUSY];

/* How often the core went on from one that computes to another. Where many threads of QEMU share
 * few processors a hart may stand still for long, so a nap is judged by this, and only the best by
 * the clock. */
static volatile int turns, computed_last;

static void note(int me)
{
    turns += computed_last != me;
    computed_last = me;
}

/* The same sums again and again, with many values in registers at a time. */
static void computes(void *arg)
{
    int me = (int)(long)arg;
    while (!stop) {
        note(me);
        double a = 1, b = 0.5 + me, c = 0;
        uint64_t x = 1, y = (uint64_t)me + 3;
        for (int i = 0; i < 1000; i++) {
            a = a * 0.5 + b;
            c += a - b;
            x = x * 6364136223846793005u + y;
            y ^= x >> 33;
        }
        static double was[BUSY];
        static uint64_t had[BUSY];
        if (rounds[me]++ == 0) {
            was[me] = c;
            had[me] = x ^ y;
        }
        CHECK(was[me] == c && had[me] == (x ^ y));
    }
}

static void reads(void *arg)
{
    int in = (int)(long)arg;
    for (int i = 0; i < MESSAGES; i++) {
        int got;
        CHECK_EQ(k_mailbox_read(in, &got, sizeof got, NULL), sizeof got);
        CHECK_EQ(got, i);
    }
}

static int ticks;

static int tick(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    ticks++;
    return K_PERIODIC;
}

static void start_ticks(const struct k_info *info)
{
    static struct k_task t;
    struct k_task_attr attr = {
        .fn = tick, .criterion = K_TO_PERIODIC, .period = info->hz / 1000, .core = info->user_core};
    CHECK_EQ(k_task_create(&t, &attr), 0);
    CHECK_EQ(k_task_dispatch(&t, NULL), 0);
}

static int start(void (*entry)(void *arg), long arg, int core)
{
    struct k_thread_attr attr = {entry, (void *)arg, "worker", core, 0};
    int id = k_thread_create(&attr);
    CHECK(id >= 0);
    return id;
}

/* Naps of a slice: until one is over a slice or two pass, then everybody else has one. A tick may
 * also come just before the nap and just after it. */
static void nap_often(const struct k_info *info)
{
    uint64_t nap = info->hz / 1000, best = UINT64_MAX;
    const int most = 2 + 3 * BUSY;
    for (int i = 0; i < NAPS; i++) {
        uint64_t begin = k_time_cycles();
        int before = turns;
        k_thread_sleep(nap);
        uint64_t slept = k_time_cycles() - begin;
        best = slept < best ? slept : best;
        CHECK(slept >= nap);
        CHECK(turns - before <= most);
    }
    CHECK(best < (uint64_t)most * nap);
}

static void receive(const struct k_info *info)
{
    int id[BUSY + 1], in = k_mailbox_create(PORT);
    for (int i = 0; i < BUSY; i++)
        id[i] = start(computes, i, info->user_core);
    id[BUSY] = start(reads, in, info->user_core);
    ikc_meet(2);
    start_ticks(info);
    nap_often(info);
    CHECK(ticks >= NAPS / 2); /* as naps, which they are */
    CHECK_EQ(k_thread_join(id[BUSY], NULL), 0);
    stop = 1;
    for (int i = 0; i < BUSY; i++) {
        CHECK_EQ(k_thread_join(id[i], NULL), 0);
        CHECK(rounds[i] > 0);
    }
    CHECK_EQ(k_mailbox_unlink(in), 0);
}

static void send(void)
{
    int out = k_mailbox_open(0, PORT);
    ikc_meet(2);
    for (int i = 0; i < MESSAGES; i++)
        CHECK_EQ(k_mailbox_write(out, &i, sizeof i), sizeof i);
    CHECK_EQ(k_mailbox_close(out), 0);
}

static int body(void *arg)
{
    struct k_info info;
    (void)arg;
    k_info(&info);
    if (info.cluster == 0)
        receive(&info);
    else if (info.cluster == 1)
        send();
    return 0;
}

int main(void)
{
    return ikc_on_machines(body);
}
