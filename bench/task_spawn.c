/* SPDX-License-Identifier: MIT */
/* Flows of control by threads and by tasks on mppa256 (souto-2022, 6.1 and 6.2): 1 to 21 of them
 * created and waited for, in cycles and joules, and how many fit in a megabyte. The published
 * ratios are named in the figures; they are no targets of single values. With the argument `each`
 * for every number of flows, else for a few. */
#include <kernel/cluster.h>
#include <kernel/mem.h>
#include <sys/k_task.h>

#include "kernel_bench.h"

enum { MOST = 21, ROUNDS = 20 };

struct cost {
    double spawn, join; /* cycles per flow */
    double joules;      /* of one round: all flows, all cores of the cluster */
};

static int nothing(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    return 0;
}

static void end_at_once(void *arg)
{
    (void)arg;
}

static int thread_id[MOST];
static struct k_task task[MOST];

static void spawn_threads(int n)
{
    for (int i = 0; i < n; i++)
        thread_id[i] = bench_thread(end_at_once, K_ANY);
}

static void join_threads(int n)
{
    for (int i = 0; i < n; i++)
        k_thread_join(thread_id[i], NULL);
}

static void spawn_tasks(int n)
{
    for (int i = 0; i < n; i++) {
        k_task_create(&task[i], &(struct k_task_attr){.fn = nothing, .core = K_ANY});
        k_task_dispatch(&task[i], NULL);
    }
}

static void join_tasks(int n)
{
    for (int i = 0; i < n; i++)
        k_task_wait(&task[i], K_FOREVER, NULL);
}

static struct cost measure(int n, void (*spawn)(int n), void (*join)(int n))
{
    struct cost c = {0, 0, 0};
    double before = bench_joules();
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t begin = bench_now();
        spawn(n);
        uint64_t middle = bench_now();
        join(n);
        c.spawn += (double)(middle - begin) / (ROUNDS * n);
        c.join += (double)(bench_now() - middle) / (ROUNDS * n);
    }
    c.joules = (bench_joules() - before) / ROUNDS;
    return c;
}

/* What souto-2022, 6.2 says. */
static const char *target(int n, const char *what)
{
    if (n == MOST)
        return strcmp(what, "spawn") == 0 ? ">= 15.3" : strcmp(what, "energy") == 0 ? ">= 6.6" : "";
    return n == 1 && strcmp(what, "spawn") == 0 ? ">= 2" : "";
}

static void show(int n, const char *what, const char *unit, double thread, double other)
{
    printf("mppa256: %d flows: %s of a thread,%.5g,%s,\n", n, what, thread, unit);
    printf("mppa256: %d flows: %s of a task,%.5g,%s,\n", n, what, other, unit);
    printf("mppa256: %d flows: %s thread / task,%.2f,ratio,%s\n", n, what, thread / other,
           target(n, what));
}

static int step = 10; /* from one number of flows to the next; set once */

static int spawn_body(void *arg)
{
    (void)arg;
    spawn_tasks(1); /* the first one of a cluster makes its Dispatchers, once for all */
    join_tasks(1);
    for (int n = 1; n <= MOST; n += step) {
        struct cost threads = measure(n, spawn_threads, join_threads);
        struct cost tasks = measure(n, spawn_tasks, join_tasks);
        show(n, "spawn", "cycles", threads.spawn, tasks.spawn);
        show(n, "join", "cycles", threads.join, tasks.join);
        show(n, "energy", "J", threads.joules, tasks.joules);
    }
    fflush(stdout);
    return 0;
}

/* What one more flow takes of a cluster's memory. A thread: its slot in the kernel's pool and its
 * stack. A task: its share of the pages that hold tasks, all of them dispatched and stopped. */
static int memory_body(void *arg)
{
    (void)arg;
    struct hal_machine m = *hal_machine();
    size_t many = kern_cluster_size(&m, 0);
    m.threads -= 32;
    double thread = (double)(many - kern_cluster_size(&m, 0)) / 32 + m.stack_size;

    size_t before, after;
    int flows = 0;
    struct k_task *t;
    k_memory(&before, NULL, NULL);
    while (k_page_alloc(m.page_size, (void **)&t) == 0) {
        struct k_task_attr attr = {.fn = nothing, .criterion = K_TO_STOPPED};
        for (size_t i = 0; i < m.page_size / sizeof *t; i++, flows++)
            if (k_task_create(&t[i], &attr) != 0 || k_task_dispatch(&t[i], NULL) != 0)
                return 1;
    }
    k_memory(&after, NULL, NULL);
    double per_task = (double)(after - before) / flows;
    printf("mppa256: threads per MB,%.1f,flows,\n", (1 << 20) / thread);
    printf("mppa256: tasks per MB,%.1f,flows,\n", (1 << 20) / per_task);
    printf("mppa256: tasks in flight in what a cluster has left,%d,flows,\n", flows);
    printf("mppa256: flows per MB task / thread,%.1f,ratio,>= 63.2\n", thread / per_task);
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    bench_words(argc, argv, "each", NULL);
    step = bench_said(argc, argv, "each") ? 1 : step;
    int status = bench_cluster(true, spawn_body);
    return status != 0 ? status : bench_cluster(true, memory_body);
}
