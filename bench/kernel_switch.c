/* SPDX-License-Identifier: MIT */
/* From one flow of control to another on the same core: the bare context switch, the yield of one
 * thread to another, and a semaphore that passes back and forth between two. */
#include <hal/context.h>
#include <hal/mem.h>

#include "kernel_bench.h"

static struct hal_context here, there;

/* Both contexts wait at the same place, as threads in the kernel do. */
static __attribute__((noinline, noclone)) void alternate(struct hal_context *me,
                                                         struct hal_context *other, int count)
{
    for (int i = 0; i < count; i += 2)
        hal_context_switch(me, other);
}

static void bounce(void *arg)
{
    (void)arg;
    for (;;)
        alternate(&there, &here, 100000);
}

static void switches(int count)
{
    alternate(&here, &there, count);
}

static void yields(int count)
{
    for (int i = 0; i < count; i += 2) /* the other thread yields as often */
        k_thread_yield();
}

static bool stop;
static struct k_sem ping, pong;

static void keep_yielding(void *arg)
{
    (void)arg;
    while (!stop)
        k_thread_yield();
}

static void handovers(int count)
{
    for (int i = 0; i < count; i += 2) {
        k_sem_up(&ping);
        k_sem_down(&pong, K_FOREVER);
    }
}

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

static void creates(int count)
{
    for (int i = 0; i < count; i++)
        k_thread_join(bench_thread(keep_yielding, 1), NULL);
}

static int body(void *arg)
{
    struct k_info info;
    (void)arg;
    k_info(&info);
    int count = on_sim() ? 100 : 20000;
    int id = bench_thread(keep_yielding, info.core);
    bench_report("thread yield", "", count, yields);
    stop = true;
    k_thread_join(id, NULL);
    bench_report("thread create and join on another core", "", count / 20, creates);

    stop = false;
    k_sem_init(&ping, 0);
    k_sem_init(&pong, 0);
    id = bench_thread(answer, info.core);
    bench_report("semaphore hand-over on one core", "", count, handovers);
    stop = true;
    k_sem_up(&ping);
    k_thread_join(id, NULL);
    return 0;
}

/* The bare switch needs no kernel; on sim it is the same code. */
static int context(void *arg)
{
    void *stack;
    size_t size;
    (void)arg;
    if (hal_stack_alloc(0, &stack, &size) != 0)
        return 1;
    hal_context_init(&there, stack, size, bounce, NULL);
    bench_report("context switch", "<= 8", 100000, switches);
    hal_context_fini(&there);
    hal_stack_free(stack, size);
    return 0;
}

int main(void)
{
    int status = on_sim() ? 0 : bench_cluster(false, context);
    return status != 0 ? status : bench_cluster(on_sim(), body);
}
