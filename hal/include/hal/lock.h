/* SPDX-License-Identifier: MIT */
/* Locks between the cores of one cluster. For short sections: the holder must not wait for an event
 * nor switch context. Not recursive. FIFO or nearly so on every port. */
#ifndef HAL_LOCK_H
#define HAL_LOCK_H

#include <stdint.h>

struct hal_lock {
    uintptr_t word[3]; /* the port's */
    const char *name;  /* for reports */
};

/* Makes a lock that nobody holds. `name` must outlive it; nobody else may know the lock yet. */
void hal_lock_init(struct hal_lock *l, const char *name);

/* Takes it, and gives it back; between the two the caller sees all that earlier holders wrote. lock
 * waits while another core holds it. */
void hal_lock(struct hal_lock *l);
void hal_unlock(struct hal_lock *l);

#endif
