/* SPDX-License-Identifier: MIT */
/* The stack of a core's idle context, which is needed only while no thread is there: it is lent to
 * a thread in user mode. That one begins in the idle context, below what is on the stack, and the
 * idle context is no more. It begins anew when the thread ends, at the top of the same stack. If
 * another thread of the core ends before, the idle context takes refuge on its stack, until the
 * first one ends. */
#include "../call/user.h"
#include "sched.h"

#include <hal/mem.h>
#include <hal/user.h>
#include <kernel/cluster.h>

bool kern_user_lend(struct kern_thread *t)
{
    struct kern_core *core = t->core;
    void *stack;
    size_t size;
    hal_user_waiting(core->id, &stack, &size);
    if (core->serves || size == 0)
        return false;
    hal_lock(&core->cluster->lock);
    bool lent = !core->tenant;
    if (lent)
        core->tenant = t;
    hal_unlock(&core->cluster->lock);
    if (lent) {
        t->stack = stack;
        t->stack_size = size;
        t->guest = true;
    }
    return lent;
}

bool kern_user_returned(struct kern_thread *t)
{
    struct kern_core *core = t->core;
    if (core->tenant != t)
        return t->stack == core->refuge;
    void *refuge = core->refuge;
    size_t size = core->refuge_size;
    core->refuge = NULL;
    hal_lock(&core->cluster->lock);
    core->tenant = NULL;
    hal_unlock(&core->cluster->lock);
    if (refuge)
        hal_stack_free(refuge, size);
    return true;
}

/* Nobody stops a cluster whose program runs in user mode. */
static void idle_again(void *arg)
{
    kern_idle(arg);
    __builtin_unreachable();
}

/* What the idle context begins with must not be where this function still runs. So it is above, at
 * the top of the stack, or far below where a thread of the kernel ends with little on its stack. */
static __attribute__((noinline)) void begin_again(struct kern_core *core, struct kern_thread *t)
{
    enum { FRAME = 256, FAR = 1024 };
    char *top = (char *)t->stack + t->stack_size;
    size_t above = (size_t)(top - (char *)__builtin_frame_address(0));
    hal_context_init(&core->idle, t->stack, t->stack_size - (above < FRAME ? FAR : 0), idle_again,
                     core);
    core->gone = false;
    hal_context_switch(&t->context, &core->idle);
    __builtin_unreachable();
}

void kern_user_leave(struct kern_core *core, struct kern_thread *t)
{
    if (core->tenant == t) {
        begin_again(core, t);
    } else if (core->gone) {
        core->refuge = t->stack;
        core->refuge_size = (uint32_t)t->stack_size;
        begin_again(core, t);
    }
}
