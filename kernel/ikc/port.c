/* SPDX-License-Identifier: MIT */
/* The receiving side of logical ports, the same for messages of mailboxes and announcements of
 * portals. A message goes to a waiting reader, or into a buffer, or is refused; of refused
 * writers the port remembers the cluster only, and calls one of its messages by a READY when it
 * can take one. */
#include "ikc/internal.h"

#include <base/assert.h>
#include <base/error.h>
#include <base/mem.h>
#include <hal/mem.h>

static enum kern_share share_of(const struct kern_ikc *k, int node)
{
    return node == k->self ? SHARE_LOCAL : SHARE_REMOTE;
}

static struct b_bitmap set_of(const struct kern_ikc *k, const struct kern_box *b, int port,
                              enum kern_set set)
{
    uint64_t *words = b->sets + ((size_t)port * SETS + set) * k->words;
    return (struct b_bitmap){.words = words, .bits = (uint32_t)k->clusters};
}

static void make_hungry(struct kern_box *b, struct kern_port *p)
{
    if (!p->is_hungry) {
        p->is_hungry = true;
        b_queue_append(&b->hungry, &p->hungry);
    }
}

/* Refused writers ------------------------------------------------------------------------------ */

static void refuse(struct kern_ikc *k, struct kern_box *b, int port, int node)
{
    struct kern_port *p = &b->port[port];
    struct b_bitmap refused = set_of(k, b, port, SET_REFUSED);
    if (!b_bitmap_test(&refused, (uint32_t)node)) {
        b_bitmap_set(&refused, (uint32_t)node);
        p->refused += node != k->self;
    }
    make_hungry(b, p);
}

static void clear_refused(struct kern_ikc *k, struct kern_box *b, int port, int node)
{
    struct b_bitmap refused = set_of(k, b, port, SET_REFUSED);
    if (b_bitmap_test(&refused, (uint32_t)node)) {
        b_bitmap_clear(&refused, (uint32_t)node);
        b_assert(node == k->self || b->port[port].refused > 0);
        b->port[port].refused -= node != k->self;
    }
}

/* A buffer was reserved for a message of `node`: uses the reservation up, or gives it back. */
static bool use_reservation(struct kern_ikc *k, struct kern_box *b, int port, int node)
{
    struct b_bitmap promised = set_of(k, b, port, SET_PROMISED);
    if (!b_bitmap_test(&promised, (uint32_t)node))
        return false;
    b_bitmap_clear(&promised, (uint32_t)node);
    return true;
}

static void serve_hungry(struct kern_ikc *k, struct kern_box *b);

static void give(struct kern_ikc *k, struct kern_box *b, int port, enum kern_share share)
{
    b_assert(b->port[port].used[share] > 0);
    kern_store_give(&b->store[share], &b->port[port].used[share]);
    serve_hungry(k, b);
}

/* The answer of a cluster to a READY. */
static void answered(struct kern_ikc *k, struct kern_box *b, int port, int node, int verdict)
{
    bool answer = verdict >= 0 && (verdict & WIRE_ANSWER) != 0;
    if (answer && (verdict & WIRE_MORE) != 0)
        refuse(k, b, port, node);
    if (!(answer && (verdict & WIRE_COMING) != 0) && use_reservation(k, b, port, node))
        give(k, b, port, share_of(k, node));
}

/* Offers --------------------------------------------------------------------------------------- */

/* One control message at a time goes to a cluster, so one that is slow to answer delays no
 * other. */
static bool busy(const struct kern_ikc *k, int node)
{
    return k->dest[node].control.item.where != ITEM_IDLE || kern_dead(k, node);
}

/* Which READY the port owes, if any: to `*node`, for messages of port `*from`. */
static bool owed_ready(struct kern_ikc *k, struct kern_box *b, int port, int first, int last,
                       int *node, uint16_t *from, bool *reserve)
{
    struct kern_port *p = &b->port[port];
    struct b_bitmap refused = set_of(k, b, port, SET_REFUSED);
    struct b_bitmap promised = set_of(k, b, port, SET_PROMISED);
    struct b_bitmap probe = set_of(k, b, port, SET_PROBE);
    struct kern_address want;
    bool reader = b->wanted(k, port, &want);
    int start = p->turn + 1 >= first && p->turn + 1 <= last ? p->turn + 1 : first;
    for (int pass = 0; pass < 2; pass++) {
        int n = pass == 0 ? start : first;
        while ((n = b_bitmap_next(&refused, (uint32_t)n)) >= 0 && n <= last) {
            if (n != k->self && busy(k, n)) {
                n++;
                continue;
            }
            enum kern_share share = share_of(k, n);
            bool here = reader && b_bitmap_test(&probe, (uint32_t)n);
            bool room = !b_bitmap_test(&promised, (uint32_t)n) &&
                        kern_store_can_take(&b->store[share], p->used[share]);
            if (!p->open || here || room) {
                *node = n;
                *from = p->open && here && want.port >= 0 ? (uint16_t)want.port : WIRE_PORT_ANY;
                *reserve = p->open && !here;
                return true;
            }
            n++;
        }
    }
    return false;
}

/* Settles what a READY to `node` stands for; the flags of the message. */
static uint8_t offer(struct kern_ikc *k, struct kern_box *b, int port, int node, bool reserve)
{
    struct kern_port *p = &b->port[port];
    struct b_bitmap promised = set_of(k, b, port, SET_PROMISED);
    struct b_bitmap probe = set_of(k, b, port, SET_PROBE);
    clear_refused(k, b, port, node);
    b_bitmap_clear(&probe, (uint32_t)node);
    p->turn = (uint16_t)node;
    if (!reserve)
        return 0;
    enum kern_share share = share_of(k, node);
    kern_store_take(&b->store[share], &p->used[share]);
    b_bitmap_set(&promised, (uint32_t)node);
    return WIRE_RESERVED;
}

/* Writers of this cluster are called directly: they do not stand behind a READY to another one. */
static void serve_here(struct kern_ikc *k, struct kern_box *b, int port)
{
    int node;
    uint16_t from;
    bool reserve;
    while (owed_ready(k, b, port, k->self, k->self, &node, &from, &reserve)) {
        struct wire_header h = {.kind = WIRE_READY,
                                .facility = b->facility,
                                .flags = offer(k, b, port, node, reserve),
                                .to = (uint16_t)port,
                                .from = from};
        answered(k, b, port, node, kern_link_ready(k, node, &h));
    }
}

static void post(struct kern_ikc *k, int node, const struct wire_header *h)
{
    struct kern_control *c = &k->dest[node].control;
    c->header = *h;
    kern_link_post(k, &c->item, node);
}

/* Tells writers whose announcements were stored that their port is gone. */
static void serve_evicted(struct kern_ikc *k, struct kern_box *b, int port)
{
    struct b_queue all = b->port[port].evicted;
    b->port[port].evicted.first = NULL;
    struct b_node *node;
    while ((node = b_queue_pop(&all))) {
        struct kern_letter *l = b_container(node, struct kern_letter, node);
        struct wire_header h = {.kind = WIRE_GONE,
                                .facility = b->facility,
                                .to = l->from_port,
                                .from = (uint16_t)port,
                                .serial = l->serial};
        int writer = l->from_node;
        if (writer != k->self && !kern_dead(k, writer) && busy(k, writer)) {
            b_queue_append(&b->port[port].evicted, node);
            continue;
        }
        kern_port_free(k, b, port, l);
        if (writer == k->self)
            kern_portal_gone(k, writer, &h);
        else if (!kern_dead(k, writer))
            post(k, writer, &h);
    }
}

void kern_port_serve(struct kern_ikc *k, struct kern_box *b, int port)
{
    struct kern_port *p = &b->port[port];
    int node;
    bool reserve;
    uint16_t from;
    serve_here(k, b, port);
    serve_evicted(k, b, port);
    while (p->refused > 0 &&
           (owed_ready(k, b, port, 0, k->self - 1, &node, &from, &reserve) ||
            owed_ready(k, b, port, k->self + 1, k->clusters - 1, &node, &from, &reserve))) {
        struct wire_header h = {.kind = WIRE_READY,
                                .facility = b->facility,
                                .flags = offer(k, b, port, node, reserve),
                                .to = (uint16_t)port,
                                .from = from};
        post(k, node, &h);
    }
    if (p->refused > 0 || !b_queue_empty(&p->evicted))
        make_hungry(b, p);
}

static void serve_hungry(struct kern_ikc *k, struct kern_box *b)
{
    struct b_queue hungry = b->hungry;
    b->hungry.first = NULL;
    struct b_node *node;
    while ((node = b_queue_pop(&hungry))) {
        struct kern_port *p = b_container(node, struct kern_port, hungry);
        int port = (int)(p - b->port);
        struct b_bitmap refused = set_of(k, b, port, SET_REFUSED);
        p->is_hungry = false;
        kern_port_serve(k, b, port);
        if (b_bitmap_next(&refused, 0) >= 0)
            make_hungry(b, p);
    }
}

/* Control messages ----------------------------------------------------------------------------- */

static const struct hal_mail *control_compose(struct kern_ikc *k, struct kern_item *i,
                                              struct hal_mail *scratch, size_t *used)
{
    (void)k;
    const struct kern_control *c = b_container(i, struct kern_control, item);
    memcpy(scratch->header, &c->header, sizeof c->header);
    *used = 0;
    return scratch;
}

static void control_verdict(struct kern_ikc *k, struct kern_item *i, int verdict)
{
    const struct kern_control *c = b_container(i, struct kern_control, item);
    if (c->header.kind == WIRE_READY)
        answered(k, &k->box[c->header.facility], c->header.to, i->to, verdict);
    serve_hungry(k, &k->box[K_MAILBOX]);
    serve_hungry(k, &k->box[K_PORTAL]);
}

static const struct kern_item_class control_class = {K_MAILBOX, false, control_compose,
                                                     control_verdict, false};

void kern_control_init(struct kern_control *c)
{
    c->item.class = &control_class;
}

/* Letters -------------------------------------------------------------------------------------- */

static void store(struct kern_box *b, struct kern_port *p, enum kern_share share,
                  const struct kern_letter *head, const void *data)
{
    b_assert(!b_queue_empty(&b->store[share].free));
    struct kern_letter *l =
        b_container(b_queue_pop(&b->store[share].free), struct kern_letter, node);
    l->from_node = head->from_node;
    l->from_port = head->from_port;
    l->serial = head->serial;
    l->size = head->size;
    l->share = (uint8_t)share;
    if (l->size > 0)
        hal_mem_copy(l->data, data, l->size);
    b_queue_append(&p->letters, &l->node);
}

int kern_port_deliver(struct kern_ikc *k, struct kern_box *b, int from, const struct wire_header *h,
                      const void *data)
{
    if (h->to >= b->ports || h->from >= b->ports)
        return h->from >= b->ports ? WIRE_MALFORMED : WIRE_NOPORT;
    int port = h->to;
    struct kern_port *p = &b->port[port];
    enum kern_share share = share_of(k, from);
    bool reserved = (h->flags & WIRE_RESERVED) != 0 && use_reservation(k, b, port, from);
    if (kern_link_broken(k, from, h) && p->open && !reserved) {
        refuse(k, b, port, from);
        return WIRE_BUSY;
    }
    struct kern_letter head = {
        .from_node = (uint16_t)from, .from_port = h->from, .serial = h->serial, .size = h->size};
    if (!p->open || b->accept(k, port, &head, data)) {
        int verdict = p->open ? WIRE_STORED : WIRE_NOPORT;
        if (reserved)
            give(k, b, port, share);
        return verdict;
    }
    struct b_bitmap refused = set_of(k, b, port, SET_REFUSED);
    bool others =
        share == SHARE_REMOTE ? p->refused > 0 : b_bitmap_test(&refused, (uint32_t)k->self);
    if (!reserved && (others || !kern_store_take(&b->store[share], &p->used[share]))) {
        refuse(k, b, port, from); /* nor does a new one go ahead of those refused before */
        kern_link_break(k, from, h);
        return WIRE_BUSY;
    }
    store(b, p, share, &head, data);
    return WIRE_STORED;
}

struct kern_letter *kern_port_take(struct kern_ikc *k, struct kern_box *b, int port,
                                   struct kern_address want)
{
    (void)k;
    struct kern_port *p = &b->port[port];
    for (struct b_node *node = p->letters.first; node; node = node->next) {
        struct kern_letter *l = b_container(node, struct kern_letter, node);
        if (kern_wants(want, l->from_node, l->from_port)) {
            b_queue_remove(&p->letters, node);
            return l;
        }
    }
    return NULL;
}

void kern_port_free(struct kern_ikc *k, struct kern_box *b, int port, struct kern_letter *l)
{
    enum kern_share share = l->share;
    b_queue_prepend(&b->store[share].free, &l->node);
    give(k, b, port, share);
}

bool kern_port_restore(struct kern_ikc *k, struct kern_box *b, int port, int from, int from_port,
                       uint16_t serial)
{
    struct kern_port *p = &b->port[port];
    enum kern_share share = share_of(k, from);
    if (!kern_store_take(&b->store[share], &p->used[share]))
        return false;
    struct kern_letter *l =
        b_container(b_queue_pop(&b->store[share].free), struct kern_letter, node);
    l->from_node = (uint16_t)from;
    l->from_port = (uint16_t)from_port;
    l->serial = serial;
    l->size = 0;
    l->share = (uint8_t)share;
    b_queue_prepend(&p->letters, &l->node);
    return true;
}

/* The life of a port --------------------------------------------------------------------------- */

void kern_port_reader(struct kern_ikc *k, struct kern_box *b, int port)
{
    struct b_bitmap refused = set_of(k, b, port, SET_REFUSED);
    struct b_bitmap probe = set_of(k, b, port, SET_PROBE);
    struct kern_address want;
    if (b_bitmap_next(&refused, 0) < 0 || !b->wanted(k, port, &want))
        return;
    /* All buffers of the port may hold messages that this reader does not want. */
    for (int n = 0; n < k->clusters; n++)
        if (b_bitmap_test(&refused, (uint32_t)n) && (want.node < 0 || want.node == n))
            b_bitmap_set(&probe, (uint32_t)n);
        else
            b_bitmap_clear(&probe, (uint32_t)n);
    kern_port_serve(k, b, port);
    kern_link_pump(k, k->self);
}

void kern_port_open(struct kern_ikc *k, struct kern_box *b, int port)
{
    b->port[port].open = true;
    kern_port_serve(k, b, port);
}

int kern_port_close(struct kern_ikc *k, struct kern_box *b, int port)
{
    struct kern_port *p = &b->port[port];
    struct b_node *node;
    int count = 0;
    p->open = false;
    while ((node = b_queue_pop(&p->letters))) {
        struct kern_letter *l = b_container(node, struct kern_letter, node);
        count++;
        if (b->facility == K_PORTAL)
            b_queue_append(&p->evicted, node);
        else
            kern_port_free(k, b, port, l);
    }
    kern_port_serve(k, b, port);
    kern_link_pump(k, k->self);
    return count;
}

/* Nobody at `node` will answer or fetch anything any more; announcements of it are void. */
void kern_port_bury(struct kern_ikc *k, struct kern_box *b, int node)
{
    for (int port = 0; port < (int)b->reach; port++) {
        struct kern_address want = {(int16_t)node, K_ANY};
        clear_refused(k, b, port, node);
        if (use_reservation(k, b, port, node))
            give(k, b, port, SHARE_REMOTE);
        struct kern_letter *l;
        while (b->facility == K_PORTAL && (l = kern_port_take(k, b, port, want)))
            kern_port_free(k, b, port, l);
    }
}

size_t kern_box_bytes(const struct kern_ikc *k, uint32_t ports)
{
    return ports * (sizeof(struct kern_port) + (size_t)SETS * k->words * sizeof(uint64_t));
}

void kern_box_init(struct kern_ikc *k, struct kern_box *b, int facility, uint32_t ports,
                   void *memory)
{
    b->facility = (uint8_t)facility;
    b->ports = ports;
    b->port = memory;
    b->sets = (uint64_t *)(b->port + ports);
    b->accept = facility == K_MAILBOX ? kern_mail_accept : kern_portal_accept;
    b->wanted = facility == K_MAILBOX ? kern_mail_wanted : kern_portal_wanted;
    (void)k;
}
