/* SPDX-License-Identifier: MIT */
/* Tasks: functions that run to completion, one after the other, on the stack of a Dispatcher, and
 * the graph that says which conclusion of one releases which others. The model is that of
 * souto-2022, chapter 4; docs/taskengine.md tells the states, the rules and why.
 *
 * Memory. A task is 128 bytes and an arc is 56, both of the caller, who keeps them alive from
 * create to unlink and from connect to disconnect. Their fields belong to the engine; the calls
 * below read and change them. All-zero memory is a task that was not created and an arc that is
 * not connected.
 *
 * Who may call. All calls come from threads, from tasks and from the kernel's handlers, with the
 * exception of k_task_wait, which is for threads. None but k_task_wait waits. Common errors:
 * -B_EFAULT a null or misaligned pointer, -B_EBADF a task that is not created (or was unlinked),
 * -B_EBUSY a state in which the call is not legal, -B_EINVAL another bad argument. A call that
 * fails changes nothing. */
#ifndef SYS_K_TASK_H
#define SYS_K_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/k_call.h>
#include <sys/k_types.h>

#define K_TASK_ARGS 5 /* arguments of a task's function */

enum k_task_state {
    K_TASK_INVALID,   /* not created, or unlinked */
    K_TASK_CREATED,   /* at rest: never ran */
    K_TASK_READY,     /* in the ready queue of a Dispatcher */
    K_TASK_RUNNING,   /* its function runs */
    K_TASK_COMPLETED, /* at rest: concluded */
    K_TASK_STOPPED,   /* waits for k_task_resume, k_task_complete or k_task_error */
    K_TASK_PERIODIC,  /* waits for its period to pass */
    K_TASK_ERROR      /* at rest: it failed, or a predecessor did that throws to it */
};

/* Conditions: what a task may conclude with, and what an arc may ask for. */
enum k_condition {
    K_USER0 = 1,     /* regular conclusions, */
    K_USER1 = 2,     /* whose meaning is */
    K_USER2 = 4,     /* the program's */
    K_AGAIN = 8,     /* the task goes to the end of the ready queue again */
    K_STOP = 16,     /* the task stops until it is resumed */
    K_PERIODIC = 32, /* the task is ready again when its period has passed */
    K_THROW = 64,    /* error; arc: the successor fails with it and throws on */
    K_CATCH = 128    /* arc only: on an error, the successor is released */
};

/* Type and lifetime of an arc: one of each, or-ed. */
enum k_arc_kind {
    K_FLOW = 0,       /* releases the successor by itself */
    K_DEPENDENCY = 1, /* the successor needs all of its dependencies */
    K_PERSISTENT = 0, /* stays */
    K_TEMPORARY = 2   /* is disconnected by the engine when it is selected once */
};

/* Where a task goes when it is dispatched or released ("next state's criterion"). */
enum k_task_criterion {
    K_TO_READY,    /* runs as soon as its turn comes */
    K_TO_STOPPED,  /* waits first to be resumed or completed */
    K_TO_PERIODIC, /* waits first for its period */
};

enum k_task_priority { K_TASK_LOW, K_TASK_HIGH };

/* The function of a task. It must not wait (calls that would wait answer -B_EPERM in it). It
 * returns its conclusion: K_USER0..2 or-ed, with at most one of K_AGAIN, K_STOP, K_PERIODIC; or 0,
 * the same as K_USER0; or a negative error code, which is thrown. Anything else is thrown as
 * -B_EINVAL. */
typedef int k_task_fn(long a0, long a1, long a2, long a3, long a4);

struct k_arc;
struct k_bell;
struct k_task_waiter;

/* One task. The groups are those of souto-2022, table 3; their sizes differ because words have 8
 * bytes here and arcs lie outside. Guarded by the engine's lock. */
struct k_task {
    /* internal control: 24 bytes */
    struct k_task *next; /* in a ready, delta, stopped or error queue */
    union {
        struct k_task *prev; /* ready, stopped, error queue */
        uint64_t delta;      /* delta queue: cycles after the one before it */
    } order;
    uint32_t id;   /* differs from those of the other tasks of the cluster */
    uint8_t state; /* enum k_task_state */
    uint8_t flags; /* priority, criterion, and the engine's marks */
    uint8_t level; /* of the ready queue that it is in */
    uint8_t rank;  /* longest walk from here, capped: for policies that look ahead */

    /* execution parameters: 56 bytes */
    k_task_fn *fn;
    long arg[K_TASK_ARGS];
    long value; /* of the last conclusion; the error that it failed with or catches */

    /* schedule decision: 10 bytes (the criterion is among the flags) */
    union {
        uint64_t period;     /* cycles */
        struct k_bell *bell; /* if `bound`: whose owner runs it */
    };
    uint8_t home; /* core of its Dispatcher */
    uint8_t at;   /* core where it is queued or runs: home, or where it was emitted to */

    /* waiting control: 10 bytes */
    uint8_t releases; /* conclusions that release who waits for it */
    bool bound;       /* to a bell */
    uint32_t pending; /* releases that came while it was not at rest, to be run later */
    struct k_task_waiter *waiters;

    /* graph control: 24 bytes, and 56 for each arc */
    struct k_arc *out, *in;
    uint32_t deps;  /* dependency arcs that end here */
    uint32_t unmet; /* those of them that wait to be met */
};
_Static_assert(sizeof(void *) != 8 || sizeof(struct k_task) <= 128, "a task is 128 bytes");

/* One arc of the graph. */
struct k_arc {
    struct k_task *from, *to; /* NULL: not connected */
    struct k_arc *out_next, *out_prev;
    struct k_arc *in_next, *in_prev;
    uint32_t tokens;    /* dependency: how often it was met and not yet used */
    uint8_t kind;       /* enum k_arc_kind */
    uint8_t conditions; /* enum k_condition */
};
_Static_assert(sizeof(void *) != 8 || sizeof(struct k_arc) <= 56, "an arc is 56 bytes");

/* A task of a bell (sys/k_bell.h) is run by no Dispatcher but by the thread that owns the bell,
 * when that calls k_task_serve: on its stack and in its name, so what belongs to a thread alone can
 * have flows without a lock. When it becomes ready the bell is rung with K_BELL_TASK. Its function
 * may make kernel calls that core 0 serves; it must not wait for anybody else. It has no period and
 * is not emitted; those that are ready run in the order of their release. The bell must have its
 * owner before, and live longer. */

/* What to create. The default Dispatcher is that of the master core in an asymmetric cluster; in
 * others, that of the core which creates the task, because a core that computes serves nobody. */
struct k_task_attr {
    k_task_fn *fn;
    enum k_task_priority priority;
    enum k_task_criterion criterion;
    uint64_t period;     /* cycles; for K_PERIODIC and K_TO_PERIODIC */
    int core;            /* of its Dispatcher; K_ANY: the default one, see below */
    unsigned releases;   /* conclusions that release waiters; 0: K_USER0..2 and K_THROW */
    struct k_bell *bell; /* NULL: none; else `core` is K_ANY, and no period */
};

/* What k_task_get reads and k_task_set writes. */
enum k_task_field {
    K_TASK_STATE,    /* enum k_task_state; K_TASK_INVALID for a task that is not created */
    K_TASK_ID,       /* a number of its own */
    K_TASK_VALUE,    /* of the last conclusion (k_task_return), or the error */
    K_TASK_PRIORITY, /* may be set: for the next time that it becomes ready */
    K_TASK_PERIOD,   /* may be set: for the next time that it waits for it */
    K_TASK_ARG0,     /* K_TASK_ARG0 + i: argument i; may be set: for the next run */
    K_TASK_PREDECESSORS = K_TASK_ARG0 + K_TASK_ARGS, /* arcs that end here */
    K_TASK_SUCCESSORS,                               /* arcs that begin here */
    K_TASK_DEPENDENCIES,                             /* dependency arcs that end here */
    K_TASK_PENDING                                   /* releases that wait until it is at rest */
};

/* Arguments of the kernel calls task_event and task_self. */
enum k_task_event { K_TASK_SIGNAL, K_TASK_RESUME, K_TASK_COMPLETE, K_TASK_FAIL };
enum k_task_self { K_TASK_CURRENT, K_TASK_RETURN, K_TASK_PASS, K_TASK_SERVE, K_TASK_OWN };

/* Lives and dies. create: INVALID -> CREATED. The memory need not be cleared, but must not hold a
 * live task: that cannot be noticed. -B_EINVAL: no function, a core that is not there, no period
 * for K_TO_PERIODIC, an unknown bit in `releases`, a bell without owner or with core or period. */
static inline int k_task_create(struct k_task *t, const struct k_task_attr *attr)
{
    return (int)k_call(K_NR_task_create, (long)t, (long)attr, 0, 0, 0);
}

/* CREATED, COMPLETED, ERROR, STOPPED, PERIODIC -> INVALID. -B_EBUSY: it is ready or runs, it has
 * arcs, or a thread waits for it. After it the memory is the caller's again. */
static inline int k_task_unlink(struct k_task *t)
{
    return (int)k_call(K_NR_task_unlink, (long)t, 0, 0, 0, 0);
}

/* Connects two tasks, or a task with itself, in any state, also while their graph runs; it
 * counts from the next conclusion of `from`. There may be several arcs between two tasks. `kind`:
 * enum k_arc_kind; `conditions`: at least one, K_THROW and K_CATCH not both. -B_EBUSY: the arc is
 * connected. */
static inline int k_task_connect(struct k_arc *arc, struct k_task *from, struct k_task *to,
                                 unsigned kind, unsigned conditions)
{
    return (int)k_call(K_NR_task_connect, (long)arc, (long)from, (long)to, kind, conditions);
}

/* Disconnects an arc at any time. If it was the last dependency of `to` that was not met and
 * others were, those count: `to` is released. -B_ENOENT: the arc is not connected (any more). */
static inline int k_task_disconnect(struct k_arc *arc)
{
    return (int)k_call(K_NR_task_disconnect, (long)arc, 0, 0, 0, 0);
}

/* CREATED, COMPLETED, ERROR -> READY (or as its criterion says), on its own Dispatcher, whether its
 * dependencies are met or not. arg: K_TASK_ARGS arguments, NULL: it keeps its own. */
static inline int k_task_dispatch(struct k_task *t, const long *arg)
{
    return (int)k_call(K_NR_task_dispatch, (long)t, (long)arg, 0, 0, 0);
}

/* The same, but this time it becomes ready, and runs, on core `core` of the cluster, until it
 * concludes otherwise than by K_AGAIN. -B_EINVAL: no such core. */
static inline int k_task_emit(struct k_task *t, int core, const long *arg)
{
    return (int)k_call(K_NR_task_emit, (long)t, core, (long)arg, 0, 0);
}

/* One release from outside, like that of a flow arc: in no state is it lost. For handlers. */
static inline int k_task_signal(struct k_task *t)
{
    return (int)k_call(K_NR_task_event, (long)t, K_TASK_SIGNAL, 0, 0, 0);
}

/* STOPPED -> READY. */
static inline int k_task_resume(struct k_task *t)
{
    return (int)k_call(K_NR_task_event, (long)t, K_TASK_RESUME, 0, 0, 0);
}

/* Concludes a STOPPED or PERIODIC task from outside, as if its function had run and returned
 * `conclusion` (of which K_STOP and K_PERIODIC make sense too) with this value. */
static inline int k_task_complete(struct k_task *t, int conclusion, long value)
{
    return (int)k_call(K_NR_task_event, (long)t, K_TASK_COMPLETE, conclusion, value, 0);
}

/* Any state -> ERROR with the (negative) code, which is thrown along its arcs. A running task runs
 * to its end, and then fails with this code whatever it concludes. */
static inline int k_task_error(struct k_task *t, int code)
{
    return (int)k_call(K_NR_task_event, (long)t, K_TASK_FAIL, code, 0, 0);
}

/* Waits until t concludes with one of its `releases`. A conclusion answers all threads that wait
 * for it; if none does, it is kept for the first that asks (the last one only, until t is
 * dispatched again). So a thread that dispatches the head of a flow and waits for its tail, again
 * and again, gets one answer for each run. Returns 0, or the error with which it failed; *value
 * (may be NULL) gets its value, or the error again. -B_ETIMEDOUT after `timeout` cycles (*value is
 * not written); -B_EPERM from a task or a handler. The thread first lets tasks of its own core run,
 * a few if need be, before it gives up the core. */
static inline int k_task_wait(struct k_task *t, uint64_t timeout, long *value)
{
    return (int)k_call(K_NR_task_wait, (long)t, (long)timeout, (long)value, k_high(timeout), 0);
}

/* The same without waiting, from anywhere: -B_EAGAIN when k_task_wait would wait. */
static inline int k_task_trywait(struct k_task *t, long *value)
{
    return (int)k_call(K_NR_task_trywait, (long)t, (long)value, 0, 0, 0);
}

/* As k_task_signal, of a task of a bell, by the bell's owner: what it releases and runs itself lies
 * in its own memory, so a machine with a kernel mode does both without entering the kernel.
 * -B_EPERM: the caller is not the owner, or t has no bell. */
static inline int k_task_signal_own(struct k_task *t)
{
    return (int)k_call(K_NR_task_self, K_TASK_OWN, (long)t, 0, 0, 0);
}

/* Owner of the bell: runs its ready tasks, a few if they come again and again; the bell is then
 * rung anew. Returns how many ran. -B_EPERM: the bell is somebody else's, or a task runs already;
 * -B_EFAULT. */
static inline int k_task_serve(struct k_bell *b)
{
    return (int)k_call(K_NR_task_self, K_TASK_SERVE, (long)b, 0, 0, 0);
}

/* The task that runs on the calling core, NULL if none does. */
struct k_task *k_task_current(void);

/* In a task: sets the value of its conclusion (0 if never called). -B_EPERM elsewhere. */
int k_task_return(long value);

/* In a task: argument `index` of each successor that this conclusion releases becomes `value`;
 * arguments that are not passed stay as they are. So several predecessors can fill one task's
 * arguments. -B_EPERM elsewhere, -B_EINVAL: no such argument. */
int k_task_pass(int index, long value);

/* Reads or writes a field; the values of k_task_get are never negative errors in disguise: *value
 * gets them. set: -B_EINVAL for a field that cannot be set or a value that makes no sense. */
int k_task_get(struct k_task *t, enum k_task_field field, long *value);
int k_task_set(struct k_task *t, enum k_task_field field, long value);

/* Chooses the scheduling policy of the cluster's Dispatchers by name: "simple" (souto-2022: high
 * priority goes to the front, low to the back), "critical" (the task with the longest way before
 * it first). -B_EINVAL: unknown; -B_EBUSY: tasks are ready. Above: the rank of a task is kept only
 * for arcs connected under a policy that wants it. */
int k_task_policy(const char *name);

#endif
