/* SPDX-License-Identifier: MIT */
/* In the place of tasks, flows, the pager and the board, where the program runs in user mode and
 * the kernel answers no call about them (sys/syscalls.def): what the rest of the kernel asks of
 * them. Machines whose operations are tasks need a kernel that has them. */
#include <stddef.h>

#include <base/error.h>
#include <hal/clock.h>
#include <hal/power.h>
#include <kernel/call.h>
#include <kernel/fault.h>
#include <kernel/task.h>

#include "ikc/internal.h"

/* Tasks ---------------------------------------------------------------------------------------- */

struct kern_tasks *kern_tasks_build(struct kern_arena *a, const struct hal_machine *m, int cores)
{
    (void)a, (void)cores;
    if (m->variant != HAL_BASELINE)
        hal_abort(1, "the machine wants operations as tasks, of which this image's kernel has none "
                     "(mpicc --user-mode=variants)");
    return NULL;
}

bool kern_task_poll(struct kern_core *core)
{
    (void)core;
    return false;
}

bool kern_task_waiting(struct kern_core *core)
{
    (void)core;
    return false;
}

uint64_t kern_task_due(struct kern_core *core)
{
    (void)core;
    return HAL_NEVER;
}

int kern_task_signal(struct k_task *t)
{
    (void)t;
    return -B_ENOSYS;
}

struct k_task *kern_task_current(void)
{
    return NULL;
}

/* Flows ---------------------------------------------------------------------------------------- */

size_t kern_flow_bytes(const struct hal_machine *m)
{
    (void)m;
    return 0;
}

void kern_flow_init(struct kern_ikc *k, void *memory)
{
    (void)k, (void)memory;
}

struct kern_flow *kern_flow_take(struct kern_ikc *k)
{
    (void)k;
    return NULL;
}

void kern_flow_give(struct kern_ikc *k, struct kern_flow *f)
{
    (void)k, (void)f;
}

void kern_flow_start(struct kern_ikc *k, struct kern_flow *f, struct kern_object *o)
{
    (void)k, (void)f, (void)o;
}

struct kern_flow *kern_flow_of(const struct kern_ikc *k, const struct kern_object *o)
{
    (void)k, (void)o;
    return NULL;
}

void kern_flow_release(struct kern_ikc *k, struct kern_flow *f, enum kern_phase phase)
{
    (void)k, (void)f, (void)phase;
}

void kern_flow_leave(struct kern_ikc *k, struct kern_object *o)
{
    (void)k, (void)o;
}

bool kern_flow_copies(struct kern_ikc *k, struct kern_object *o, struct kern_object *other)
{
    (void)k, (void)o, (void)other;
    return false;
}

/* Pager and board ------------------------------------------------------------------------------ */

void kern_pager_init(struct kern_pager *p)
{
    (void)p;
}

bool kern_board_poll(struct kern_ikc *k)
{
    (void)k;
    return false;
}

/* Calls ---------------------------------------------------------------------------------------- */

#define REFUSED(name)                                                                              \
    long kern_sys_##name(long a0, long a1, long a2, long a3, long a4)                              \
    {                                                                                              \
        (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;                                          \
        return -B_ENOSYS;                                                                          \
    }
REFUSED(task_create)
REFUSED(task_unlink)
REFUSED(task_connect)
REFUSED(task_disconnect)
REFUSED(task_dispatch)
REFUSED(task_emit)
REFUSED(task_event)
REFUSED(task_wait)
REFUSED(task_trywait)
REFUSED(task_self)
REFUSED(task_control)
REFUSED(fault_attach)
REFUSED(fault_take)
REFUSED(fault_resolve)
REFUSED(board)
