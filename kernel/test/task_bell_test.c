/* SPDX-License-Identifier: MIT */
/* Tasks of a bell: who runs them, when and in which order; what of an ordinary task they cannot
 * have; kernel calls that core 0 serves, made in them; releases from all cores at once. */
#include <sys/k_bell.h>

#include <test/crew.h>

#include "task.h"

static struct k_bell bell;
static int runs, turns;

static void create_bound(struct k_task *t, k_task_fn *fn)
{
    CHECK_EQ(k_task_create(t, &(struct k_task_attr){.fn = fn, .core = K_ANY, .bell = &bell}), 0);
}

static int note(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    say((char)a0);
    runs++;
    return 0;
}

/* Nobody else runs them, however long it takes; their owner does, in the order of release. */
static void check_order(void)
{
    struct k_task t[3];
    for (int i = 0; i < 3; i++)
        create_bound(&t[i], note);
    CHECK(heard(""));
    for (int i = 2; i >= 0; i--) {
        CHECK_EQ(k_task_set(&t[i], K_TASK_ARG0, 'a' + i), 0);
        CHECK_EQ(k_task_signal_own(&t[i]), 0);
    }
    k_thread_sleep(20000);
    CHECK(heard(""));
    CHECK_EQ(k_task_unlink(&t[1]), -B_EBUSY);
    CHECK_EQ(k_task_error(&t[1], -B_EIO), 0); /* out of the middle */
    CHECK_EQ(k_bell_wait(&bell, 0), 0);
    CHECK_EQ(k_bell_take(&bell), K_BELL_TASK);
    CHECK_EQ(k_task_serve(&bell), 2);
    CHECK(heard("ca"));
    CHECK_EQ(k_task_serve(&bell), 0);
    CHECK_EQ(k_bell_take(&bell), 0);
    unlink_all(t, 3);
}

/* What it is refused. */
static void stranger(int me, void *arg)
{
    (void)me;
    CHECK_EQ(k_task_serve(&bell), -B_EPERM);
    CHECK_EQ(k_task_signal_own(arg), -B_EPERM);
}

static void check_bad(void)
{
    struct k_task t;
    struct k_bell nobodys = {0};
    struct crew_member m;
    struct k_task_attr attr = {.fn = note, .core = 0, .bell = &bell};
    CHECK_EQ(k_task_create(&t, &attr), -B_EINVAL);
    attr = (struct k_task_attr){.fn = note, .core = K_ANY, .bell = &nobodys};
    CHECK_EQ(k_task_create(&t, &attr), -B_EINVAL);
    attr = (struct k_task_attr){.fn = note, .core = K_ANY, .bell = &bell, .period = 1};
    CHECK_EQ(k_task_create(&t, &attr), -B_EINVAL);
    create_bound(&t, note);
    CHECK_EQ(k_task_emit(&t, 0, NULL), -B_EINVAL);
    CHECK_EQ(k_task_signal_own(NULL), -B_EFAULT);
    CHECK_EQ(k_task_set(&t, K_TASK_PERIOD, 1), -B_EINVAL);
    CHECK_EQ(k_task_serve(NULL), -B_EFAULT);
    crew_start(&m, 1, K_ANY, stranger, &t);
    crew_join(&m, 1);
    CHECK_EQ(k_task_unlink(&t), 0);
    create(&t, note);
    CHECK_EQ(k_task_signal_own(&t), -B_EPERM); /* of no bell */
    CHECK_EQ(k_task_unlink(&t), 0);
}

/* In a task the thread is itself: it may call core 0, and may not wait for tasks or serve. */
static int busy(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    void *page;
    CHECK(k_task_current() == (struct k_task *)a0);
    CHECK_EQ(k_page_alloc(1, &page), 0);
    CHECK(k_task_current() == (struct k_task *)a0);
    CHECK_EQ(k_page_free(page, 1), 0);
    CHECK_EQ(k_task_serve(&bell), -B_EPERM);
    CHECK_EQ(k_task_wait((struct k_task *)a0, K_FOREVER, NULL), -B_EPERM);
    k_task_pass(0, 'x');
    return K_USER1 | (++turns < 3 ? K_AGAIN : 0);
}

static void check_graph(void)
{
    struct k_task t, after;
    struct k_arc arc = {0};
    create_bound(&t, busy);
    create_bound(&after, note);
    connect(&arc, &t, &after, K_FLOW, K_USER1);
    turns = 0;
    CHECK_EQ(k_task_dispatch(&t, (long[]){(long)&t, 0, 0, 0, 0}), 0);
    while (k_bell_take(&bell) != 0)
        CHECK(k_task_serve(&bell) >= 0);
    CHECK(heard("xxx"));
    CHECK(!k_task_current());
    disconnect_all(&arc, 1);
    unlink_all(&t, 1);
    unlink_all(&after, 1);
}

/* A task that comes again and again leaves the thread time for other things. */
static int endless(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    runs++;
    return K_AGAIN;
}

static void check_bounded(void)
{
    struct k_task t;
    create_bound(&t, endless);
    runs = 0;
    CHECK_EQ(k_task_dispatch(&t, NULL), 0);
    int n = k_task_serve(&bell);
    CHECK(n > 0 && n == runs);
    CHECK_EQ(k_bell_take(&bell), K_BELL_TASK);
    CHECK_EQ(k_task_error(&t, -B_EIO), 0);
    CHECK_EQ(k_task_serve(&bell), 0);
    CHECK_EQ(k_task_unlink(&t), 0);
}

/* Threads on all cores release the task; its owner sleeps, and no release is lost. */
enum { SIGNALS = 50, THREADS = 8 };

static int count(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    runs++;
    return 0;
}

static void signal_often(int me, void *arg)
{
    (void)me;
    for (int i = 0; i < SIGNALS; i++) {
        CHECK_EQ(k_task_signal(arg), 0);
        k_thread_yield();
    }
}

static void check_releases(void)
{
    struct k_task t;
    struct crew_member m[THREADS];
    struct k_info info;
    k_info(&info);
    int n = info.cores - info.user_core;
    n = n < THREADS ? n : THREADS;
    create_bound(&t, count);
    runs = 0;
    for (int i = 0; i < n; i++)
        crew_start(&m[i], 1, info.user_core + i, signal_often, &t);
    while (runs < n * SIGNALS) {
        CHECK_EQ(k_bell_wait(&bell, K_FOREVER), 0);
        k_bell_take(&bell);
        k_task_serve(&bell);
    }
    CHECK_EQ(runs, n * SIGNALS);
    for (int i = 0; i < n; i++)
        crew_join(&m[i], 1);
    CHECK_EQ(k_task_unlink(&t), 0);
}

static int body(void *arg)
{
    (void)arg;
    CHECK_EQ(k_bell_init(&bell, "tasks"), 0);
    check_bad();
    check_order();
    check_graph();
    check_bounded();
    check_releases();
    return 0;
}

int main(void)
{
    return on_machines(body);
}
