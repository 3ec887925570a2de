/* SPDX-License-Identifier: MIT */
/* The response time of a master call on mppa256 (souto-2022, 6.2): asked by a thread of another
 * core, by a task on the master core, and by both at once, for 1 to 15 threads; with the argument
 * `each` for every number of them. */
#include <sys/k_task.h>

#include "kernel_bench.h"

enum { MOST = 15, CALLS = 200 };

/* One of those who call; each on a core of its own. */
struct caller {
    uint64_t cycles; /* in its calls */
    int calls;
};

static struct caller threads[MOST], dispatcher;
static struct k_sem gate;
static int busy; /* threads that still call */

static void call(struct caller *c)
{
    uint64_t begin = bench_now();
    k_page_free(NULL, 1); /* refused, which takes the kernel next to nothing */
    c->cycles += bench_now() - begin;
    c->calls++;
}

static void call_from_thread(void *arg)
{
    k_sem_down(&gate, K_FOREVER);
    for (int i = 0; i < CALLS; i++)
        call(arg);
    busy--; /* on sim only one core runs at a time */
}

static int call_from_task(long alone, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    call(&dispatcher);
    return (alone ? dispatcher.calls < CALLS : busy > 0) ? K_AGAIN : K_USER0;
}

/* The mean response of n threads, in cycles; `with`: while a task calls too. */
static double run(int n, struct k_task *with)
{
    int id[MOST];
    memset(threads, 0, sizeof threads);
    k_sem_init(&gate, 0);
    busy = n;
    for (int i = 0; i < n; i++) {
        id[i] = k_thread_create(&(struct k_thread_attr){
            .entry = call_from_thread, .arg = &threads[i], .name = "caller", .core = 2 + i});
    }
    if (with) {
        dispatcher = (struct caller){0, 0};
        k_task_dispatch(with, (long[K_TASK_ARGS]){n == 0});
    }
    for (int i = 0; i < n; i++)
        k_sem_up(&gate);
    uint64_t cycles = 0;
    for (int i = 0; i < n; i++) {
        k_thread_join(id[i], NULL);
        cycles += threads[i].cycles;
    }
    if (with)
        k_task_wait(with, K_FOREVER, NULL);
    return n > 0 ? (double)cycles / n / CALLS : 0;
}

static double response(void)
{
    return (double)dispatcher.cycles / dispatcher.calls;
}

static int step = 7; /* from one number of threads to the next; set once */

static int body(void *arg)
{
    struct k_task task;
    (void)arg;
    k_task_create(&task, &(struct k_task_attr){.fn = call_from_task, .core = 0});
    run(0, &task);
    double alone = response(), thread = run(1, NULL);
    printf("mppa256: master call of a task,%.0f,cycles,\n", alone);
    printf("mppa256: master call of a thread,%.0f,cycles,\n", thread);
    printf("mppa256: master call thread / task,%.2f,ratio,>= 3.1\n", thread / alone);
    for (int n = 1; n <= MOST; n += step) {
        double free = run(n, NULL), competing = run(n, &task);
        printf("mppa256: %d threads: response of threads only,%.0f,cycles,\n", n, free);
        printf("mppa256: %d threads: response with the Dispatcher,%.0f,cycles,\n", n, competing);
        printf("mppa256: %d threads: response of the Dispatcher,%.0f,cycles,\n", n, response());
        printf("mppa256: %d threads: with the Dispatcher / threads only,%.2f,ratio,<= 1.22\n", n,
               competing / free);
    }
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    bench_words(argc, argv, "each", NULL);
    step = bench_said(argc, argv, "each") ? 1 : step;
    return bench_cluster(true, body);
}
