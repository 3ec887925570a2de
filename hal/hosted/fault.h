/* SPDX-License-Identifier: MIT */
/* What a processor needs for faults under an operating system: a folder per architecture. */
#ifndef HAL_HOSTED_FAULT_H
#define HAL_HOSTED_FAULT_H

#include <stdbool.h>

/* In a signal handler with the system's `context` of a memory fault: when the handler returns, the
 * interrupted code calls fn(address, whether it was a write) on its own stack, below what it uses,
 * and then goes on where it was with all registers as they were. */
typedef void hal_fault_fn(void *address, bool write);
void hal_fault_redirect(void *context, hal_fault_fn *fn, void *address);

#endif
