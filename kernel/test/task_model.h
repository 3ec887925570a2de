/* SPDX-License-Identifier: MIT */
/* The reference for the task engine: what docs/taskengine.md says, with arrays and searches instead
 * of queues and counters, one Dispatcher, no locks. Tasks and arcs are numbers. Answers as in
 * sys/k_task.h. Periods never pass. */
#ifndef KERNEL_TEST_TASK_MODEL_H
#define KERNEL_TEST_TASK_MODEL_H

#include <stdbool.h>

#include <sys/k_task.h>

enum { MODEL_TASKS = 8, MODEL_ARCS = 20 };

struct model_task {
    enum k_task_state state;
    bool high, failed, abort;
    enum k_task_criterion criterion;
    long arg[K_TASK_ARGS], value;
    int pending, level;
};

struct model_arc {
    bool connected;
    int from, to, tokens, order; /* of connecting */
    unsigned kind, conditions;
};

struct model {
    struct model_task task[MODEL_TASKS];
    struct model_arc arc[MODEL_ARCS];
    int ready[MODEL_TASKS], n_ready;
    int connects;
    bool critical; /* policy */
    int running;   /* the task that runs, -1 */
    unsigned passed;
    long pass[K_TASK_ARGS], value;
};

void model_init(struct model *m, bool critical);
int model_create(struct model *m, int t, bool high, enum k_task_criterion criterion);
int model_unlink(struct model *m, int t);
int model_connect(struct model *m, int arc, int from, int to, unsigned kind, unsigned conditions);
int model_disconnect(struct model *m, int arc);
int model_dispatch(struct model *m, int t, const long *arg);
int model_signal(struct model *m, int t);
int model_resume(struct model *m, int t);
int model_complete(struct model *m, int t, int conclusion, long value);
int model_error(struct model *m, int t, int code);

/* Takes the next ready task and makes it running (-1: none); then it concludes. */
int model_begin(struct model *m);
void model_end(struct model *m, int conclusion);

#endif
