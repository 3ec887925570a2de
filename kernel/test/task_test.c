/* SPDX-License-Identifier: MIT */
/* Tasks one by one: create, connect and count, dispatch with arguments and a value, who runs, the
 * types and lifetimes of arcs. */
#include "task.h"

#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>

static void check_create(void)
{
    struct k_task t[2];
    const struct k_task_attr good = {.fn = speak, .core = K_ANY, .priority = K_TASK_HIGH};
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(k_task_create(&t[i], &good), 0);
        CHECK_EQ(field(&t[i], K_TASK_STATE), K_TASK_CREATED);
        CHECK_EQ(field(&t[i], K_TASK_PRIORITY), K_TASK_HIGH);
    }
    CHECK(field(&t[0], K_TASK_ID) != field(&t[1], K_TASK_ID));
    CHECK_EQ(k_task_set(&t[0], K_TASK_PERIOD, 1234), 0);
    CHECK_EQ(field(&t[0], K_TASK_PERIOD), 1234);
    CHECK_EQ(k_task_set(&t[0], K_TASK_PRIORITY, K_TASK_LOW), 0);
    CHECK_EQ(field(&t[0], K_TASK_PRIORITY), K_TASK_LOW);
    for (int i = 0; i < K_TASK_ARGS; i++) {
        CHECK_EQ(k_task_set(&t[0], K_TASK_ARG0 + i, 10 * i), 0);
        CHECK_EQ(field(&t[0], K_TASK_ARG0 + i), 10 * i);
    }
    CHECK_EQ(k_task_set(&t[0], K_TASK_STATE, K_TASK_READY), -B_EINVAL);
    CHECK_EQ(k_task_set(&t[0], K_TASK_PENDING + 1, 0), -B_EINVAL);
    CHECK_EQ(k_task_get(&t[0], K_TASK_PENDING + 1, &(long){0}), -B_EINVAL);
    unlink_all(t, 2);
    CHECK_EQ(k_task_unlink(&t[0]), -B_EBADF);
    struct k_task_attr bad = good;
    bad.fn = NULL;
    CHECK_EQ(k_task_create(&t[0], &bad), -B_EINVAL);
    bad = good, bad.core = HAL_CORES_MAX;
    CHECK_EQ(k_task_create(&t[0], &bad), -B_EINVAL);
    bad = good, bad.core = -2;
    CHECK_EQ(k_task_create(&t[0], &bad), -B_EINVAL);
    bad = good, bad.criterion = K_TO_PERIODIC;
    CHECK_EQ(k_task_create(&t[0], &bad), -B_EINVAL);
    bad = good, bad.releases = K_CATCH;
    CHECK_EQ(k_task_create(&t[0], &bad), -B_EINVAL);
    CHECK_EQ(field(&t[0], K_TASK_STATE), K_TASK_INVALID);
}

/* Addresses that cannot be a task, an arc or arguments. */
static void check_addresses(void)
{
    struct k_task t;
    struct k_task *odd = (struct k_task *)((char *)&t + 1);
    struct k_arc arc = {0};
    create(&t, speak);
    CHECK_EQ(k_task_create(NULL, &(struct k_task_attr){.fn = speak}), -B_EFAULT);
    CHECK_EQ(k_task_create(&t, NULL), -B_EFAULT);
    CHECK_EQ(k_task_unlink(odd), -B_EFAULT);
    CHECK_EQ(k_task_connect(NULL, &t, &t, K_FLOW, USUAL), -B_EFAULT);
    CHECK_EQ(k_task_connect(&arc, NULL, &t, K_FLOW, USUAL), -B_EFAULT);
    CHECK_EQ(k_task_connect(&arc, &t, odd, K_FLOW, USUAL), -B_EFAULT);
    CHECK_EQ(k_task_disconnect(NULL), -B_EFAULT);
    CHECK_EQ(k_task_dispatch(NULL, NULL), -B_EFAULT);
    CHECK_EQ(k_task_dispatch(&t, (const long *)(const void *)odd), -B_EFAULT);
    CHECK_EQ(k_task_emit(odd, 0, NULL), -B_EFAULT);
    CHECK_EQ(k_task_signal(NULL), -B_EFAULT);
    CHECK_EQ(k_task_resume(odd), -B_EFAULT);
    CHECK_EQ(k_task_complete(NULL, 0, 0), -B_EFAULT);
    CHECK_EQ(k_task_error(NULL, -B_EIO), -B_EFAULT);
    CHECK_EQ(k_task_wait(NULL, 0, NULL), -B_EFAULT);
    CHECK_EQ(k_task_trywait(odd, NULL), -B_EFAULT);
    CHECK_EQ(k_task_get(NULL, K_TASK_ID, &(long){0}), -B_EFAULT);
    CHECK_EQ(k_task_set(NULL, K_TASK_PERIOD, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_task_event, (long)&t, 99, 0, 0, 0), -B_EINVAL);
    CHECK_EQ(k_call(K_NR_task_self, 99, 0, 0, 0, 0), -B_EINVAL);
    CHECK_EQ(field(&t, K_TASK_STATE), K_TASK_CREATED);
    unlink_all(&t, 1);
}

/* At least ten successors, and as many predecessors; all are counted, none can be forgotten. */
static void check_connect(void)
{
    enum { N = 40 };
    static struct k_task hub, t[N]; /* stacks of small machines are smaller */
    static struct k_arc out[N], in[N];
    create(&hub, speak);
    for (int i = 0; i < N; i++) {
        create(&t[i], speak);
        connect(&out[i], &hub, &t[i], K_FLOW, USUAL);
        connect(&in[i], &t[i], &hub, K_DEPENDENCY, USUAL);
        CHECK_EQ(field(&hub, K_TASK_SUCCESSORS), i + 1);
        CHECK_EQ(field(&hub, K_TASK_PREDECESSORS), i + 1);
        CHECK_EQ(field(&hub, K_TASK_DEPENDENCIES), i + 1);
        CHECK_EQ(k_task_connect(&out[i], &hub, &t[i], K_FLOW, USUAL), -B_EBUSY);
        CHECK_EQ(k_task_unlink(&t[i]), -B_EBUSY);
    }
    CHECK_EQ(k_task_unlink(&hub), -B_EBUSY);
    struct k_arc none = {0};
    CHECK_EQ(k_task_connect(&none, &hub, &hub, 4, USUAL), -B_EINVAL);
    CHECK_EQ(k_task_connect(&none, &hub, &hub, K_FLOW, 0), -B_EINVAL);
    CHECK_EQ(k_task_connect(&none, &hub, &hub, K_FLOW, 256), -B_EINVAL);
    CHECK_EQ(k_task_connect(&none, &hub, &hub, K_FLOW, K_THROW | K_CATCH), -B_EINVAL);
    CHECK_EQ(k_task_disconnect(&none), -B_ENOENT);
    disconnect_all(out, N);
    disconnect_all(in, N);
    CHECK_EQ(field(&hub, K_TASK_PREDECESSORS) + field(&hub, K_TASK_SUCCESSORS), 0);
    unlink_all(t, N);
    unlink_all(&hub, 1);
}

static int add(long a0, long a1, long a2, long a3, long a4)
{
    CHECK_EQ(field(k_task_current(), K_TASK_STATE), K_TASK_RUNNING);
    CHECK_EQ(k_task_return(a0 + 10 * a1 + 100 * a2 + 1000 * a3 + 10000 * a4), 0);
    return K_USER0;
}

static void check_dispatch(void)
{
    struct k_task t;
    create(&t, add);
    CHECK_EQ(k_task_wait(&t, 1000, NULL), -B_ETIMEDOUT);
    for (long i = 1; i <= 3; i++) {
        long value = -1;
        CHECK_EQ(k_task_dispatch(&t, (const long[]){i, 2, 3, 4, 5}), 0);
        CHECK_EQ(k_task_wait(&t, K_FOREVER, &value), 0);
        CHECK_EQ(value, 54320 + i);
        CHECK_EQ(field(&t, K_TASK_STATE), K_TASK_COMPLETED);
        CHECK_EQ(field(&t, K_TASK_VALUE), 54320 + i);
        CHECK_EQ(field(&t, K_TASK_ARG0 + 3), 4);
    }
    CHECK_EQ(k_task_emit(&t, 0, (const long[]){9, 8, 7, 6, 5}), 0);
    await(&t);
    CHECK_EQ(field(&t, K_TASK_VALUE), 56789);
    CHECK_EQ(k_task_dispatch(&t, (const long[]){3, 2, 3, 4, 5}), 0);
    await(&t);
    CHECK_EQ(k_task_set(&t, K_TASK_ARG0 + 4, 9), 0);
    CHECK_EQ(k_task_dispatch(&t, NULL), 0); /* keeps its arguments */
    await(&t);
    CHECK_EQ(k_task_trywait(&t, NULL), -B_EAGAIN); /* this conclusion has been waited for */
    CHECK_EQ(field(&t, K_TASK_VALUE), 94323);
    unlink_all(&t, 1);
}

static int who_am_i(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    CHECK(k_task_current() == (struct k_task *)a0);
    CHECK_EQ(k_thread_self(), -B_EPERM);                           /* it is no thread, */
    k_task_return(k_task_wait(k_task_current(), K_FOREVER, NULL)); /* and may not wait */
    return 0;
}

/* It may ask for an operation's result, but not wait for it. */
static int ask_result(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    CHECK_EQ(k_ikc_wait(K_MAILBOX, (int)a0, 0), -B_ETIMEDOUT);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, (int)a0, 1000), -B_EPERM);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, (int)a0, K_FOREVER), -B_EPERM);
    return 0;
}

static void check_operation(void)
{
    struct k_task t;
    int in = k_mailbox_create(K_ANY);
    char got;
    CHECK_EQ(k_mailbox_aread(in, &got, 1, NULL), 0);
    create(&t, ask_result);
    dispatch(&t, in);
    await(&t);
    CHECK_EQ(k_ikc_cancel(K_MAILBOX, in), 0);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    unlink_all(&t, 1);
}

static void check_current(void)
{
    struct k_task t;
    long value = 0;
    CHECK(!k_task_current());
    CHECK_EQ(k_task_return(1), -B_EPERM);
    CHECK_EQ(k_task_pass(0, 1), -B_EPERM);
    create(&t, who_am_i);
    dispatch(&t, (long)&t);
    CHECK_EQ(k_task_wait(&t, K_FOREVER, &value), 0);
    CHECK_EQ(value, -B_EPERM);
    unlink_all(&t, 1);
}

/* A chain, dispatched at its end: each waits for the one before it. */
static void check_lifetime(unsigned kind)
{
    struct k_task t[3];
    struct k_arc a[2] = {{0}};
    for (int i = 0; i < 3; i++) {
        create(&t[i], speak);
        CHECK_EQ(k_task_set(&t[i], K_TASK_ARG0, 'a' + i), 0);
    }
    connect(&a[0], &t[0], &t[1], kind, USUAL);
    connect(&a[1], &t[1], &t[2], kind, USUAL);
    dispatch(&t[0], 'a');
    await(&t[2]);
    CHECK(heard("abc"));
    dispatch(&t[0], 'a');
    if ((kind & K_TEMPORARY) != 0) {
        await(&t[0]);
        CHECK_EQ(field(&t[0], K_TASK_SUCCESSORS), 0);
        CHECK(heard("a"));
        CHECK_EQ(k_task_disconnect(&a[0]), -B_ENOENT);
        CHECK_EQ(k_task_disconnect(&a[1]), -B_ENOENT);
        connect(&a[0], &t[0], &t[2], kind, USUAL); /* the arc may be used again */
        dispatch(&t[0], 'a');
        await(&t[2]);
        CHECK(heard("ac"));
    } else {
        await(&t[2]);
        CHECK(heard("abc"));
        disconnect_all(a, 2);
    }
    unlink_all(t, 3);
}

static int body(void *arg)
{
    (void)arg;
    check_create();
    check_addresses();
    check_connect();
    check_dispatch();
    check_current();
    check_operation();
    check_lifetime(K_FLOW);
    check_lifetime(K_DEPENDENCY);
    check_lifetime(K_FLOW | K_TEMPORARY);
    check_lifetime(K_DEPENDENCY | K_TEMPORARY);
    return 0;
}

int main(void)
{
    return on_machines(body);
}
