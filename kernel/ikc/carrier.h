/* SPDX-License-Identifier: MIT */
/* How a portal carries bytes: a record per style. Matching, grants, ends and errors are the same in
 * all of them. docs/model.md, The ancestor, tells where the styles are from. */
#ifndef IKC_CARRIER_H
#define IKC_CARRIER_H

#include "ikc/state.h"

/* What the next transfer of a write carries. */
struct kern_load {
    const void *bytes;
    size_t n;
    size_t left;    /* of the write, these included: the reader must have room for them */
    uint32_t flags; /* enum wire_data, for the cookie */
};

/* With kern_ikc.lock held unless it says something else. */
struct kern_carrier {
    size_t (*bytes)(const struct hal_machine *m); /* memory of a cluster that it needs */
    void (*begin)(struct kern_ikc *k, struct kern_object *o); /* an operation starts */
    /* Where the next transfer of a read goes; *room: bytes that the read still takes. */
    void *(*land)(struct kern_ikc *k, struct kern_portal_in *in, size_t *room);
    void (*landed)(struct kern_ikc *k, struct kern_portal_in *in, size_t n, uint32_t cookie);
    /* False: it is not ready yet, and the engine asks again. */
    bool (*load)(struct kern_ikc *k, struct kern_portal_out *out, struct kern_load *l);
    bool (*sent)(struct kern_ikc *k, struct kern_portal_out *out); /* true: the write is over */
    /* An operation of which something moved, or moves, cannot be cancelled. Of another one nobody
     * copies anything from then on, unless it is kept. */
    bool (*fixed)(struct kern_ikc *k, struct kern_object *o);
    void (*keep)(struct kern_ikc *k, struct kern_object *o);
    /* A thread or a task found OP_COPY; with `done` held, which it releases. 0 it was a copy of
     * this style and was made, -B_EINVAL (`done` still held): reader and writer are both here. */
    int (*copy)(struct kern_ikc *k, struct kern_object *o);
    /* Between a writer and a reader of this cluster; without locks. */
    void (*move)(struct kern_ikc *k, struct kern_portal_in *in, void *to, const void *from,
                 size_t n);
    bool master; /* tasks copy even while a thread waits */
};

const struct kern_carrier *kern_carrier(const struct hal_machine *m);
void kern_carrier_init(struct kern_ikc *k, void *memory);

#endif
