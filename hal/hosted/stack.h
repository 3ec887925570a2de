/* SPDX-License-Identifier: MIT */
/* Hosted ports only: what a port tells the stack allocator. */
#ifndef HAL_HOSTED_STACK_H
#define HAL_HOSTED_STACK_H

#include <stddef.h>

/* Size of a stack when hal_stack_alloc is asked for 0 (hal_options.stack). Before any
 * allocation. */
void hal_stack_default(size_t size);

/* Lets the calling OS thread report an overflow of a stack that it runs on. Called by a port at the
 * start of each thread that runs contexts; repeated calls do nothing. */
void hal_stack_watch(void);

/* Gives memory signals back to who had them before: for an access that is an error. */
void hal_stack_unwatch(void);

/* If `address` lies in the guard of a stack of hal_stack_alloc: bytes of that stack, else 0.
 * Async-signal-safe. */
size_t hal_stack_overflown(const void *address);

#endif
