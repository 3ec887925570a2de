/* SPDX-License-Identifier: MIT */
/* What conclusions do: choice, dependencies, periods, loops, again, stop, errors and catches. */
#include "task.h"

/* A branch for each regular conclusion; two at once release both. */
static void check_choice(void)
{
    struct k_task t[4];
    struct k_arc a[3] = {{0}};
    make(t, 4, conclude);
    for (int i = 0; i < 3; i++)
        connect(&a[i], &t[0], &t[i + 1], K_FLOW, K_USER0 << i);
    static const struct {
        int conclusion;
        const char *ran;
    } cases[] = {
        {0, "01"},  {K_USER0, "01"}, {K_USER1, "02"}, {K_USER2, "03"}, {K_USER0 | K_USER2, "013"},
        {7, "0123"}};
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        start(t, 0, cases[i].conclusion);
        settle();
        CHECK(heard(cases[i].ran));
    }
    disconnect_all(a, 3);
    unlink_all(t, 4);
}

/* What makes no sense as a conclusion is an error of the task. */
static void check_bad_conclusions(void)
{
    static const int bad[] = {K_THROW, K_CATCH, 256, K_AGAIN | K_STOP, K_STOP | K_PERIODIC,
                              1 << 30};
    struct k_task t;
    create(&t, conclude);
    for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++) {
        CHECK_EQ(k_task_dispatch(&t, (long[]){'x', bad[i], 0, 0, 0}), 0);
        CHECK_EQ(k_task_wait(&t, K_FOREVER, NULL), -B_EINVAL);
        CHECK_EQ(field(&t, K_TASK_STATE), K_TASK_ERROR);
    }
    CHECK(heard("xxxxxx"));
    unlink_all(&t, 1);
}

/* Two parents, one of them temporary: both are needed once, then the other one is enough. */
static void check_parents(void)
{
    struct k_task t[3];
    struct k_arc a[2] = {{0}};
    make(t, 3, conclude);
    connect(&a[0], &t[0], &t[2], K_DEPENDENCY, USUAL);
    connect(&a[1], &t[1], &t[2], K_DEPENDENCY | K_TEMPORARY, USUAL);
    start(t, 0, 0);
    settle();
    CHECK(heard("0"));
    CHECK_EQ(field(&t[2], K_TASK_DEPENDENCIES), 2);
    start(t, 1, 0);
    settle();
    CHECK(heard("12"));
    CHECK_EQ(field(&t[2], K_TASK_DEPENDENCIES), 1);
    start(t, 1, 0);
    start(t, 0, 0);
    settle();
    CHECK(heard("102"));
    CHECK_EQ(k_task_disconnect(&a[1]), -B_ENOENT);
    CHECK_EQ(k_task_disconnect(&a[0]), 0);
    unlink_all(t, 3);
}

/* A dependency that is met more often than the others is not forgotten, and does not stand in for
 * them. */
static void check_tokens(void)
{
    struct k_task t[3];
    struct k_arc a[2] = {{0}};
    make(t, 3, conclude);
    connect(&a[0], &t[0], &t[2], K_DEPENDENCY, USUAL);
    connect(&a[1], &t[1], &t[2], K_DEPENDENCY, USUAL);
    start(t, 0, 0);
    start(t, 0, 0);
    settle();
    CHECK(heard("00"));
    start(t, 1, 0);
    settle();
    CHECK(heard("12"));
    start(t, 1, 0);
    settle();
    CHECK(heard("12"));
    start(t, 0, 0);
    CHECK_EQ(k_task_disconnect(&a[1]), 0); /* what is left is met */
    settle();
    CHECK(heard("02"));
    CHECK_EQ(k_task_disconnect(&a[0]), 0);
    unlink_all(t, 3);
}

/* Runs a0 times, each a period after the last. */
static int tick(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct k_task *self = k_task_current();
    say('t');
    CHECK_EQ(k_task_set(self, K_TASK_ARG0, a0 - 1), 0);
    return a0 > 1 ? K_PERIODIC : K_USER0;
}

static void check_period(void)
{
    struct k_task t;
    uint64_t begin = k_time_cycles(), period = 20000;
    CHECK_EQ(k_task_create(&t, &(struct k_task_attr){.fn = tick, .period = period, .core = 0}), 0);
    dispatch(&t, 10);
    await(&t);
    CHECK(k_time_cycles() - begin >= 9 * period);
    CHECK(heard("tttttttttt"));
    CHECK_EQ(k_task_set(&t, K_TASK_PERIOD, 0), 0); /* no period: at once */
    dispatch(&t, 10);
    await(&t);
    CHECK(heard("tttttttttt"));
    unlink_all(&t, 1);
}

/* A loop of one task, each turn of which waits first for the period. */
static int count_down(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    say('t');
    k_task_pass(0, a0 - 1);
    return a0 > 1 ? K_USER0 : K_USER1;
}

static void check_periodic_loop(void)
{
    struct k_task t;
    struct k_arc loop = {0};
    uint64_t begin = k_time_cycles(), period = 10000;
    CHECK_EQ(k_task_create(&t, &(struct k_task_attr){.fn = count_down,
                                                     .criterion = K_TO_PERIODIC,
                                                     .period = period,
                                                     .releases = K_USER1,
                                                     .core = 0}),
             0);
    connect(&loop, &t, &t, K_FLOW, K_USER0);
    dispatch(&t, 10);
    await(&t);
    CHECK(k_time_cycles() - begin >= 10 * period);
    CHECK(heard("tttttttttt"));
    CHECK_EQ(k_task_disconnect(&loop), 0);
    unlink_all(&t, 1);
}

/* Three tasks: 0 and 1 release each other for ever, 0 and 2 once. */
static int ten_in_all(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    say((char)a0);
    return said.n < 10 ? K_USER0 : K_USER1;
}

static void check_complex_loop(unsigned type)
{
    struct k_task t[3];
    struct k_arc a[4] = {{0}};
    make(t, 3, ten_in_all);
    connect(&a[0], &t[0], &t[1], type, K_USER0);
    connect(&a[1], &t[1], &t[0], type, K_USER0);
    connect(&a[2], &t[0], &t[2], type | K_TEMPORARY, K_USER0);
    connect(&a[3], &t[2], &t[0], type | K_TEMPORARY, K_USER0);
    CHECK_EQ(k_task_dispatch(&t[0], NULL), 0);
    settle();
    CHECK_EQ(said.n, type == K_FLOW ? 11 : 10); /* two walks through the loop, or one */
    said.text[10] = '\0';
    CHECK(heard("0120101010"));
    disconnect_all(a, 2);
    CHECK_EQ(k_task_disconnect(&a[2]), -B_ENOENT);
    CHECK_EQ(k_task_disconnect(&a[3]), -B_ENOENT);
    unlink_all(t, 3);
}

/* Again: behind what is ready; a low task and a high one that go on and on let others run. */
static int three_times(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    say((char)a0);
    k_task_set(k_task_current(), K_TASK_ARG0 + 1, a1 + 1);
    return a1 < 2 ? K_AGAIN : K_USER0;
}

static void check_again(void)
{
    struct k_task t[3], after;
    struct k_arc a[2] = {{0}};
    make(t, 3, three_times);
    create(&after, speak);
    CHECK_EQ(k_task_set(&after, K_TASK_ARG0, 'a'), 0);
    connect(&a[0], &t[0], &after, K_FLOW, K_AGAIN);
    CHECK_EQ(k_task_dispatch(&t[0], NULL), 0);
    await(&t[0]);
    settle();
    CHECK(heard("0a0a0"));
    CHECK_EQ(k_task_disconnect(&a[0]), 0);
    unlink_all(t, 3);
    unlink_all(&after, 1);
}

static void check_stop(void)
{
    struct k_task t, next;
    struct k_arc a = {0};
    CHECK_EQ(
        k_task_create(
            &t, &(struct k_task_attr){.fn = conclude, .releases = K_STOP | K_USER1, .core = 0}),
        0);
    create(&next, speak);
    CHECK_EQ(k_task_set(&next, K_TASK_ARG0, 'n'), 0);
    connect(&a, &t, &next, K_FLOW, K_STOP);
    CHECK_EQ(k_task_dispatch(&t, (long[]){'s', K_STOP, 0, 0, 0}), 0);
    await(&t);
    settle();
    CHECK_EQ(field(&t, K_TASK_STATE), K_TASK_STOPPED);
    CHECK(heard("sn"));
    CHECK_EQ(k_task_resume(&t), 0);
    await(&t);
    settle();
    CHECK(heard("sn"));
    long value = 0;
    CHECK_EQ(k_task_complete(&t, K_USER1, 77), 0); /* without running */
    CHECK_EQ(k_task_wait(&t, K_FOREVER, &value), 0);
    CHECK_EQ(value, 77);
    CHECK_EQ(field(&t, K_TASK_STATE), K_TASK_COMPLETED);
    settle();
    CHECK(heard(""));
    CHECK_EQ(k_task_disconnect(&a), 0);
    unlink_all(&t, 1);
    unlink_all(&next, 1);

    /* Stops first, by its criterion. */
    CHECK_EQ(k_task_create(&t, &(struct k_task_attr){.fn = speak, .criterion = K_TO_STOPPED}), 0);
    dispatch(&t, 'x');
    CHECK_EQ(field(&t, K_TASK_STATE), K_TASK_STOPPED);
    CHECK_EQ(k_task_wait(&t, 1000, NULL), -B_ETIMEDOUT);
    CHECK_EQ(k_task_resume(&t), 0);
    await(&t);
    CHECK(heard("x"));
    dispatch(&t, 'x');
    unlink_all(&t, 1);
}

/* A ring in which an error goes round once, and a catch from one of its tasks. */
static void check_errors(void)
{
    struct k_task t[5];
    struct k_arc a[5] = {{0}};
    make(t, 5, conclude);
    connect(&a[0], &t[0], &t[1], K_FLOW, USUAL);
    connect(&a[1], &t[1], &t[2], K_DEPENDENCY, USUAL);
    connect(&a[2], &t[2], &t[0], K_FLOW | K_TEMPORARY, K_THROW);
    connect(&a[3], &t[2], &t[3], K_FLOW, K_CATCH);
    connect(&a[4], &t[3], &t[4], K_FLOW, USUAL);
    CHECK_EQ(k_task_dispatch(&t[0], (long[]){'0', -B_EIO, 0, 0, 0}), 0);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(k_task_wait(&t[i], K_FOREVER, NULL), -B_EIO);
        CHECK_EQ(field(&t[i], K_TASK_STATE), K_TASK_ERROR);
        CHECK_EQ(field(&t[i], K_TASK_VALUE), -B_EIO);
    }
    await(&t[4]);
    CHECK(heard("034"));
    CHECK_EQ(k_task_disconnect(&a[2]), -B_ENOENT);
    start(t, 0, 0); /* the flow can be used again */
    settle();
    CHECK(heard("012"));
    CHECK_EQ(k_task_error(&t[1], -B_ECANCELED), 0); /* from outside */
    settle();
    CHECK(heard("34"));
    CHECK_EQ(field(&t[2], K_TASK_VALUE), -B_ECANCELED);
    CHECK_EQ(k_task_error(&t[1], 0), -B_EINVAL);
    for (int i = 0; i < 5; i++)
        CHECK(i == 2 || k_task_disconnect(&a[i]) == 0);
    unlink_all(t, 5);
}

static int see_error(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    say(field(k_task_current(), K_TASK_VALUE) == -B_EIO ? '!' : '?');
    return 0;
}

/* A task that catches its own error, and what was released or met before an error is forgotten. */
static void check_catch(void)
{
    struct k_task t[3];
    struct k_arc a[3] = {{0}};
    make(t, 3, conclude);
    create(&t[1], see_error);
    connect(&a[0], &t[0], &t[1], K_DEPENDENCY, K_USER0 | K_CATCH);
    start(t, 0, -B_EIO);
    settle();
    CHECK(heard("0!"));
    connect(&a[1], &t[2], &t[1], K_DEPENDENCY, USUAL);
    start(t, 0, 0); /* met, but then */
    start(t, 2, -B_EIO);
    start(t, 2, 0);
    settle();
    CHECK(heard("022"));
    start(t, 0, 0);
    settle();
    CHECK(heard("0!"));
    CHECK_EQ(k_task_disconnect(&a[0]), 0);
    CHECK_EQ(k_task_disconnect(&a[1]), 0);
    connect(&a[2], &t[2], &t[2], K_FLOW | K_TEMPORARY, K_CATCH); /* tries once more */
    CHECK_EQ(k_task_dispatch(&t[2], (long[]){'r', -B_EIO, 0, 0, 0}), 0);
    settle();
    CHECK(heard("rr"));
    CHECK_EQ(field(&t[2], K_TASK_STATE), K_TASK_ERROR);
    unlink_all(t, 3);
}

static int body(void *arg)
{
    (void)arg;
    check_choice();
    check_bad_conclusions();
    check_parents();
    check_tokens();
    check_period();
    check_periodic_loop();
    check_complex_loop(K_FLOW);
    check_complex_loop(K_DEPENDENCY);
    check_again();
    check_stop();
    check_errors();
    check_catch();
    return 0;
}

int main(void)
{
    return on_machines(body);
}
