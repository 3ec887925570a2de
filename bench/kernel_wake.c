/* SPDX-License-Identifier: MIT */
/* Waking a thread on another core, one way: while that core polls, and (on linux) when it has
 * gone to sleep in the host. Beside it what the hardware takes: a cache line that goes to the
 * other core. */
#include "kernel_bench.h"

static bool stop;
static struct k_sem ping, pong;

static void answer(void *arg)
{
    (void)arg;
    for (;;) {
        k_sem_down(&ping, K_FOREVER);
        if (stop)
            return;
        k_sem_up(&pong);
    }
}

static void wakes(int count)
{
    for (int i = 0; i < count; i += 2) {
        k_sem_up(&ping);
        k_sem_down(&pong, K_FOREVER);
    }
}

/* A word in a line of its own, written in turns by two cores. */
static struct {
    char before[64];
    volatile int word;
    char after[64];
} line;

static void echo(void *arg)
{
    (void)arg;
    for (int next = 1; next >= 0; next += 2) {
        while (__atomic_load_n(&line.word, __ATOMIC_ACQUIRE) != next)
            if (stop)
                return;
        __atomic_store_n(&line.word, next + 1, __ATOMIC_RELEASE);
    }
}

static void lines(int count)
{
    for (int i = 0; i < count; i += 2) {
        int word = line.word + 1;
        __atomic_store_n(&line.word, word, __ATOMIC_RELEASE);
        while (__atomic_load_n(&line.word, __ATOMIC_ACQUIRE) != word + 1) {
        }
    }
}

static int body(void *arg)
{
    struct k_info info;
    (void)arg;
    k_info(&info);
    int other = info.user_core + 1, id;
    if (!on_sim()) {
        id = bench_thread(echo, other);
        bench_report("cache line to another core", "", 20000, lines);
        stop = true;
        k_thread_join(id, NULL);
        stop = false;
    }
    k_sem_init(&ping, 0);
    k_sem_init(&pong, 0);
    id = bench_thread(answer, other);
    bench_report("wake-up of another core", "", on_sim() ? 100 : 20000, wakes);
    stop = true;
    k_sem_up(&ping);
    k_thread_join(id, NULL);
    return 0;
}

int main(void)
{
    return bench_cluster(on_sim(), body);
}
