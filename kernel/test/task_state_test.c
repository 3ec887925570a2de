/* SPDX-License-Identifier: MIT */
/* Legal and illegal calls: each call in each state a task can be in, and what it leaves. */
#include "task.h"

/* A task in each state. STOPPED, PERIODIC and RUNNING tasks need help to get there. */
struct subject {
    struct k_task task, runner;
    struct k_arc arc;
    int call;
    int result;
};

enum { CALLS = 10 };
static const char *const names[CALLS] = {"unlink",   "dispatch", "emit",    "signal", "resume",
                                         "complete", "error",    "connect", "get",    "trywait"};

static int call(struct subject *s, int i)
{
    struct k_task *t = &s->task;
    long value;
    switch (i) {
    case 0:
        return k_task_unlink(t);
    case 1:
        return k_task_dispatch(t, NULL);
    case 2:
        return k_task_emit(t, 0, NULL);
    case 3:
        return k_task_signal(t);
    case 4:
        return k_task_resume(t);
    case 5:
        return k_task_complete(t, K_USER0, 0);
    case 6:
        return k_task_error(t, -B_EIO);
    case 7:
        return k_task_connect(&s->arc, t, t, K_FLOW, K_USER2);
    case 8:
        return k_task_get(t, K_TASK_ID, &value);
    default:
        return k_task_trywait(t, NULL);
    }
}

/* What each call answers in each state; the result of a call that fails is the state as it was. */
static const struct {
    enum k_task_state state;
    int answer[CALLS];
} table[] = {
    /*                    unlink     dispatch   emit       signal     resume     complete   error
                          connect    get        trywait */
    {K_TASK_INVALID,
     {-B_EBADF, -B_EBADF, -B_EBADF, -B_EBADF, -B_EBADF, -B_EBADF, -B_EBADF, -B_EBADF, -B_EBADF,
      -B_EBADF}},
    {K_TASK_CREATED, {0, 0, 0, 0, -B_EBUSY, -B_EBUSY, 0, 0, 0, -B_EAGAIN}},
    {K_TASK_READY, {-B_EBUSY, -B_EBUSY, -B_EBUSY, 0, -B_EBUSY, -B_EBUSY, 0, 0, 0, -B_EAGAIN}},
    {K_TASK_RUNNING, {-B_EBUSY, -B_EBUSY, -B_EBUSY, 0, -B_EBUSY, -B_EBUSY, 0, 0, 0, -B_EAGAIN}},
    {K_TASK_COMPLETED, {0, 0, 0, 0, -B_EBUSY, -B_EBUSY, 0, 0, 0, 0}},
    {K_TASK_STOPPED, {0, -B_EBUSY, -B_EBUSY, 0, 0, 0, 0, 0, 0, -B_EAGAIN}},
    {K_TASK_PERIODIC, {0, -B_EBUSY, -B_EBUSY, 0, -B_EBUSY, 0, 0, 0, 0, -B_EAGAIN}},
    {K_TASK_ERROR, {0, 0, 0, 0, -B_EBUSY, -B_EBUSY, 0, 0, 0, -B_EIO}},
};

static int answer_first(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    return (int)a0;
}

/* Runs on core 0 and makes the subject READY there, so that it stays so until this returns. */
static int call_when_ready(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct subject *s = (struct subject *)a0;
    CHECK_EQ(k_task_dispatch(&s->task, NULL), 0);
    CHECK_EQ(field(&s->task, K_TASK_STATE), K_TASK_READY);
    s->result = call(s, s->call);
    return 0;
}

static int call_when_running(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct subject *s = (struct subject *)a0;
    if (s->call >= 0) {
        int i = s->call;
        s->call = -1; /* a signal has it run again */
        CHECK_EQ(field(&s->task, K_TASK_STATE), K_TASK_RUNNING);
        s->result = call(s, i);
    }
    return 0;
}

/* Brings s->task into `state` and makes the call there. */
static int in_state(struct subject *s, enum k_task_state state, int i)
{
    static const int conclusion[] = {
        [K_TASK_COMPLETED] = 0,
        [K_TASK_STOPPED] = K_STOP,
        [K_TASK_PERIODIC] = K_PERIODIC,
        [K_TASK_ERROR] = -B_EIO,
    };
    unsigned releases =
        state == K_TASK_STOPPED || state == K_TASK_PERIODIC ? K_STOP | K_PERIODIC : 0;
    struct k_task_attr attr = {.fn = state == K_TASK_RUNNING ? call_when_running : answer_first,
                               .period = UINT64_MAX / 2,
                               .releases = releases};
    *s = (struct subject){.call = i};
    if (state == K_TASK_INVALID)
        return call(s, i);
    CHECK_EQ(k_task_create(&s->task, &attr), 0);
    if (state == K_TASK_CREATED)
        return call(s, i);
    if (state == K_TASK_READY) {
        create(&s->runner, call_when_ready);
        dispatch(&s->runner, (long)s);
        await(&s->runner);
        return s->result;
    }
    dispatch(&s->task, state == K_TASK_RUNNING ? (long)s : conclusion[state]);
    if (state == K_TASK_RUNNING) {
        k_task_wait(&s->task, K_FOREVER, NULL);
        return s->result;
    }
    if (state == K_TASK_STOPPED || state == K_TASK_PERIODIC)
        k_task_wait(&s->task, K_FOREVER, NULL);
    while (field(&s->task, K_TASK_STATE) != (long)state)
        k_thread_sleep(1000);
    return call(s, i);
}

/* Whatever the call did, the task can be brought to its end. */
static void finish(struct subject *s)
{
    for (;;) {
        long state = field(&s->task, K_TASK_STATE);
        if (state == K_TASK_STOPPED || state == K_TASK_PERIODIC)
            CHECK_EQ(k_task_error(&s->task, -B_ECANCELED), 0);
        else if (state == K_TASK_READY || state == K_TASK_RUNNING)
            k_thread_sleep(1000);
        else
            break;
    }
    k_task_disconnect(&s->arc);
    if (field(&s->task, K_TASK_STATE) != K_TASK_INVALID)
        unlink_all(&s->task, 1);
}

static int body(void *arg)
{
    static struct subject s; /* on sim one cluster at a time uses it */
    (void)arg;
    for (int row = 0; row < (int)(sizeof table / sizeof table[0]); row++) {
        for (int i = 0; i < CALLS; i++) {
            int got = in_state(&s, table[row].state, i);
            if (got != table[row].answer[i])
                fprintf(stderr, "%s in state %d\n", names[i], table[row].state);
            CHECK_EQ(got, table[row].answer[i]);
            finish(&s);
        }
    }
    return 0;
}

int main(void)
{
    return on_machines(body);
}
