/* SPDX-License-Identifier: MIT */
/* The writing side of portals: announce, take the grant, put, take the completion.
 *
 * A grant may come before the write (a reader that names this port) or cross its announcement. A
 * write with a grant waits for the verdict of an announcement that is under way, so it always
 * knows whether the receiver has stored it, and says so in the cookie of the data. */
#include "ikc/internal.h"

#include <base/assert.h>
#include <base/error.h>
#include <base/mem.h>
#include <hal/machine.h>
#include <hal/portal.h>
#include <sys/k_portal.h>

static void finish(struct kern_ikc *k, struct kern_portal_out *out, int64_t result)
{
    out->writing = WRITE_IDLE;
    kern_op_end(k, &out->o, result, result);
}

/* Grants --------------------------------------------------------------------------------------- */

static uint32_t grant_port(uint32_t cookie)
{
    return cookie & WIRE_GRANT_PORT_MASK;
}

static uint32_t grant_from(uint32_t cookie)
{
    return cookie >> WIRE_GRANT_FROM_SHIFT & WIRE_GRANT_PORT_MASK;
}

static struct kern_held *held_at(struct kern_ikc *k, int to, uint32_t channel)
{
    return &k->held[(uint32_t)to * k->named_channels + channel];
}

/* A grant of a named reader waits for its write. One of the same channel that is still kept was
 * taken back by its reader. */
static void keep(struct kern_ikc *k, const struct hal_grant *g)
{
    if ((uint32_t)g->channel < k->named_channels) {
        *held_at(k, g->to, (uint32_t)g->channel) =
            (struct kern_held){(uint64_t)g->capacity + 1, g->cookie, g->serial};
    }
}

/* A kept grant for the write, out of the table. */
static bool unkeep(struct kern_ikc *k, struct kern_portal_out *out)
{
    for (uint32_t c = 0; c < k->named_channels; c++) {
        struct kern_held *h = held_at(k, out->to.node, c);
        if (h->room != 0 && (int)grant_port(h->cookie) == out->to.port &&
            grant_from(h->cookie) == out->o.index) {
            out->grant = (struct hal_grant){.to = out->to.node,
                                            .channel = (int)c,
                                            .cookie = h->cookie,
                                            .serial = h->serial,
                                            .capacity = (size_t)(h->room - 1)};
            h->room = 0;
            return true;
        }
    }
    return false;
}

static void refusal_try(struct kern_ikc *k, struct kern_refusal *r)
{
    if (r->handle < 0) {
        uint32_t cookie = grant_from(r->grant.cookie) | WIRE_DATA_WITHDRAWN;
        int e = hal_portal_put(&r->grant, cookie, r, 0, HAL_PORTAL_CORE, &r->handle);
        if (e < 0) {
            r->handle = -1;
            r->used = e == -B_EAGAIN;
        }
    }
    if (r->used && r->handle >= 0 && hal_portal_sent(r->handle) != -B_EAGAIN)
        r->used = false;
    k->refusing -= !r->used;
}

static struct kern_refusal *refusal_free(struct kern_ikc *k)
{
    for (int i = 0; i < KERN_REFUSALS; i++)
        if (!k->refusal[i].used)
            return &k->refusal[i];
    return NULL;
}

/* The reader behind an announcement that was cancelled looks for another writer. */
static void refuse(struct kern_ikc *k, const struct hal_grant *g)
{
    struct kern_refusal *r = refusal_free(k);
    if (r) {
        *r = (struct kern_refusal){*g, -1, true};
        k->refusing++;
        refusal_try(k, r);
    }
}

/* Transfer ------------------------------------------------------------------------------------- */

static void announce(struct kern_ikc *k, struct kern_portal_out *out)
{
    out->writing = WRITE_ANNOUNCE;
    if (out->item.where == ITEM_IDLE) {
        out->item.port = (uint16_t)out->to.port;
        kern_link_post(k, &out->item, out->to.node);
    } /* else that of a cancelled write is still flying: its verdict comes here again */
}

static void activate(struct kern_ikc *k, struct kern_portal_out *out)
{
    out->writing = WRITE_GRANTED;
    b_queue_append(&k->active, &out->active);
}

/* The grant was taken back: the write waits for the next one. */
static void revoked(struct kern_ikc *k, struct kern_portal_out *out)
{
    if (kern_dead(k, out->to.node))
        finish(k, out, -B_EIO);
    else if (unkeep(k, out))
        activate(k, out);
    else if (out->announced || (out->flags & K_PORTAL_QUIET) != 0)
        out->writing = WRITE_WAIT;
    else
        announce(k, out);
}

/* Tries to begin the transfer of a write that has a grant. False: it left that state. */
static bool put(struct kern_ikc *k, struct kern_portal_out *out)
{
    if (out->item.where != ITEM_IDLE && !out->stale)
        return true;
    struct kern_load l;
    if (!k->carrier->load(k, out, &l))
        return true;
    bool fits = l.left <= out->grant.capacity;
    size_t n = fits ? l.n : 0;
    bool dma = (out->flags & K_PORTAL_DMA) != 0 ||
               (n >= k->machine->dma_threshold && (out->flags & K_PORTAL_CORE) == 0);
    uint32_t cookie = out->o.index | (out->announced ? WIRE_DATA_ANNOUNCED : 0) |
                      (fits ? l.flags : WIRE_DATA_TOO_LONG);
    int r = hal_portal_put(&out->grant, cookie, l.bytes, n, dma ? HAL_PORTAL_DMA : HAL_PORTAL_CORE,
                           &out->handle);
    if (r == -B_EAGAIN)
        return true;
    if (r == 0) {
        out->error = fits ? 0 : -B_EMSGSIZE;
        out->writing = WRITE_SEND;
    } else if (r == -B_ECANCELED) {
        revoked(k, out);
    } else {
        finish(k, out, r);
    }
    return false;
}

/* A grant has come for the write. An announcement not yet accepted is not needed any more. */
static void granted(struct kern_ikc *k, struct kern_portal_out *out)
{
    if (!out->stale)
        kern_link_recall(k, &out->item);
    activate(k, out);
}

/* Hands a grant to the write that it is meant for, if there is one. A port has one reader, so if
 * the write has a grant of it already, that one was taken back. */
static bool use(struct kern_ikc *k, struct kern_portal_out *out, const struct hal_grant *g)
{
    bool waits = out->writing == WRITE_ANNOUNCE || out->writing == WRITE_WAIT;
    bool has = out->writing == WRITE_GRANTED;
    if ((!waits && !has) || out->to.node != g->to || out->to.port != (int)grant_port(g->cookie))
        return false;
    out->grant = *g;
    if (waits)
        granted(k, out);
    return true;
}

bool kern_portal_grants(struct kern_ikc *k)
{
    bool any = false;
    struct hal_grant g;
    for (uint32_t i = 0; k->refusing > 0 && i < KERN_REFUSALS; i++)
        if (k->refusal[i].used)
            refusal_try(k, &k->refusal[i]);
    if (k->piece_out) {
        any =
            kern_portal_send(k); /* the next piece's grant may be here before its last one's end */
    }
    while (k->refusing < KERN_REFUSALS && hal_portal_grant(&g) == 0) {
        any = true;
        uint32_t from = grant_from(g.cookie);
        struct kern_portal_out *out = from < k->box[K_PORTAL].ports ? &k->portal_out[from] : NULL;
        if (out && use(k, out, &g))
            continue;
        if (out && (g.cookie & WIRE_GRANT_MATCHED) == 0)
            keep(k, &g);
        else
            refuse(k, &g);
    }
    return any;
}

bool kern_portal_send(struct kern_ikc *k)
{
    bool any = false;
    struct b_queue active = k->active;
    k->active.first = NULL;
    struct b_node *node;
    while ((node = b_queue_pop(&active))) {
        struct kern_portal_out *out = b_container(node, struct kern_portal_out, active);
        bool stays = out->writing == WRITE_GRANTED && put(k, out);
        if (out->writing == WRITE_SEND) {
            int r = hal_portal_sent(out->handle);
            int64_t error = r < 0 ? -B_EIO : out->error;
            if (r == -B_EAGAIN)
                stays = true;
            else if (error < 0 || k->carrier->sent(k, out))
                finish(k, out, error < 0 ? error : (int64_t)out->n);
            else
                revoked(k, out); /* the next piece needs a grant of its own */
        }
        any = any || !stays;
        if (stays)
            b_queue_append(&k->active, node);
    }
    return any;
}

/* Announcement --------------------------------------------------------------------------------- */

static const struct hal_mail *compose(struct kern_ikc *k, struct kern_item *i,
                                      struct hal_mail *scratch, size_t *used)
{
    (void)k;
    const struct kern_portal_out *out = b_container(i, struct kern_portal_out, item);
    struct wire_header h = {.kind = WIRE_MESSAGE,
                            .facility = K_PORTAL,
                            .flags = i->reserved ? WIRE_RESERVED : 0,
                            .to = i->port,
                            .from = i->index,
                            .serial = out->serial};
    memcpy(scratch->header, &h, sizeof h);
    *used = 0;
    return scratch;
}

static void verdict(struct kern_ikc *k, struct kern_item *i, int v)
{
    struct kern_portal_out *out = b_container(i, struct kern_portal_out, item);
    if (out->stale) {
        kern_link_recall(k, i);
        out->stale = false;
        if (out->writing == WRITE_ANNOUNCE)
            announce(k, out);
        return;
    }
    if (out->writing == WRITE_GRANTED) { /* the grant crossed the announcement */
        out->announced = v == WIRE_STORED;
        kern_link_recall(k, i);
        return;
    }
    if (out->writing != WRITE_ANNOUNCE || v == WIRE_BUSY)
        return; /* met a reader of this cluster meanwhile, or is kept back until a READY */
    if (v == WIRE_STORED) {
        out->announced = true;
        out->writing = WRITE_WAIT;
    } else {
        finish(k, out, v == WIRE_NOPORT ? -B_ENOTCONN : v < 0 ? v : -B_EPROTO);
    }
}

static const struct kern_item_class announce_class = {K_PORTAL, true, compose, verdict, false};

void kern_portal_out_init(struct kern_portal_out *out)
{
    out->item.class = &announce_class;
    out->item.index = out->o.index;
}

void kern_portal_start_write(struct kern_ikc *k, struct kern_object *o)
{
    struct kern_portal_out *out = b_container(o, struct kern_portal_out, o);
    out->announced = false;
    out->serial++;
    k->carrier->begin(k, o);
    bool here = out->to.node == k->self;
    if (kern_dead(k, out->to.node)) {
        finish(k, out, -B_EIO);
    } else if (!here && unkeep(k, out)) {
        activate(k, out);
        kern_portal_send(k);
    } else if ((out->flags & K_PORTAL_QUIET) == 0) {
        announce(k, out);
    } else {
        out->writing = WRITE_WAIT;
        if (here)
            kern_portal_meet(k, out);
    }
}

int kern_portal_gone(struct kern_ikc *k, int from, const struct wire_header *h)
{
    if (h->to >= k->box[K_PORTAL].ports)
        return WIRE_MALFORMED;
    struct kern_portal_out *out = &k->portal_out[h->to];
    bool announced = out->writing == WRITE_WAIT || out->writing == WRITE_ANNOUNCE;
    if (announced && out->to.node == from && out->to.port == h->from && out->serial == h->serial) {
        out->stale = !kern_link_recall(k, &out->item); /* its verdict is still to come */
        finish(k, out, -B_ENOTCONN);
    }
    return WIRE_STORED;
}

/* An announcement that was stored stays at its receiver: the reader that takes it is told then.
 * One of this cluster is taken back at once. */
static void withdraw(struct kern_ikc *k, struct kern_portal_out *out)
{
    struct kern_box *b = &k->box[K_PORTAL];
    struct kern_address me = {(int16_t)k->self, (int16_t)out->o.index};
    struct kern_letter *l = out->to.node == k->self ? kern_port_take(k, b, out->to.port, me) : NULL;
    if (l)
        kern_port_free(k, b, out->to.port, l);
}

long kern_portal_cancel_write(struct kern_ikc *k, struct kern_portal_out *out)
{
    bool has = out->writing == WRITE_GRANTED;
    bool matched = has && (out->grant.cookie & WIRE_GRANT_MATCHED) != 0;
    if (out->writing == WRITE_SEND || out->writing == WRITE_COPY || k->carrier->fixed(k, &out->o) ||
        (matched && !refusal_free(k)))
        return -B_EBUSY;
    if (!out->stale && !kern_link_recall(k, &out->item)) {
        if (out->item.where != ITEM_FLYING)
            return -B_EBUSY; /* a buffer is kept for the announcement, it must go out */
        out->stale = true;
    }
    if (has)
        b_queue_remove(&k->active, &out->active);
    if (matched)
        refuse(k, &out->grant);
    else if (has)
        keep(k, &out->grant);
    else if (out->writing == WRITE_WAIT)
        withdraw(k, out);
    out->writing = WRITE_IDLE;
    return 0;
}

void kern_portal_bury_writes(struct kern_ikc *k, int node)
{
    for (uint32_t c = 0; c < k->named_channels; c++)
        held_at(k, node, c)->room = 0;
    for (uint32_t i = 0; i < k->box[K_PORTAL].reach; i++) {
        struct kern_portal_out *out = &k->portal_out[i];
        if (out->writing == WRITE_WAIT && out->to.node == node)
            finish(k, out, -B_EIO);
    }
}
