/* SPDX-License-Identifier: MIT */
/* Flows: operations of several steps, each of which may start messages and is taken when those of
 * the step before are done, whatever the rank does meanwhile. A flow is a task of the kernel's task
 * engine (sys/k_task.h) that is bound to the rank's bell; the last message that becomes done
 * releases it. docs/matching.md. None waits; all but mpu_flow_done: the
 * rank's thread. */
#ifndef MPIUTIL_FLOW_H
#define MPIUTIL_FLOW_H

#include <stdatomic.h>
#include <stdbool.h>

#include <mpiutil/message.h>

struct mpu_step_task; /* runs its next step */

/* The memory is the caller's, from make to end. */
struct mpu_flow {
    struct mpu_rank *rank;
    bool (*step)(void *arg);
    void *arg;
    struct mpu_step_task *task;
    bool running;    /* between start and the end of the last step */
    bool calls;      /* steps may call functions of the program; false, may be set before start */
    bool quiet;      /* no other rank needs a step of it while this one computes; likewise */
    atomic_int left; /* messages that are not done, and one for a step under way */
};

/* A flow that is over. `step` finds the messages of the step before done, starts those of this one
 * (mpu_send_start, mpu_recv_start), and does not wait. True: it was the last step. If it answers
 * false and has started nothing that is not done, it is called again at once. -B_ENOMEM. */
int mpu_flow_make(struct mpu_rank *r, struct mpu_flow *f, bool (*step)(void *arg), void *arg);

/* Takes the first step, of a flow that is over. */
void mpu_flow_start(struct mpu_flow *f);

/* Within a step: the flow is not quiet any more. */
void mpu_flow_matters(struct mpu_rank *r);

/* One of what the next step of a flow waits for is done, a message or what the flow was held for
 * (mpu_flow_hold). Any core of the cluster. Nothing of the flow may be touched afterwards: its
 * memory may be gone. */
void mpu_flow_done(struct mpu_flow *f);

/* Within a step: the flow, whose next step is not taken before mpu_flow_done of it. */
struct mpu_flow *mpu_flow_hold(struct mpu_rank *r);

/* Of a flow that is over: its memory is the caller's again. */
void mpu_flow_end(struct mpu_flow *f);

#endif
