/* SPDX-License-Identifier: MIT */
/* The response to kernel calls that the master core answers, on bare metal (souto-2022, 6.2): of 1
 * to 15 threads, each on a core of its own, with and without a task beside them on the master core
 * that calls as well. What bench/task_calls.c does in virtual time. */
#include <stdatomic.h>

#include <sys/k_info.h>
#include <sys/k_task.h>
#include <sys/k_thread.h>
#include <sys/k_wait.h>
#include <test/on_machine.h>

#include "marks.h"

enum { MOST = 15, CALLS = 64, FIRST_CORE = 2 };
enum { ALONE, BESIDE, HOWS };
#define RESPONSE_MARK(n, how) (2 * (n) + (how))

static struct k_sem gate;
static atomic_int busy; /* threads that still call */

/* Refused, which takes the kernel next to nothing. */
static void call(void)
{
    CHECK(k_page_free(NULL, 1) < 0);
}

static void call_often(void)
{
    for (int i = 0; i < CALLS; i++)
        call();
}

static int call_from_task(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    call();
    return atomic_load(&busy) > 0 ? K_AGAIN : K_USER0;
}

/* Of n threads one, n constant: a mark is part of an instruction. */
#define CALLER(n, how)                                                                             \
    static void caller_##n##_##how(void *arg)                                                      \
    {                                                                                              \
        (void)arg;                                                                                 \
        CHECK_EQ(k_sem_down(&gate, K_FOREVER), 0);                                                 \
        MEASURE(RESPONSE_MARK(n, how), call_often());                                              \
        atomic_fetch_sub(&busy, 1);                                                                \
    }
#define CALLERS(n) CALLER(n, ALONE) CALLER(n, BESIDE)
#define NAMES(n)   {caller_##n##_ALONE, caller_##n##_BESIDE},
#define EACH(F)    F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15)
EACH(CALLERS)
static void (*const caller[MOST][HOWS])(void *arg) = {EACH(NAMES)};

static void run(int n, int how, struct k_task *task)
{
    int id[MOST];
    k_sem_init(&gate, 0);
    atomic_store(&busy, n);
    for (int i = 0; i < n; i++) {
        id[i] = k_thread_create(&(struct k_thread_attr){
            .entry = caller[n - 1][how], .name = "caller", .core = FIRST_CORE + i});
        CHECK(id[i] >= 0);
    }
    if (how == BESIDE)
        CHECK_EQ(k_task_dispatch(task, NULL), 0);
    for (int i = 0; i < n; i++)
        k_sem_up(&gate);
    for (int i = 0; i < n; i++)
        CHECK_EQ(k_thread_join(id[i], NULL), 0);
    if (how == BESIDE)
        CHECK_EQ(k_task_wait(task, K_FOREVER, NULL), 0);
}

static int body(void *arg)
{
    static const char *const what[HOWS] = {"response of threads only",
                                           "response with the Dispatcher"};
    struct k_task task;
    (void)arg;
    CHECK_EQ(k_task_create(&task, &(struct k_task_attr){.fn = call_from_task, .core = 0}), 0);
    for (int n = 1; n <= MOST; n++) {
        for (int how = 0; how < HOWS; how++) {
            char name[64];
            run(n, how, &task);
            snprintf(name, sizeof name, "%d threads: %s", n, what[how]);
            mark_name(RESPONSE_MARK(n, how), CALLS, MARK_STEPS, name);
        }
    }
    return 0;
}

int main(void)
{
    struct hal_machine m;
    one_cluster("riscv-256", true, &m);
    return on_machine(&m, body, NULL);
}
