/* SPDX-License-Identifier: MIT */
/* Call chains of contexts, for a report: "inner < caller < its caller". */
#ifndef SIM_CHAIN_H
#define SIM_CHAIN_H

#include <stddef.h>

/* The chain of the context suspended with stack pointer sp, "" when sp is NULL. Its stack is
 * [base, base + size); base NULL: unknown, the walk is bounded otherwise. The text is valid until
 * the next call. */
const char *sim_chain(const void *sp, const void *base, size_t size);

/* The same of the caller's own context. */
const char *sim_chain_here(void);

/* Releases what the chains of a report needed. */
void sim_chain_end(void);

#endif
