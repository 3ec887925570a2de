/* SPDX-License-Identifier: MIT */
/* Call chains of contexts, for a report: one line each, the innermost function first. */
#ifndef SIM_CHAIN_H
#define SIM_CHAIN_H

#include <stddef.h>

/* Around all chains of one report. A chain equal to the one before it is not repeated. */
void sim_chain_begin(void);
void sim_chain_end(void);

/* Prints the chain of the context suspended with stack pointer sp on the console; nothing when sp
 * is NULL. Its stack is [base, base + size); base NULL: unknown, the walk is bounded otherwise. */
void sim_chain_print(const void *sp, const void *base, size_t size);

/* The same of the caller's own context. */
void sim_chain_print_here(void);

#endif
