/* SPDX-License-Identifier: MIT */
/* The memory of a cluster: its window, stacks, copies. */
#ifndef HAL_MEM_H
#define HAL_MEM_H

#include <stdbool.h>
#include <stddef.h>

#include <base/mem.h>

/* The memory window of the calling cluster: page aligned, zeroed at boot, of the size in the
 * machine file, with what is lent (hal_machine_window). The NoC reads and writes it directly, so
 * transfers between windows need no extra copy. */
void hal_mem_window(void **base, size_t *size);

/* Copies n pieces inside the calling cluster, in their order; the two areas of a piece do not
 * overlap. On sim it takes the time that the machine file gives for each of them (hal_cost.copy_*),
 * in one go, so another core may run meanwhile: may not be called with a hal_lock held unless the
 * bytes are few (<= 256). */
void hal_mem_copy_pieces(const struct b_piece *pieces, int n);

static inline void hal_mem_copy(void *dst, const void *src, size_t n)
{
    struct b_piece one = {dst, src, n};
    hal_mem_copy_pieces(&one, 1);
}

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
