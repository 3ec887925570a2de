/* SPDX-License-Identifier: MIT */
#include "progress/lane.h"

#include <stddef.h>

#include "progress/cell.h"
#include "progress/progress.h"
#include "proto/proto.h"

#define CELLS_FIRST 64 /* more are added when these are not enough */

/* What a line carries. */
enum load {
    LOAD_MESSAGE, /* the bytes */
    LOAD_ARRIVAL, /* where it lies: a cell, or a send that waits */
    LOAD_DONE,    /* a send of the receiver's is done */
    LOADS
};

/* Construction --------------------------------------------------------------------------------- */

static uint32_t lines_in(uint32_t bytes)
{
    uint32_t n = 1;
    while (2 * n * sizeof(struct mpu_line) <= bytes)
        n *= 2;
    return bytes < sizeof(struct mpu_line) ? 0 : n;
}

static size_t line_bytes(uint32_t lines)
{
    return sizeof(struct mpu_lane) + lines * sizeof(struct mpu_line);
}

static uint32_t cells_at_first(uint32_t lines)
{
    return lines < CELLS_FIRST ? lines : CELLS_FIRST;
}

size_t mpu_lane_bytes(uint32_t bytes, uint32_t cell)
{
    uint32_t n = lines_in(bytes);
    size_t all = n ? line_bytes(n) + cells_at_first(n) * cell : 0;
    return (all + KERN_LINE - 1) / KERN_LINE * KERN_LINE;
}

static struct mpu_line *line_at(struct mpu_lane *l, uint32_t i)
{
    return &l->line[i & (l->lines - 1)];
}

static void watch_next(struct mpu_lane *l)
{
    l->watch.word = &line_at(l, l->taken)->turn;
    l->watch.value = l->taken + 1;
}

static void add_cells(struct mpu_lane *l, uint8_t *memory, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct mpu_arrival *a = (struct mpu_arrival *)(memory + (size_t)i * l->cell);
        a->origin = MPU_FROM_LANE;
        a->next = l->cells;
        l->cells = a;
    }
    l->cells_free += n;
}

/* Lines come back to their senders as far as there is a cell for the message in each. */
static void publish(struct mpu_lane *l)
{
    uint32_t missing = l->cells_free < l->lines ? l->lines - l->cells_free : 0;
    atomic_store_explicit(&l->head, l->taken - missing, memory_order_release);
}

void mpu_lane_init(struct mpu_lane *l, uint32_t bytes, uint32_t cell, int pages_most)
{
    l->lines = lines_in(bytes);
    l->cell = cell;
    l->pages_most = pages_most;
    add_cells(l, (uint8_t *)l + line_bytes(l->lines), cells_at_first(l->lines));
    publish(l);
    atomic_store_explicit(&l->room, l->head, memory_order_relaxed);
    watch_next(l);
}

/* Sender --------------------------------------------------------------------------------------- */

static uint32_t lines_of(uint64_t size)
{
    return size <= MPU_LINE_DATA
               ? 1
               : 1 + (uint32_t)((size - MPU_LINE_DATA + MPU_LINE_MORE - 1) / MPU_LINE_MORE);
}

/* n lines in a row to fill: the number of the first in *at. False: too few are free, or messages
 * lie in the inbox, which one of this sender must not overtake. */
static bool claim(struct mpu_core *core, uint32_t n, uint32_t *at)
{
    struct mpu_lane *l = core->lane;
    if (!l || atomic_load_explicit(&core->inbox, memory_order_relaxed))
        return false;
    uint32_t t = atomic_load_explicit(&l->tail, memory_order_relaxed);
    do {
        uint32_t room = atomic_load_explicit(&l->room, memory_order_acquire);
        if ((int32_t)(t + n - room) > (int32_t)l->lines) {
            room = atomic_load_explicit(&l->head, memory_order_acquire);
            atomic_store_explicit(&l->room, room, memory_order_release);
            if ((int32_t)(t + n - room) > (int32_t)l->lines)
                return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&l->tail, &t, t + n, memory_order_relaxed,
                                                    memory_order_relaxed));
    *at = t;
    return true;
}

/* The line, and those after it that belong to it, are the core's. If that sleeps the bell wakes it:
 * base/watch.h. */
static void give(struct mpu_lane *l, uint32_t at, struct mpu_rank *to)
{
    atomic_store(&line_at(l, at)->turn, at + 1);
    if (b_watch_asleep(&l->watch))
        mpu_ring(to);
}

static uint8_t *more(struct mpu_line *line)
{
    return (uint8_t *)line + sizeof line->turn;
}

/* What of a message of n bytes lies in the i-th of its lines after the first. */
static uint32_t part(uint64_t n, uint32_t i)
{
    uint64_t left = n - MPU_LINE_DATA - (i - 1) * MPU_LINE_MORE;
    return left < MPU_LINE_MORE ? (uint32_t)left : MPU_LINE_MORE;
}

/* What of a message does not fit into its first line. */
static void scatter(const struct mpu_cluster *c, struct mpu_lane *l, uint32_t at,
                    const struct mpu_wire *w, const uint8_t *data)
{
    for (uint32_t i = 1; i < lines_of(w->size); i++) {
        struct mpu_line *line = line_at(l, at + i);
        mpu_move(c, more(line), data + MPU_LINE_DATA + (i - 1) * MPU_LINE_MORE, part(w->size, i));
        atomic_store_explicit(&line->turn, at + i + 1, memory_order_relaxed);
    }
}

bool mpu_lane_message(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *data)
{
    struct mpu_cluster *c = r->cluster;
    struct mpu_here here = c->here[to];
    struct mpu_lane *l = c->cores[here.core].lane;
    uint32_t at, n = lines_of(w->size);
    if (!claim(&c->cores[here.core], n, &at))
        return false;
    struct mpu_line *line = line_at(l, at);
    line->to = (uint16_t)here.local;
    line->load = LOAD_MESSAGE;
    line->wire = *w;
    if (w->size)
        mpu_move(c, line->data, data, n > 1 ? MPU_LINE_DATA : w->size);
    if (n > 1)
        scatter(c, l, at, w, data);
    give(l, at, &c->ranks[here.local]);
    return true;
}

/* A load that is a pointer. */
static bool send_pointer(struct mpu_cluster *c, int to, enum load load, void *pointer)
{
    struct mpu_here here = c->here[to];
    struct mpu_core *core = &c->cores[here.core];
    uint32_t at;
    if (!claim(core, 1, &at))
        return false;
    struct mpu_line *line = line_at(core->lane, at);
    line->to = (uint16_t)here.local;
    line->load = (uint8_t)load;
    line->pointer = pointer;
    give(core->lane, at, &c->ranks[here.local]);
    return true;
}

bool mpu_lane_done(struct mpu_rank *r, int to, struct mpu_request *q)
{
    return send_pointer(r->cluster, to, LOAD_DONE, q);
}

void mpu_local_push(struct mpu_rank *r, int to, struct mpu_arrival *a)
{
    struct mpu_cluster *c = r->cluster;
    if (c->here[to].core == r->core) {
        mpu_arrived(mpu_neighbour(r, to), a);
        return;
    }
    if (send_pointer(c, to, LOAD_ARRIVAL, a))
        return;
    struct mpu_core *core = &c->cores[c->here[to].core];
    a->to = (uint16_t)c->here[to].local;
    struct mpu_arrival *top = atomic_load_explicit(&core->inbox, memory_order_relaxed);
    do
        a->next = top;
    while (!atomic_compare_exchange_weak_explicit(&core->inbox, &top, a, memory_order_release,
                                                  memory_order_relaxed));
    mpu_ring(mpu_neighbour(r, to));
}

/* Receiver ------------------------------------------------------------------------------------- */

void mpu_lane_cell_end(struct mpu_lane *l, struct mpu_arrival *a)
{
    a->next = l->cells;
    l->cells = a;
    if (l->cells_free++ < l->lines)
        publish(l);
}

/* One page more, if lines lack cells. */
static void more_cells(struct mpu_lane *l)
{
    if (l->cells_free >= l->lines || l->pages == l->pages_most)
        return;
    l->pages++;
    uint8_t *page = mpu_cell_page();
    if (page)
        add_cells(l, page, MPU_PAGE_CELLS(l->cell));
}

/* A cell for the message of the line that is taken: there is one for each that may be full. */
static struct mpu_cell *cell_take(struct mpu_lane *l)
{
    struct mpu_arrival *a = l->cells;
    l->cells = a->next;
    l->cells_free--;
    more_cells(l);
    return (struct mpu_cell *)a;
}

/* The first n bytes of the message in the line that is taken and those after it. */
static void gather(const struct mpu_cluster *c, struct mpu_lane *l, const struct mpu_line *line,
                   uint8_t *to, uint64_t n)
{
    mpu_move(c, to, line->data, n < MPU_LINE_DATA ? n : MPU_LINE_DATA);
    for (uint32_t i = 1; i < lines_of(n); i++)
        mpu_move(c, to + MPU_LINE_DATA + (i - 1) * MPU_LINE_MORE, more(line_at(l, l->taken + i)),
                 part(n, i));
}

/* Nobody asked for it yet. */
static struct mpu_cell *keep(const struct mpu_cluster *c, struct mpu_lane *l,
                             const struct mpu_line *line)
{
    struct mpu_cell *cell = cell_take(l);
    cell->a.wire = line->wire;
    if (line->wire.size)
        gather(c, l, line, cell->payload, line->wire.size);
    return cell;
}

/* Somebody did, and not for data in one piece: it takes the message out of a cell. */
static void receive_streamed(struct mpu_cluster *c, struct mpu_lane *l, const struct mpu_line *line,
                             struct mpu_request *q)
{
    struct mpu_cell *cell = keep(c, l, line);
    mpu_cell_receive(q->rank, q, &cell->a);
}

static uint32_t take_message(struct mpu_cluster *c, struct mpu_lane *l, const struct mpu_line *line)
{
    struct mpu_rank *to = &c->ranks[line->to];
    const struct mpu_wire *w = &line->wire;
    uint32_t n = lines_of(w->size);
    uint64_t before = to->match.compared;
    struct mpu_request *q = mpu_match_quickly(&to->match, w->context, w->source, w->tag);
    mpu_charge_match(to, &to->match, before);
    const struct mpu_letter letter = {w->context, w->source, w->tag, w->from, w->marked};
    if (!q) {
        mpu_unexpected(to, &keep(c, l, line)->a);
    } else if (n == 1) {
        mpu_receive_now(q, &letter, line->data);
    } else if (q->streamed) {
        receive_streamed(c, l, line, q);
    } else {
        gather(c, l, line, q->buf, mpu_accept(q, w));
        mpu_complete(q, mpu_accepted(q, w->size));
    }
    return n;
}

static uint32_t take_arrival(struct mpu_cluster *c, struct mpu_lane *l, const struct mpu_line *line)
{
    (void)l;
    mpu_arrived(&c->ranks[line->to], line->pointer);
    return 1;
}

static uint32_t take_done(struct mpu_cluster *c, struct mpu_lane *l, const struct mpu_line *line)
{
    (void)c, (void)l;
    mpu_finish(line->pointer, 0);
    return 1;
}

static bool take(struct mpu_cluster *c, struct mpu_lane *l)
{
    static uint32_t (*const take_load[LOADS])(struct mpu_cluster *, struct mpu_lane *,
                                              const struct mpu_line *) = {
        [LOAD_MESSAGE] = take_message, [LOAD_ARRIVAL] = take_arrival, [LOAD_DONE] = take_done};
    const struct mpu_line *line = line_at(l, l->taken);
    if (atomic_load_explicit(&line->turn, memory_order_acquire) != l->taken + 1)
        return false;
    l->taken += take_load[line->load](c, l, line);
    watch_next(l);
    publish(l);
    return true;
}

/* The oldest one is last: what a rank sends arrives in order. `end` is what lies below all. */
static struct mpu_arrival *oldest_first(struct mpu_arrival *newest, const struct mpu_arrival *end)
{
    struct mpu_arrival *list = NULL;
    while (newest && newest != end) {
        struct mpu_arrival *older = newest->next;
        newest->next = list;
        list = newest;
        newest = older;
    }
    return list;
}

static void arrive(struct mpu_cluster *c, struct mpu_arrival *a)
{
    while (a) {
        struct mpu_arrival *next = a->next;
        mpu_arrived(&c->ranks[a->to], a);
        a = next;
    }
}

/* Messages in the inbox are later than those of their senders in the lane, and as long as the inbox
 * is not NULL these senders use it. So what lies there is taken, but not the end of the list, which
 * the core puts there; then what was in the lane at that time; then NULL opens the lane. A sender
 * that has got a line and not yet filled it stops this until it has: the core watches that line. */
static bool late_progress(struct mpu_rank *r, struct mpu_core *core)
{
    struct mpu_lane *l = core->lane;
    struct mpu_arrival *end = &l->end;
    if (!l->late) {
        more_cells(l);
        l->late =
            oldest_first(atomic_exchange_explicit(&core->inbox, end, memory_order_acq_rel), end);
        l->until = atomic_load_explicit(&l->tail, memory_order_relaxed);
    }
    while ((int32_t)(l->until - l->taken) > 0)
        if (!take(r->cluster, l))
            return false;
    struct mpu_arrival *late = l->late;
    l->late = NULL;
    arrive(r->cluster, late);
    atomic_compare_exchange_strong_explicit(&core->inbox, &end, NULL, memory_order_release,
                                            memory_order_relaxed);
    return true;
}

bool mpu_lane_progress(struct mpu_rank *r)
{
    struct mpu_core *core = r->at_core;
    struct mpu_lane *l = core->lane;
    bool any = false;
    for (uint32_t n = l ? l->lines : 0; n > 0 && take(r->cluster, l); n--)
        any = true;
    if (!atomic_load_explicit(&core->inbox, memory_order_relaxed))
        return any;
    if (l)
        return late_progress(r, core) || any;
    arrive(r->cluster,
           oldest_first(atomic_exchange_explicit(&core->inbox, NULL, memory_order_acquire), NULL));
    return true;
}
