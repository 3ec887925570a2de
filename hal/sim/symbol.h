/* SPDX-License-Identifier: MIT */
/* Names of functions, also of those that are not exported. */
#ifndef SIM_SYMBOL_H
#define SIM_SYMBOL_H

#include <stddef.h>

/* Writes the name of the function at `address`, "file+0xoffset" when the file keeps no names, or
 * the address. For reports: it opens the file that the code came from. */
void sim_symbol_name(const void *address, char *name, size_t size);

/* Forgets the file that was opened last. */
void sim_symbol_close(void);

#endif
