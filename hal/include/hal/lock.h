/* SPDX-License-Identifier: MIT */
/* Locks between the cores of one cluster. For short sections: the holder must not wait for an event
 * nor switch context. Not recursive. FIFO or nearly so on every port. */
#ifndef HAL_LOCK_H
#define HAL_LOCK_H

#include <stdint.h>

struct hal_lock {
    uint64_t word[3]; /* the port's */
    const char *name; /* for reports */
};

/* `name` must outlive the lock. */
void hal_lock_init(struct hal_lock *l, const char *name);
void hal_lock(struct hal_lock *l);
void hal_unlock(struct hal_lock *l);

#endif
