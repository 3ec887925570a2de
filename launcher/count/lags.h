/* SPDX-License-Identifier: MIT */
/* Where in a region something is added. The true count is the counter and a lag, which is known at
 * each place of the text, so most blocks need not add anything: the lag grows with what they do.
 * Something is added only where ways come together on which it has grown differently. */
#ifndef COUNT_LAGS_H
#define COUNT_LAGS_H

#include "regions.h"

/* Of a block: what the counter lags behind before and after it, and what the block adds to it. All
 * blocks that lead to the same one lag the same. Outside of regions nothing lags. */
struct lag {
    int before[COUNT_CLASSES], after[COUNT_CLASSES], add[COUNT_CLASSES];
};

/* One for each block; to be freed. */
struct lag *lags_find(const struct blocks *b, const struct regions *r);

#endif
