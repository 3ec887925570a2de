/* SPDX-License-Identifier: MIT */
/* The task engine on one core: a task created, dispatched and waited for, by kernel calls and
 * inside the kernel; a flow of ten tasks; and, on linux, a million tasks in flight and the memory
 * that they take. */
#include <sys/resource.h>

#include <kernel/task.h>
#include <sys/k_task.h>

#include "kernel_bench.h"

enum { CHAIN = 10, MILLION = 1000000 };

static int nothing(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    return 0;
}

static const struct k_task_attr plain = {.fn = nothing};

static void single(int count)
{
    for (int i = 0; i < count; i++) {
        struct k_task t;
        k_task_create(&t, &plain);
        k_task_dispatch(&t, NULL);
        k_task_wait(&t, K_FOREVER, NULL);
    }
}

static void inside(int count)
{
    for (int i = 0; i < count; i++) {
        struct k_task t;
        kern_task_create(&t, &plain);
        kern_task_dispatch(&t, NULL);
        kern_task_wait(&t, K_FOREVER, NULL);
    }
}

static void again(int count)
{
    struct k_task t;
    k_task_create(&t, &plain);
    for (int i = 0; i < count; i++) {
        k_task_dispatch(&t, NULL);
        k_task_wait(&t, K_FOREVER, NULL);
    }
}

static struct k_task chain[CHAIN];
static struct k_arc arcs[CHAIN - 1];

static void flows(int count)
{
    for (int i = 0; i < count; i += CHAIN) {
        k_task_dispatch(&chain[0], NULL);
        k_task_wait(&chain[CHAIN - 1], K_FOREVER, NULL);
    }
}

static void make_chain(void)
{
    for (int i = 0; i < CHAIN; i++) {
        k_task_create(&chain[i], &plain);
        if (i > 0)
            k_task_connect(&arcs[i - 1], &chain[i - 1], &chain[i], K_DEPENDENCY, K_USER0);
    }
}

static double resident_mb(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss * 1024 / 1e6;
}

static void million(void)
{
    double before = resident_mb();
    struct k_task *t = malloc(MILLION * sizeof *t);
    if (!t) {
        printf("no memory\n"); /* which is no figure, so run.py will say so */
        return;
    }
    uint64_t begin = bench_now();
    for (int i = 0; i < MILLION; i++) {
        k_task_create(&t[i], &plain);
        k_task_dispatch(&t[i], NULL);
    }
    printf("linux: a million tasks in flight,%.1f,MB,<= 130\n", resident_mb() - before);
    for (int i = 0; i < MILLION; i++)
        k_task_wait(&t[i], K_FOREVER, NULL);
    printf("linux: one of a million tasks in flight,%.1f,ns,\n",
           (double)(bench_now() - begin) / MILLION);
    free(t);
}

static int body(void *arg)
{
    (void)arg;
    int count = on_sim() ? 100 : 100000;
    bench_report("task create + dispatch + wait", "<= 60", count, single);
    bench_report("task create + dispatch + wait in the kernel", "<= 60", count, inside);
    bench_report("task dispatch + wait", "", count, again);
    make_chain();
    bench_report("task of a chain of ten", "", count, flows);
    if (!on_sim())
        million();
    fflush(stdout);
    return 0;
}

int main(void)
{
    return bench_cores(false, 1, body);
}
