/* SPDX-License-Identifier: MIT */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

#include "fake_kernel.h"
#include "transport/cell.h"
#include "transport/credit.h"

#define STEPS 1000000 /* a world that does more never comes to rest */

/* A message that is under way. */
struct letter {
    struct letter *next;
    struct mpu_wire wire;
    size_t n;
    uint8_t payload[MPU_EAGER_MAX];
};

static struct {
    struct fake_shape shape;
    uint32_t seed, random;
    struct svc_job job;
    struct mpu_cluster *cluster[FAKE_RANKS];
    struct mpu_set set; /* fake transport: that of the network on chip, whose long messages move as
                         * below */
    struct mpu_comm comm[2][FAKE_RANKS];
    struct letter *first[FAKE_RANKS][FAKE_RANKS], **end[FAKE_RANKS][FAKE_RANKS];
    int under_way[FAKE_RANKS];
    bool computes[FAKE_RANKS];
} world;

void fake_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: seed %u: failed: %s\n", file, line, world.seed, what);
    _Exit(1);
}

/* Xorshift. */
uint32_t fake_random(uint32_t n)
{
    world.random ^= world.random << 13;
    world.random ^= world.random >> 17;
    world.random ^= world.random << 5;
    return world.random % n;
}

/* The transport -------------------------------------------------------------------------------- */

static int begin(struct mpu_rank *r)
{
    (void)r;
    return 0;
}

static void post(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload,
                 size_t n)
{
    int from = r->number;
    struct letter *l = malloc(sizeof *l);
    CHECK_SEED(l && !r->outbox.busy && n <= MPU_EAGER_MAX && to != from);
    *l = (struct letter){.wire = *w, .n = n};
    l->wire.credit = mpu_credit_give(r, to);
    if (n)
        memcpy(l->payload, payload, n);
    *world.end[from][to] = l;
    world.end[from][to] = &l->next;
    r->outbox.busy = ++world.under_way[from] >= world.shape.outbox;
}

static bool eager(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload,
                  bool streamed)
{
    CHECK_SEED(!streamed);
    if (!mpu_credit_spend(r, to, 1))
        return false;
    post(r, to, w, payload, w->size);
    return true;
}

static void progress(struct mpu_rank *r)
{
    r->outbox.busy = world.under_way[r->number] >= world.shape.outbox;
}

static bool idle(struct mpu_rank *r)
{
    return world.under_way[r->number] == 0;
}

/* The oldest letter of a pair arrives. */
static void deliver(int from, int to)
{
    struct mpu_rank *r = fake_rank(to), *sender = fake_rank(from);
    struct letter *l = world.first[from][to];
    struct mpu_cell *cell = mpu_cell_take(r);
    CHECK_SEED(cell);
    world.first[from][to] = l->next;
    if (!l->next)
        world.end[from][to] = &world.first[from][to];
    cell->a.wire = l->wire;
    memcpy(cell->payload, l->payload, l->n);
    CHECK_SEED(
        mpu_wire_valid(&l->wire, (long)(sizeof l->wire + l->n), MPU_EAGER_MAX, world.shape.ranks));
    CHECK_SEED(mpu_credit_take(r, &l->wire));
    free(l);
    if (world.under_way[from]-- == world.shape.outbox)
        k_bell_ring(&sender->bell, K_BELL_KERNEL);
    mpu_arrived(r, &cell->a);
}

int fake_under_way(int from, int to, enum mpu_kind kind)
{
    int n = 0;
    for (const struct letter *l = world.first[from][to]; l; l = l->next)
        n += l->wire.kind == kind;
    return n;
}

/* Announced messages: a receiver that has matched one allows it and waits in `reading`; a sender
 * that was allowed waits in `allowed` until the world moves the bytes of it. */
static const struct mpu_proto *proto(const struct mpu_rank *r, const struct mpu_request *q)
{
    (void)r, (void)q;
    return &mpu_rendezvous;
}

static void allowed(struct mpu_rank *r, struct mpu_request *q, const struct mpu_wire *w)
{
    q->count = w->size;
    mpu_queue(&r->rendezvous.allowed_end, q);
}

static void go(struct mpu_rank *r)
{
    (void)r;
}

static void next(struct mpu_rank *r)
{
    while (r->rendezvous.matched && !r->outbox.busy) {
        struct mpu_request *q = mpu_unqueue(&r->rendezvous.matched, &r->rendezvous.matched_end);
        mpu_post_header(r, q->world, MPU_ALLOW, 0, q->arrival.wire.cookie, q->count);
        if (q->count == 0 && q->arrival.wire.size > 0) {
            mpu_received(q, q->arrival.wire.size);
            continue;
        }
        q->next = r->rendezvous.reading;
        r->rendezvous.reading = q;
    }
}

static uint16_t offer(struct mpu_rank *r, struct mpu_request *q, bool found)
{
    (void)r, (void)q, (void)found;
    return MPU_NO_PORT;
}

static bool bulk_idle(const struct mpu_rank *r)
{
    return !r->rendezvous.allowed && !r->rendezvous.reading && !r->rendezvous.matched;
}

/* The bytes of an allowed send of this rank. */
static void move(struct mpu_rank *r)
{
    struct mpu_request *from = mpu_unqueue(&r->rendezvous.allowed, &r->rendezvous.allowed_end), *to;
    struct mpu_request **at = &fake_rank(from->world)->rendezvous.reading;
    while (*at &&
           ((*at)->world != r->number || (*at)->arrival.wire.cookie != from->arrival.wire.cookie))
        at = &(*at)->next;
    to = *at;
    CHECK_SEED(to && to->count == from->count);
    *at = to->next;
    mpu_copy_from(to, from, to->count);
    mpu_finish(from, 0);
    mpu_received(to, to->arrival.wire.size);
    k_bell_ring(&r->bell, K_BELL_KERNEL);
}

static const struct mpu_bulk bulk = {.proto = proto,
                                     .offer = offer,
                                     .allowed = allowed,
                                     .go = go,
                                     .next = next,
                                     .progress = next,
                                     .idle = bulk_idle};

static const struct mpu_transport transport = {
    .begin = begin, .post = post, .eager = eager, .progress = progress, .idle = idle};

/* The world ------------------------------------------------------------------------------------ */

struct mpu_rank *fake_rank(int number)
{
    return &world.cluster[number]->ranks[0];
}

const struct mpu_comm *fake_comm(int rank)
{
    return &world.comm[0][rank];
}

const struct mpu_comm *fake_other(int rank)
{
    return &world.comm[1][rank];
}

void fake_computes(int rank, bool computes)
{
    world.computes[rank] = computes;
}

static void make_cluster(int i)
{
    static const struct mpu_tuning none;
    fake_kernel_enter(i);
    CHECK_EQ(mpu_cluster_init(&world.job, &none, &mpu_sets_all), 0);
    struct mpu_cluster *c = world.cluster[i] = fake_kernel_enter(i);
    if (!world.shape.board) {
        c->transport = &transport;
        c->set = &world.set;
    }
    if (world.shape.window)
        c->window = world.shape.window;
    if (world.shape.announce)
        c->announce = world.shape.announce;
    CHECK_EQ(mpu_rank_enter(i), 0);
    for (int k = 0; k < 2; k++)
        world.comm[k][i] = (struct mpu_comm){
            .context = 7u + (uint32_t)k, .rank = i, .size = world.shape.ranks, .name = "all"};
    for (int to = 0; to < world.shape.ranks; to++)
        world.end[i][to] = &world.first[i][to];
}

void fake_begin(const struct fake_shape *s, uint32_t seed)
{
    memset(&world, 0, sizeof world);
    world.shape = *s;
    world.shape.outbox = s->outbox ? s->outbox : 3;
    world.seed = seed;
    world.random = seed * 2654435761u | 1;
    for (int i = 0; i < 4; i++)
        fake_random(2);
    world.job = (struct svc_job){.ranks = s->ranks, .per_cluster = 1};
    world.set = *mpu_sets_all.noc;
    world.set.bulk = &bulk;
    fake_kernel_begin(s);
    for (int i = 0; i < s->ranks; i++)
        make_cluster(i);
}

void fake_end(void)
{
    fake_kernel_end();
}

enum what { ARRIVES, MOVES, HANDLES };

struct event {
    enum what what;
    int rank, to;
};

/* All that can happen next. */
static int events(struct event *e)
{
    int n = 0;
    for (int i = 0; i < world.shape.ranks; i++) {
        struct mpu_rank *r = fake_rank(i);
        for (int to = 0; to < world.shape.ranks; to++)
            if (world.first[i][to])
                e[n++] = (struct event){ARRIVES, i, to};
        if (!world.shape.board && r->rendezvous.allowed)
            e[n++] = (struct event){MOVES, i, 0};
        if (!world.computes[i] && (k_bell_rung(&r->bell) || mpu_lane_news(r)))
            e[n++] = (struct event){HANDLES, i, 0};
    }
    return n;
}

bool fake_step(void)
{
    struct event all[FAKE_RANKS * (FAKE_RANKS + 2)];
    fake_kernel_look();
    int n = events(all);
    if (n == 0)
        return false;
    struct event e = all[fake_random((uint32_t)n)];
    fake_kernel_enter(e.what == ARRIVES ? e.to : e.rank);
    if (e.what == ARRIVES)
        deliver(e.rank, e.to);
    else if (e.what == MOVES)
        move(fake_rank(e.rank));
    else
        mpu_poll(fake_rank(e.rank));
    return true;
}

void fake_settle(void)
{
    int steps = 0;
    while (fake_step())
        CHECK_SEED(++steps < STEPS);
}

void fake_some(void)
{
    for (uint32_t n = fake_random(6); n > 0 && fake_step(); n--) {
    }
}

/* Who announced its last one is remembered until it is asked: so it is asked for what nobody has
 * sent. */
static void ask_all(struct mpu_rank *r)
{
    const struct mpu_comm nobody = {.context = 99, .size = world.shape.ranks};
    struct mpu_request q;
    mpu_recv_start(r, &q, &nobody, MPU_ANY, MPU_ANY, NULL, 0);
    fake_settle();
    CHECK_SEED(mpu_recv_cancel(&q));
}

static void check_pair(struct mpu_rank *r, int to)
{
    const struct mpu_peer *p = &r->credit.peers[to],
                          *back = &fake_rank(to)->credit.peers[r->number];
    CHECK_SEED(p->announced == 0 && !p->all);
    CHECK_SEED(p->window == back->owed);
    CHECK_SEED(p->window == 0 || 2 * (int)p->window <= r->cluster->window);
}

void fake_check_quiet(void)
{
    fake_settle();
    for (int i = 0; i < world.shape.ranks; i++)
        if (fake_rank(i)->throttle.askings)
            ask_all(fake_rank(i));
    for (int i = 0; i < world.shape.ranks; i++) {
        struct mpu_rank *r = fake_rank(i);
        CHECK_SEED(!r->outbox.first && !r->unanswered.sends.count && !r->replies.first &&
                   !r->throttle.holds && !r->throttle.askings);
        CHECK_SEED(!r->throttle.wants && !r->throttle.wants_all);
        CHECK_SEED(mpu_announced_idle(r) && !r->outbox.busy && r->match.waiting == 0);
        for (int to = 0; to < world.shape.ranks; to++)
            check_pair(r, to);
    }
}
