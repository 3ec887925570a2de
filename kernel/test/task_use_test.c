/* SPDX-License-Identifier: MIT */
/* Tasks at work: parameters, communication flows, a shared channel, cores, signals, the order of
 * each policy, several threads that wait. */
#include "task.h"

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
    }
    for (int i = 0; i < K_TASK_ARGS; i++)
        CHECK_EQ(k_task_dispatch(&t[i], (long[]){i, 1 << i, 0, 0, 0}), 0);
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
            while (said.n < 3)
                settle();
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
    if (channel.holder) {
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
    for (int i = 0; i < FLOWS; i++)
        make_flow(&f[i]);
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
    CHECK(!channel.holder);
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
    for (int i = 0; i < 5; i++)
        CHECK_EQ(k_task_signal(&t), 0);
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
    for (int i = 0; i < 4; i++)
        CHECK_EQ(k_task_dispatch((struct k_task *)a0 + i, NULL), 0);
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
