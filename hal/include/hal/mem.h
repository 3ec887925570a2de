/* SPDX-License-Identifier: MIT */
/* The memory of a cluster: its window, stacks, copies. */
#ifndef HAL_MEM_H
#define HAL_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* The memory window of the calling cluster: page aligned, zeroed at boot, of the size in the
 * machine file. The NoC reads and writes it directly, so transfers between windows need no extra
 * copy. */
void hal_mem_window(void **base, size_t *size);

/* Copies n bytes inside the calling cluster; the areas do not overlap. On sim it takes the time
 * that the machine file gives (hal_cost.copy_*), so another core may run meanwhile: may not be
 * called with a hal_lock held unless n is small (<= 256). */
void hal_mem_copy(void *dst, const void *src, size_t n);

/* A stack of at least `size` usable bytes with a guard below it where the port has one; touching
 * the guard ends the machine with a message that names cluster and core. It lies outside of the
 * window. size 0 = the port's default. Returns 0, or -B_ENOMEM. *base and *got describe the usable
 * part. */
int hal_stack_alloc(size_t size, void **base, size_t *got);
void hal_stack_free(void *base, size_t got);

/* Whether the cluster's memory has room for stacks beside the window, as on bare metal. Hosted
 * ports say no: they take stacks from the host, because a host program's C library needs more of
 * them than a small machine has, and the kernel charges hal_machine.stack_size to the window. */
bool hal_stack_beside(void);

#endif
