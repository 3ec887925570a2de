/* SPDX-License-Identifier: MIT */
/* Board: memory that the clusters of the machine share, where it has any, and how who changed
 * something there tells the others. */
#ifndef HAL_BOARD_H
#define HAL_BOARD_H

#include <stddef.h>
#include <stdint.h>

/* The memory: hal_machine.shared_memory bytes, *bytes; zeroed before the first cluster boots, on a
 * page boundary, coherent, atomic operations work on it from all clusters. Its address may differ
 * from cluster to cluster, so it should hold offsets and numbers only. NULL, *bytes = 0: the
 * clusters share nothing. The same answer for ever. From any context; never blocks. */
void *hal_board(size_t *bytes);

/* An event for cluster `to`, as of its network interface: what the caller wrote to the board before
 * is visible to whoever looks after it. It tells nothing else, so a cluster that is awake may be
 * told in vain. sim charges hal_cost.sync_signal and the way of a C-NoC word. -B_EHOSTUNREACH: no
 * such cluster; -B_ENOSYS: there is no board. */
int hal_board_tell(int to);

/* The same for what the cores of `to` find by themselves while they are awake (hal_event_watch): an
 * event only where events interrupt a core that works; else the helper is told (hal/attend.h). */
int hal_board_urge(int to);

/* The same for one core of that cluster alone, which may look at the board without any event while
 * it is awake (hal_event_watch). -B_EHOSTUNREACH: no such cluster or core. */
int hal_board_wake(int to, int core);

/* Copies n bytes of the memory of cluster `from`, at an address as that cluster has it, which need
 * not lie on the board, to memory of the caller. What that cluster wrote before it told the caller
 * of it by the board is there. Never blocks, but takes as long as the copy. -B_EHOSTUNREACH: no
 * such cluster; -B_EFAULT: not all of it is memory there, or here; -B_ENOSYS: the machine cannot,
 * or may not, and never will. After an error `to` holds anything. */
int hal_board_read(int from, uintptr_t address, void *to, size_t n);

#endif
