/* SPDX-License-Identifier: MIT */
/* What starts and ends of threads cost in virtual time: a record per style. The work itself
 * is the same in all of them. docs/model.md, The ancestor, tells where the styles are from. */
#ifndef KERNEL_THREAD_MANAGER_H
#define KERNEL_THREAD_MANAGER_H

#include <kernel/cluster.h>

struct kern_manager {
    void (*create)(struct cluster *c); /* by who starts a thread */
    void (*end)(struct cluster *c);    /* by the core of one that ends */
};

/* That of the machine. Both functions may wait for other cores; no lock may be held. */
const struct kern_manager *kern_manager(const struct hal_machine *m);

#endif
