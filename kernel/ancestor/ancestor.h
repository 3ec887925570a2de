/* SPDX-License-Identifier: MIT */
/* The ancestor's styles, of which a machine's model may have each (docs/model.md): all that is of
 * them alone. NULL where nothing is modelled (none.c); such an image refuses a machine that wants
 * one of them. */
#ifndef KERNEL_ANCESTOR_H
#define KERNEL_ANCESTOR_H

struct kern_carrier;
struct kern_manager;
struct kern_waiter;

struct kern_ancestor {
    const struct kern_carrier *carrier; /* ikc/carrier.h */
    const struct kern_waiter *waiter;   /* ikc/waiter.h */
    const struct kern_manager *manager; /* thread/manager.h */
};
extern const struct kern_ancestor *const kern_ancestor;

extern const struct kern_carrier kern_ancestor_carrier;
extern const struct kern_waiter kern_ancestor_waiter;
extern const struct kern_manager kern_ancestor_manager;

#endif
