/* SPDX-License-Identifier: MIT */
/* The call chain of a suspended context. */
#ifndef SIM_CHAIN_H
#define SIM_CHAIN_H

#include <stddef.h>

/* Prints the call chain of the context suspended with stack pointer sp on the console, a line per
 * function. Its stack is [base, base + size); base NULL: unknown, the walk is bounded otherwise. */
void sim_chain_print(const void *sp, const void *base, size_t size);

/* The same of the caller's own context. */
void sim_chain_print_here(void);

#endif
