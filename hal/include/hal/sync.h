/* SPDX-License-Identifier: MIT */
/* Hardware sync: latched 64-bit words over the control NoC.
 *
 * A receiver keeps hal_machine.sync_slots words for each sender, in order; a word stays latched
 * until it is taken, whether or not anybody waits. Nothing blocks; sim charges
 * hal_cost.sync_signal. */
#ifndef HAL_SYNC_H
#define HAL_SYNC_H

#include <stdint.h>

/* Sends a word to cluster `to` (itself allowed). -B_EAGAIN: its slots for this sender are full, an
 * event comes when one is free. -B_EHOSTUNREACH: no such cluster. */
int hal_sync_signal(int to, uint64_t word);

/* Looks at the oldest word of the next sender, round-robin: *from and *word. -B_EAGAIN none. */
int hal_sync_peek(int *from, uint64_t *word);

/* Removes the oldest word of `from`. -B_EINVAL if there is none. */
int hal_sync_release(int from);

#endif
