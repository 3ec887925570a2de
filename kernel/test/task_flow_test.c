/* SPDX-License-Identifier: MIT */
/* Flows: choice by conclusion, loops, periods, errors and catches, parameters, stops, cores,
 * priorities, waiting. */
#include "task.h"

/* Says a0 and concludes with a1. */
static int conclude(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    say((char)a0);
    return (int)a1;
}

static void make(struct k_task *t, int n, k_task_fn *fn)
{
    for (int i = 0; i < n; i++) {
        create(&t[i], fn);
        CHECK_EQ(k_task_set(&t[i], K_TASK_ARG0, '0' + i), 0);
    }
}

static void start(struct k_task *t, int i, long conclusion)
{
    CHECK_EQ(k_task_dispatch(&t[i], (long[]){'0' + i, conclusion, 0, 0, 0}), 0);
    k_task_wait(&t[i], K_FOREVER, NULL);
}

static int nothing(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    return 0;
}

/* A task dispatched last runs after all that are ready on core 0; as often as this does it, their
 * successors have run too, and theirs. */
static void settle(void)
{
    struct k_task last;
    create(&last, nothing);
    for (int i = 0; i < 40; i++) {
        dispatch(&last, 0);
        await(&last);
    }
    CHECK_EQ(k_task_unlink(&last), 0);
}

/* A branch for each regular conclusion; two at once release both. */
static void check_choice(void)
{
    struct k_task t[4];
    struct k_arc a[3] = {{0}};
    make(t, 4, conclude);
    for (int i = 0; i < 3; i++) {
        connect(&a[i], &t[0], &t[i + 1], K_FLOW, K_USER0 << i);
    }
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
    for (int i = 0; i < 5; i++) {
        CHECK(i == 2 || k_task_disconnect(&a[i]) == 0);
    }
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

/* Several predecessors fill the arguments of one task. */
static int give(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    CHECK_EQ(k_task_pass((int)a0, a1), 0);
    CHECK_EQ(k_task_pass(5, 1), -B_EINVAL);
    CHECK_EQ(k_task_pass(-1, 1), -B_EINVAL);
    return 0;
}

static int gather(long a0, long a1, long a2, long a3, long a4)
{
    k_task_return(a0 + a1 + a2 + a3 + a4);
    return 0;
}

static void check_pass(void)
{
    struct k_task t[K_TASK_ARGS], sum;
    struct k_arc a[K_TASK_ARGS] = {{0}};
    create(&sum, gather);
    for (int i = 0; i < K_TASK_ARGS; i++) {
        create(&t[i], give);
        connect(&a[i], &t[i], &sum, K_DEPENDENCY, USUAL);
        CHECK_EQ(k_task_dispatch(&t[i], (long[]){i, 1 << i, 0, 0, 0}), 0);
    }
    long value = 0;
    CHECK_EQ(k_task_wait(&sum, K_FOREVER, &value), 0);
    CHECK_EQ(value, 31);
    disconnect_all(a, K_TASK_ARGS);
    unlink_all(t, K_TASK_ARGS);
    unlink_all(&sum, 1);
}

/* A communication flow as in souto-2022, figure 6: reserve, the physical completion, release. */
static int reserve(long a0, long a1, long a2, long a3, long a4)
{
    (void)a3, (void)a4;
    struct k_task *t = (struct k_task *)a0;
    CHECK(k_task_current() == &t[0]);
    say('r');
    CHECK_EQ(k_task_connect((struct k_arc *)a1, &t[1], &t[2], K_DEPENDENCY | K_TEMPORARY, USUAL),
             0);
    k_task_set(&t[0], K_TASK_ARG0 + 2, a2 - 1);
    k_task_pass(0, a2);
    return 0;
}

static int complete(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    say('c');
    return 0;
}

static int consume(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    say('u');
    return a0 > 1 ? K_USER1 : K_USER0; /* another chunk */
}

static void check_flow(void)
{
    struct k_task t[3];
    struct k_arc a[3] = {{0}};
    create(&t[0], reserve);
    create(&t[1], complete);
    CHECK_EQ(k_task_create(&t[2], &(struct k_task_attr){.fn = consume, .releases = K_USER0}), 0);
    connect(&a[0], &t[0], &t[2], K_FLOW, K_USER0);
    connect(&a[1], &t[2], &t[0], K_FLOW, K_USER1);
    CHECK_EQ(k_task_dispatch(&t[0], (long[]){(long)t, (long)&a[2], 3, 0, 0}), 0);
    for (int i = 0; i < 3; i++) {
        settle();
        CHECK(heard("r"));
        CHECK_EQ(k_task_trywait(&t[2], NULL), -B_EAGAIN);
        CHECK_EQ(k_task_dispatch(&t[1], NULL), 0); /* the handler */
        CHECK_EQ(k_task_wait(&t[1], K_FOREVER, NULL), 0);
        if (i < 2) {
            while (said.n < 3) {
                settle();
            }
            CHECK(heard("cur"));
            say('r');
        }
    }
    await(&t[2]);
    CHECK(heard("cu"));
    disconnect_all(a, 2);
    unlink_all(t, 3);
}

/* Flows that share one channel and never poll for it: who finds it busy chains itself to the task
 * that will free it. */
enum { FLOWS = 6, TRANSFERS = 3 };

struct flow {
    struct k_task reserve, wait, release;
    struct k_arc waited, again, chained;
    int left;
};

static struct {
    struct flow *holder;
    int reservations;
} channel;

static int take_channel(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct flow *f = (struct flow *)a0;
    channel.reservations++;
    if (channel.holder != NULL) {
        CHECK_EQ(k_task_connect(&f->chained, &channel.holder->release, &f->reserve,
                                K_FLOW | K_TEMPORARY, K_USER0 | K_USER1 | K_CATCH),
                 0);
        return K_USER2;
    }
    channel.holder = f;
    return 0;
}

static int free_channel(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct flow *f = (struct flow *)a0;
    CHECK(channel.holder == f);
    channel.holder = NULL;
    return --f->left > 0 ? K_USER1 : K_USER0;
}

static void make_flow(struct flow *f)
{
    const long self[K_TASK_ARGS] = {(long)f};
    *f = (struct flow){.left = TRANSFERS};
    create(&f->reserve, take_channel);
    create(&f->wait, nothing);
    CHECK_EQ(
        k_task_create(&f->release, &(struct k_task_attr){.fn = free_channel, .releases = K_USER0}),
        0);
    CHECK_EQ(k_task_set(&f->release, K_TASK_ARG0, self[0]), 0);
    connect(&f->waited, &f->wait, &f->release, K_DEPENDENCY, USUAL);
    connect(&f->again, &f->release, &f->reserve, K_FLOW, K_USER1);
    CHECK_EQ(k_task_dispatch(&f->reserve, self), 0);
}

static void check_channel(void)
{
    struct flow f[FLOWS];
    channel.holder = NULL;
    channel.reservations = 0;
    for (int i = 0; i < FLOWS; i++) {
        make_flow(&f[i]);
    }
    for (int i = 0; i < FLOWS * TRANSFERS; i++) {
        settle(); /* all wait: one for the channel's completion, the others for that one */
        int before = channel.reservations;
        settle();
        CHECK_EQ(channel.reservations, before);
        CHECK_EQ(k_task_dispatch(&channel.holder->wait, NULL), 0); /* the handler */
    }
    for (int i = 0; i < FLOWS; i++) {
        await(&f[i].release);
        CHECK_EQ(f[i].left, 0);
        CHECK_EQ(k_task_disconnect(&f[i].waited), 0);
        CHECK_EQ(k_task_disconnect(&f[i].again), 0);
        unlink_all(&f[i].reserve, 1);
        unlink_all(&f[i].wait, 1);
        unlink_all(&f[i].release, 1);
    }
    CHECK(channel.holder == NULL);
    CHECK(channel.reservations <= FLOWS + FLOWS * TRANSFERS * FLOWS);
}

static int where(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    struct k_info info;
    k_info(&info);
    k_task_return(info.core);
    return 0;
}

/* On each core; its successor runs on its own Dispatcher, and so does the task the next time. */
static void check_emit(void)
{
    struct k_info info;
    struct k_task t, next;
    struct k_arc a = {0};
    long core = -1;
    k_info(&info);
    create(&t, where);
    create(&next, where);
    connect(&a, &t, &next, K_FLOW, USUAL);
    for (int i = 0; i < info.cores; i++) {
        CHECK_EQ(k_task_emit(&t, i, NULL), 0);
        CHECK_EQ(k_task_wait(&t, K_FOREVER, &core), 0);
        CHECK_EQ(core, i);
        CHECK_EQ(k_task_wait(&next, K_FOREVER, &core), 0);
        CHECK_EQ(core, 0);
    }
    CHECK_EQ(k_task_emit(&t, info.cores, NULL), -B_EINVAL);
    CHECK_EQ(k_task_emit(&t, -1, NULL), -B_EINVAL);
    CHECK_EQ(k_task_dispatch(&t, NULL), 0);
    CHECK_EQ(k_task_wait(&t, K_FOREVER, &core), 0);
    CHECK_EQ(core, 0);
    CHECK_EQ(k_task_wait(&next, K_FOREVER, &core), 0);
    CHECK_EQ(k_task_disconnect(&a), 0);
    unlink_all(&t, 1);
    unlink_all(&next, 1);
    for (int i = 0; i < info.cores; i++) { /* several Dispatchers */
        CHECK_EQ(k_task_create(&t, &(struct k_task_attr){.fn = where, .core = i}), 0);
        CHECK_EQ(k_task_dispatch(&t, NULL), 0);
        CHECK_EQ(k_task_wait(&t, K_FOREVER, &core), 0);
        CHECK_EQ(core, i);
        unlink_all(&t, 1);
    }
}

/* A signal counts in every state. */
static void check_signal(void)
{
    struct k_task t;
    create(&t, speak);
    CHECK_EQ(k_task_set(&t, K_TASK_ARG0, 's'), 0);
    for (int i = 0; i < 5; i++) {
        CHECK_EQ(k_task_signal(&t), 0);
    }
    settle();
    CHECK(heard("sssss"));
    CHECK_EQ(field(&t, K_TASK_PENDING), 0);
    unlink_all(&t, 1);
    CHECK_EQ(k_task_signal(&t), -B_EBADF);
}

/* Dispatches four tasks while it runs: their order is the policy's. */
static int release_four(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(k_task_dispatch((struct k_task *)a0 + i, NULL), 0);
    }
    return 0;
}

static void check_order(const char *policy, const char *want)
{
    struct k_task t[4], chain[3], first;
    struct k_arc a[3] = {{0}};
    CHECK_EQ(k_task_policy(policy), 0);
    make(t, 4, speak);
    make(chain, 3, speak);
    create(&first, release_four);
    k_task_set(&t[1], K_TASK_PRIORITY, K_TASK_HIGH);
    k_task_set(&t[3], K_TASK_PRIORITY, K_TASK_HIGH);
    connect(&a[0], &chain[0], &chain[1], K_FLOW, K_USER1);
    connect(&a[1], &t[2], &chain[0], K_FLOW, K_USER1); /* 2 has the longest way before it */
    dispatch(&first, (long)t);
    await(&first);
    settle();
    CHECK(heard(want));
    CHECK_EQ(k_task_disconnect(&a[1]), 0);
    connect(&a[2], &t[0], &chain[0], K_FLOW, K_USER1);
    dispatch(&first, (long)t);
    await(&first);
    settle();
    CHECK_EQ(said.text[2], '0');
    said.n = 0;
    CHECK_EQ(k_task_disconnect(&a[0]), 0);
    CHECK_EQ(k_task_disconnect(&a[2]), 0);
    unlink_all(t, 4);
    unlink_all(chain, 3);
    unlink_all(&first, 1);
    CHECK_EQ(k_task_policy("simple"), 0);
    CHECK_EQ(k_task_policy("simpler"), -B_EINVAL);
    CHECK_EQ(k_task_policy(NULL), -B_EFAULT);
}

/* Threads that wait for one task all go on, one that came too late times out. */
struct waiting {
    struct k_task *task;
    long value;
    int *finished;
};

static void wait_for(void *arg)
{
    struct waiting *w = arg;
    CHECK_EQ(k_task_wait(w->task, K_FOREVER, &w->value), 0);
    __atomic_fetch_add(w->finished, 1, __ATOMIC_RELAXED);
}

static void check_waiters(void)
{
    struct k_task t;
    struct waiting w[4];
    int id[4], finished = 0;
    CHECK_EQ(k_task_create(&t, &(struct k_task_attr){.fn = speak, .criterion = K_TO_STOPPED}), 0);
    dispatch(&t, 'w');
    for (int i = 0; i < 4; i++) {
        w[i] = (struct waiting){&t, 0, &finished};
        id[i] = k_thread_create(
            &(struct k_thread_attr){.entry = wait_for, .arg = &w[i], .core = K_ANY});
        CHECK(id[i] >= 0);
    }
    CHECK_EQ(k_task_wait(&t, 0, NULL), -B_ETIMEDOUT);
    CHECK_EQ(k_task_wait(&t, 100000, NULL), -B_ETIMEDOUT);
    CHECK_EQ(k_task_trywait(&t, NULL), -B_EAGAIN);
    bool exact = strcmp(hal_port_name, "sim") == 0; /* elsewhere they may not wait yet */
    CHECK(!exact || k_task_unlink(&t) == -B_EBUSY);
    for (int turns = 1; __atomic_load_n(&finished, __ATOMIC_RELAXED) < 4; turns++) {
        CHECK_EQ(k_task_complete(&t, K_STOP | K_USER0, 5), 0);
        k_thread_sleep(100000);
        CHECK(!exact || turns == 1);
    }
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(k_thread_join(id[i], NULL), 0);
        CHECK_EQ(w[i].value, 5);
    }
    unlink_all(&t, 1);
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
    check_pass();
    check_flow();
    check_channel();
    check_emit();
    check_signal();
    check_order("simple", "3102");
    check_order("critical", "1320");
    check_waiters();
    return 0;
}

int main(void)
{
    return on_machines(body);
}
