/* SPDX-License-Identifier: MIT */
/* Cells of a slab that a core has read last, and keeps: their lines are in its caches. Whoever
 * writes a cell there writes fast, and so its lines move once for each message; else they move
 * twice, for its owner has to get them back from the one that has read them. In cells of another
 * slab it answers to their owner, who reads them then and has them near; in its own to anybody.
 *
 * All that keep cells of a slab leave its owner half of each size, so that nobody waits for ever
 * for one that is kept. What a core keeps is its own: nothing here is shared, and nothing waits. */
#ifndef MPIUTIL_SHARED_LOAN_H
#define MPIUTIL_SHARED_LOAN_H

#include "shared/slab.h"

/* Of one slab; all-zero: none. */
struct mpu_loans {
    struct {
        struct mpu_arrival *first; /* that of the cell that was read last */
        uint32_t kept;
    } size[MPU_SLAB_SIZES + 1];
};

/* Keeps a cell, at this offset of its slab, that was read; false: there are enough of its size.
 * keepers: cores that may keep some of the slab, beside its owner's. */
bool mpu_loan_keep(struct mpu_loans *l, const struct mpu_slab_shape *shape, int keepers,
                   uint64_t offset, struct mpu_slab_cell *cell);

/* One for n bytes, the one that was kept last, or NULL. */
struct mpu_slab_cell *mpu_loan_take(struct mpu_loans *l, uint32_t n, enum mpu_slab_use use);

#endif
