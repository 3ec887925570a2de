/* SPDX-License-Identifier: MIT */
#ifndef KERNEL_MEM_LAYOUT_H
#define KERNEL_MEM_LAYOUT_H

#include <kernel/cluster.h>

/* Walks the layout of a cluster's window. Counting: returns NULL and a->used tells the size. For
 * real: struct cluster with its arrays; the caller has checked that the window is large enough. */
struct cluster *kern_layout(struct kern_arena *a, const struct hal_machine *m, int cluster);

/* Makes the rest of the window behind `pools` bytes the page frames. */
void kern_frames_init(struct cluster *c, void *window, size_t size, size_t pools);

#endif
