/* SPDX-License-Identifier: MIT */
/* What a processor gives to the ports: one folder per architecture beside this file implements
 * it. */
#ifndef HAL_CPU_H
#define HAL_CPU_H

#include <hal/context.h>

/* Also here: hal_context_return; and hal_context_switch, as another name of hal_cpu_switch, for
 * ports that have nothing to do at a switch. */

/* Saves the callee-saved registers and the floating-point control state on the running stack,
 * their address in from->sp, and resumes `to`. Returns, when resumed, the context that was left
 * for it. */
struct hal_context *hal_cpu_switch(struct hal_context *from, struct hal_context *to);

/* Builds the state of a context that starts with entry(left, arg) at the first switch to it, `left`
 * being the context that was left for it, below `top` (aligned down as the ABI asks). The floating
 * point control state is the caller's. Returns its sp. entry must not return. */
void *hal_cpu_frame_make(void *top, void (*entry)(struct hal_context *left, void *arg), void *arg);

/* Of a suspended context with stack pointer sp: the address at which it resumes, and its frame
 * pointer, from which a chain {caller's frame pointer, return address} can be followed. */
void *hal_cpu_frame_resume(const void *sp);
void *hal_cpu_frame_pointer(const void *sp);

#endif
