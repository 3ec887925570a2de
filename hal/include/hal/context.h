/* SPDX-License-Identifier: MIT */
/* Contexts: a stack and the registers a function call preserves.
 *
 * A context belongs to one core for life: it is switched to only on the core where it first ran.
 * The switch saves callee-saved registers and the floating-point control state, nothing else. */
#ifndef HAL_CONTEXT_H
#define HAL_CONTEXT_H

#include <stddef.h>

struct hal_context {
    void *sp;
    void *tool[4]; /* for the port: sanitizer state and the like */
};

/* Makes `c` run fn(arg) on stack [stack, stack+size) at the first switch to it. fn must not return.
 * size >= 2048; the memory stays the caller's and must outlive the context. */
void hal_context_init(struct hal_context *c, void *stack, size_t size, void (*fn)(void *arg),
                      void *arg);

/* Saves the running context in *from and resumes *to. Returns when somebody switches back to *from.
 * `from` may be uninitialised. Must not be called with a hal_lock held. */
void hal_context_switch(struct hal_context *from, struct hal_context *to);

/* Returns value. For the last call of a function in the middle of which other contexts may have run
 * and that returns to code of which each context has a copy of its own:
 *
 *     return hal_context_return(error);
 *
 * so that the processor predicts where it returns to: for an ordinary return it expects the caller
 * of the context that was left. Never switches. */
int hal_context_return(int value);

/* Releases what the port keeps for a context that will never run again. Not the stack. */
void hal_context_fini(struct hal_context *c);

#endif
