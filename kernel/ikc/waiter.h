/* SPDX-License-Identifier: MIT */
/* How a thread waits for communication: a record per style. What it waits for, and what ends its
 * wait, is the same in all. docs/model.md, The ancestor, tells where the styles are from. */
#ifndef IKC_WAITER_H
#define IKC_WAITER_H

#include "ikc/state.h"

struct kern_waiter {
    size_t (*bytes)(const struct hal_machine *m); /* memory of a cluster that it needs */
    /* The calling thread is about to sleep until `o` is complete or, if `o` is NULL, until somebody
     * rings `bell`. False: it did something else instead, without `done`, and has to look again.
     * With `done` held, like `after`. */
    bool (*before)(struct kern_ikc *k, struct kern_object *o, const struct k_bell *bell);
    void (*after)(struct kern_ikc *k); /* what it waited for is there, or it gave up */
};

const struct kern_waiter *kern_waiter(const struct hal_machine *m);
void kern_waiter_init(struct kern_ikc *k, void *memory);

#endif
