/* SPDX-License-Identifier: MIT */
/* The own style of carrying bytes: one transfer of any length, from the writer's memory into the
 * reader's. */
#include "ikc/internal.h"

#include <base/error.h>
#include <hal/mem.h>

#include "../ancestor/ancestor.h"

static size_t no_bytes(const struct hal_machine *m)
{
    (void)m;
    return 0;
}

static void at_once(struct kern_ikc *k, struct kern_object *o)
{
    (void)k, (void)o;
}

static void *into_buffer(struct kern_ikc *k, struct kern_portal_in *in, size_t *room)
{
    (void)k;
    *room = in->n;
    return in->buf;
}

static void whole_landed(struct kern_ikc *k, struct kern_portal_in *in, size_t n, uint32_t cookie)
{
    bool more = (cookie & WIRE_DATA_MORE) != 0;
    kern_portal_end_read(k, in, more ? -B_EPROTO : (int64_t)n);
}

static bool whole(struct kern_ikc *k, struct kern_portal_out *out, struct kern_load *l)
{
    (void)k;
    *l = (struct kern_load){.bytes = out->buf, .n = out->n, .left = out->n};
    return true;
}

static bool whole_sent(struct kern_ikc *k, struct kern_portal_out *out)
{
    (void)k, (void)out;
    return true;
}

static bool never(struct kern_ikc *k, struct kern_object *o)
{
    (void)k, (void)o;
    return false;
}

static int no_copy(struct kern_ikc *k, struct kern_object *o)
{
    (void)k, (void)o;
    return -B_EINVAL;
}

static void move_once(struct kern_ikc *k, struct kern_portal_in *in, void *to, const void *from,
                      size_t n)
{
    (void)k, (void)in;
    hal_mem_copy(to, from, n);
}

static const struct kern_carrier own = {
    .bytes = no_bytes,
    .begin = at_once,
    .land = into_buffer,
    .landed = whole_landed,
    .load = whole,
    .sent = whole_sent,
    .fixed = never,
    .keep = at_once,
    .copy = no_copy,
    .move = move_once,
};

const struct kern_carrier *kern_carrier(const struct hal_machine *m)
{
    return m->ancestor_portals ? kern_ancestor->carrier : &own;
}

void kern_carrier_init(struct kern_ikc *k, void *memory)
{
    if (k->carrier->bytes(k->machine) > 0) {
        k->piece_in = memory;
        k->piece_out = k->piece_in + k->machine->portal_ports;
        k->pages = (uint8_t *)(k->piece_out + k->machine->portal_ports);
    }
}
