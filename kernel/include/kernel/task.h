/* SPDX-License-Identifier: MIT */
/* The task engine as the rest of the kernel sees it. The objects, rules and errors are those of
 * sys/k_task.h; these are the same calls without the gate, for flows inside the kernel.
 *
 * They may be called from threads, tasks and handlers (kern_ikc_poll), also with a lock of
 * inter-kernel communication held: lock order is ikc, then the engine's lock, then none. None of
 * them waits but kern_task_wait. A task's function is called without any lock held, on the core of
 * its Dispatcher, in whatever context polls there (kern_current() is NULL in it), so it must not
 * wait nor switch context. Pointers are not checked here; states are. */
#ifndef KERNEL_TASK_H
#define KERNEL_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/mem.h>
#include <sys/k_task.h>

struct kern_core;
struct kern_tasks; /* the engine of a cluster: kernel/task */

/* Where in the ready queue of a Dispatcher a task goes: level 0 .. KERN_TASK_LEVELS - 1, the
 * highest first; behind the others of its level, or with KERN_TASK_FRONT before them. place() runs
 * under the engine's lock. */
enum { KERN_TASK_LEVELS = 16, KERN_TASK_FRONT = 16 };
struct kern_task_policy {
    const char *name;
    bool ranks; /* wants k_task.rank */
    unsigned (*place)(const struct k_task *t);
};

/* The kernel calls of tasks (sys/k_task.h says what they do), for callers in the kernel. 0 or an
 * error; never wait. */
int kern_task_create(struct k_task *t, const struct k_task_attr *attr);
int kern_task_unlink(struct k_task *t);
int kern_task_connect(struct k_arc *arc, struct k_task *from, struct k_task *to, unsigned kind,
                      unsigned conditions);
int kern_task_disconnect(struct k_arc *arc);
int kern_task_dispatch(struct k_task *t, const long *arg);
int kern_task_emit(struct k_task *t, int core, const long *arg);
int kern_task_signal(struct k_task *t);
int kern_task_signal_own(struct k_task *t);
/* A task of the kernel's own, not ready: it goes before all tasks of programs, in the order of
 * release, and takes turns with kernel calls as one of them, where others give way to calls. */
void kern_task_promote(struct k_task *t);
/* Like signal; the Dispatcher of t is that of `core` from its next activation on. */
int kern_task_signal_at(struct k_task *t, int core);
int kern_task_resume(struct k_task *t);
int kern_task_complete(struct k_task *t, int conclusion, long value);
int kern_task_error(struct k_task *t, int code);
int kern_task_wait(struct k_task *t, uint64_t timeout, long *value);
int kern_task_trywait(struct k_task *t, long *value);
struct k_task *kern_task_current(void);
int kern_task_return(long value);
int kern_task_pass(int index, long value);
int kern_task_get(struct k_task *t, enum k_task_field field, long *value);
int kern_task_set(struct k_task *t, enum k_task_field field, long value);
int kern_task_policy(const char *name);

/* At boot: the engine, from the arena (see kern_ikc_build). Where operations of the network are
 * tasks it has a Dispatcher per core from the start; else the first task that is created makes
 * them, of page frames (-B_ENOMEM). */
struct kern_tasks *kern_tasks_build(struct kern_arena *a, const struct hal_machine *m, int cores);

/* The Dispatcher of the calling core: runs tasks that are ready or whose period has passed, a few
 * at a time, so that calls, network and threads get their turn. True if any ran. Called
 * by the core's polling; does nothing when called from a task. */
bool kern_task_poll(struct kern_core *core);

/* k_task_serve. */
int kern_task_serve(struct k_bell *b);

/* True if the core has a task to run now; the instant at which the next periodic one is due,
 * HAL_NEVER if there is none. For a core that is about to sleep. */
bool kern_task_waiting(struct kern_core *core);
uint64_t kern_task_due(struct kern_core *core);

#endif
