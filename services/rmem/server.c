/* SPDX-License-Identifier: MIT */
/* A memory server: blocks of 4 KB in the memory of its cluster.
 *
 * Data goes through a few slots, each a portal out and a portal in; a cluster always uses the same
 * slot. A transfer that the other side does not take gives its portal to the next one after a
 * while, queues up again, and is given up when its patience is over; and a cluster can have only a
 * few under way. So no client keeps others waiting for long. */
#include <svc/rmem.h>

#include <base/bitmap.h>
#include <base/error.h>
#include <base/list.h>
#include <base/mem.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_portal.h>
#include "rmem/wire.h"

enum {
    SLOTS = SVC_WATCHED / 2,
    TRANSFERS = 8, /* under way for a cluster */
    FINISH_SENDS = 2
};
enum way { READS, WRITES, WAYS }; /* seen by the client */

struct block {
    uint32_t extent; /* blocks of the extent that begins here, else 0 */
    uint16_t owner;  /* cluster, NOBODY: free */
    bool shared;     /* others may read and write it */
    bool written;    /* by its owner */
    bool stale;      /* has bytes of an earlier owner: to be cleared before anybody sees it */
    bool leaving;    /* its extent is given back, and free when what moves there has ended */
};
#define NOBODY 0xffff

struct transfer {
    struct b_node node; /* in the queue of its lane */
    struct svc_ticket ticket;
    uint32_t block, blocks; /* that it touches */
    uint16_t cluster, port;
    uint8_t *data;
    uint32_t size;     /* 0: nothing is transferred */
    uint32_t deadline; /* by the server's clock */
    bool paced;        /* the client wants to be told when it begins and how it went */
    bool frees;        /* the extent that it touches is given back after it, and `freer` is told */
    struct svc_ticket freer;
};

struct lane {
    int portal;
    struct transfer *now; /* that the portal works at */
    uint64_t since;       /* cycle at which it began */
    struct b_queue waiting;
};

struct server {
    uint32_t blocks; /* block 0 is nobody's: all zero */
    struct svc_rmem_counts counts;
    struct lane lane[SLOTS][WAYS];
    int transfers, live;       /* there are; that have something to transfer */
    struct transfer *transfer; /* TRANSFERS for each cluster in turn */
    struct b_bitmap used;
    struct block *block;
    uint8_t *memory;
};

static size_t aligned(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

static size_t words_bytes(int blocks)
{
    return aligned(B_BITMAP_WORDS((uint32_t)blocks) * sizeof(uint64_t));
}

static int transfers(void)
{
    struct k_info info;
    k_info(&info);
    return TRANSFERS * info.clusters;
}

size_t svc_rmem_server_bytes(int blocks)
{
    return aligned(sizeof(struct server)) + words_bytes(blocks) +
           aligned((size_t)transfers() * sizeof(struct transfer)) +
           aligned((size_t)blocks * sizeof(struct block)) + (size_t)blocks * SVC_PAGE;
}

void svc_rmem_server_init(void *state, int blocks)
{
    struct server *n = state;
    uint8_t *at = state;
    memset(state, 0, svc_rmem_server_bytes(blocks));
    n->blocks = (uint32_t)blocks;
    at += aligned(sizeof *n);
    b_bitmap_init(&n->used, (uint64_t *)at, (uint32_t)blocks);
    at += words_bytes(blocks);
    n->transfers = transfers();
    n->transfer = (struct transfer *)at;
    at += aligned((size_t)n->transfers * sizeof(struct transfer));
    n->block = (struct block *)at;
    n->memory = at + aligned((size_t)blocks * sizeof *n->block);
    b_bitmap_set(&n->used, 0);
    for (int i = 0; i < blocks; i++)
        n->block[i].owner = NOBODY;
}

/* Portals -------------------------------------------------------------------------------------- */

static void end(struct svc_server *s)
{
    struct server *n = s->state;
    for (int i = 0; i < SLOTS; i++) {
        if (n->lane[i][READS].portal >= 0)
            k_portal_close(n->lane[i][READS].portal);
        if (n->lane[i][WRITES].portal >= 0)
            k_portal_unlink(n->lane[i][WRITES].portal);
    }
}

static int begin(struct svc_server *s)
{
    struct server *n = s->state;
    int r = 0;
    for (int i = 0; i < SLOTS; i++) {
        n->lane[i][READS].portal = r == 0 ? k_portal_open(K_ANY, K_ANY) : -B_ENOMEM;
        n->lane[i][WRITES].portal = r == 0 ? svc_portal_create() : -B_ENOMEM;
        for (int w = 0; w < WAYS; w++) {
            int id = n->lane[i][w].portal;
            r = r < 0 ? r : id < 0 ? id : svc_watch(s, K_PORTAL, id);
        }
    }
    return r;
}

/* Extents -------------------------------------------------------------------------------------- */

/* May `cluster` touch blocks first .. last? They must belong to one extent. */
static int check(const struct server *n, uint32_t first, uint32_t last, int cluster)
{
    if (first == 0 || last >= n->blocks)
        return -B_EFAULT;
    for (uint32_t i = first; i <= last; i++) {
        const struct block *b = &n->block[i];
        if (b->owner == NOBODY || b->leaving || (i > first && b->extent != 0))
            return -B_EFAULT;
        if (b->owner != cluster && !b->shared)
            return -B_EPERM;
    }
    return 0;
}

static int alloc(struct svc_server *s, const struct svc_request *r, void *answer)
{
    struct server *n = s->state;
    struct rmem_alloc body;
    svc_get(&body, r->m, sizeof body);
    if (body.blocks == 0 || body.flags > SVC_RMEM_SHARED)
        return -B_EINVAL;
    int at = body.blocks < n->blocks ? b_bitmap_take_run(&n->used, body.blocks) : -1;
    if (at < 0)
        return -B_ENOSPC;
    for (uint32_t i = (uint32_t)at; i < (uint32_t)at + body.blocks; i++) {
        n->block[i].owner = (uint16_t)r->from.node;
        n->block[i].shared = (body.flags & SVC_RMEM_SHARED) != 0;
    }
    n->block[at].extent = body.blocks;
    n->counts.allocs++;
    n->counts.used += body.blocks;
    struct rmem_extent extent = {(uint32_t)at, body.blocks};
    svc_put(answer, &extent, sizeof extent);
    return 0;
}

static void release(struct server *n, uint32_t first)
{
    uint32_t blocks = n->block[first].extent;
    for (uint32_t i = first; i < first + blocks; i++) {
        const struct block *b = &n->block[i];
        n->block[i] = (struct block){.owner = NOBODY, .stale = b->stale || b->written};
        b_bitmap_clear(&n->used, i);
    }
    n->counts.frees++;
    n->counts.used -= blocks;
}

/* A transfer that touches the extent: until it ended the memory must not become another's. */
static struct transfer *moving(const struct server *n, uint32_t first)
{
    uint32_t end_of = first + n->block[first].extent;
    for (int i = 0; i < n->transfers; i++) {
        struct transfer *t = &n->transfer[i];
        if (t->size > 0 && t->block < end_of && t->block + t->blocks > first)
            return t;
    }
    return NULL;
}

/* The client may know of the end of a transfer earlier than the server, and others may still be
 * under way: the extent takes no new ones, and the last one that there is frees it. */
static int free_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct server *n = s->state;
    struct rmem_extent body;
    svc_get(&body, r->m, sizeof body);
    if (body.first == 0 || body.first >= n->blocks || body.blocks == 0 ||
        n->block[body.first].extent != body.blocks || n->block[body.first].leaving)
        return -B_EFAULT;
    if (n->block[body.first].owner != r->from.node)
        return -B_EPERM;
    struct transfer *t = moving(n, body.first);
    if (!t) {
        release(n, body.first);
        return 0;
    }
    for (uint32_t i = body.first; i < body.first + body.blocks; i++)
        n->block[i].leaving = true;
    t->frees = true;
    t->freer = r->ticket;
    return SVC_PARKED;
}

/* A transfer has ended that was to free its extent: the next one there is, or it is free now. */
static void free_after(struct svc_server *s, const struct transfer *t)
{
    struct server *n = s->state;
    uint32_t first = t->block;
    while (n->block[first].extent == 0)
        first--;
    struct transfer *next = moving(n, first);
    if (next) {
        next->frees = true;
        next->freer = t->freer;
        return;
    }
    release(n, first);
    svc_answer_status(s, &t->freer, 0);
}

/* A cluster ended: what only it could use is free again. */
static void forget(struct server *n, int cluster)
{
    for (uint32_t i = 1; i < n->blocks; i++) {
        const struct block *b = &n->block[i];
        if (b->extent != 0 && b->owner == cluster && !b->shared && !moving(n, i))
            release(n, i);
    }
}

/* Transfers ------------------------------------------------------------------------------------ */

/* A block shows nothing of its last owner. */
static void clean(struct server *n, const struct transfer *t, enum way way)
{
    for (uint32_t i = t->block; i < t->block + t->blocks; i++) {
        struct block *b = &n->block[i];
        if (b->stale)
            k_copy(n->memory + (size_t)i * SVC_PAGE, n->memory, SVC_PAGE);
        b->stale = false;
        b->written = b->written || way == WRITES;
    }
}

/* Sends up to FINISH_SENDS messages. */
static void finish(struct svc_server *s, struct lane *l, long result)
{
    struct server *n = s->state;
    struct transfer *t = l->now;
    l->now = NULL;
    t->size = 0;
    n->live--;
    n->counts.failed += result < 0;
    if (result < 0 || t->paced) {
        int status = result < 0 ? (int)result : 0;
        svc_answer_status(s, &t->ticket, status);
    }
    if (t->frees)
        free_after(s, t);
    if (result == -B_EIO)
        forget(n, t->cluster);
}

/* Begins the next transfer of a lane that is free; those that fail at once end. */
static void start(struct svc_server *s, struct lane *l, enum way way)
{
    struct server *n = s->state;
    struct b_node *node;
    while (!l->now && svc_room(s) >= FINISH_SENDS - SVC_ROOM && (node = b_queue_pop(&l->waiting))) {
        struct transfer *t = b_container(node, struct transfer, node);
        struct k_source other = {t->cluster, t->port};
        l->now = t;
        l->since = k_time_cycles();
        clean(n, t, way);
        int r = way == READS ? k_portal_awrite(l->portal, &other, t->data, t->size, K_PORTAL_QUIET)
                             : k_portal_aread(l->portal, &other, t->data, t->size, NULL);
        if (r < 0)
            finish(s, l, r);
    }
}

/* Whoever is not served may wait for this one's portal, or for a channel that its grant holds. */
static bool others(const struct svc_server *s)
{
    return ((const struct server *)s->state)->live > 1;
}

/* Ends the transfer of a lane if it is over, or has been waited for long enough. */
static bool settle(struct svc_server *s, struct lane *l, uint64_t now)
{
    struct transfer *t = l->now;
    if (k_ikc_test(K_PORTAL, l->portal) == 1) {
        long r = k_ikc_wait(K_PORTAL, l->portal, 0);
        finish(s, l, r >= 0 && r != (long)t->size ? -B_EMSGSIZE : r);
        return true;
    }
    bool late = svc_late(s, t->deadline) || s->ending;
    bool yield = others(s) && now >= l->since + svc_slice(s);
    if (!(late || yield) || k_ikc_cancel(K_PORTAL, l->portal) != 0)
        return false;
    if (late) {
        finish(s, l, s->ending ? -B_ENOTCONN : -B_ETIMEDOUT);
    } else {
        l->now = NULL;
        b_queue_append(&l->waiting, &t->node);
    }
    return true;
}

/* When to look at the lane again if nothing rings: only rounds make the server's clock go on. */
static uint64_t due(const struct svc_server *s, const struct lane *l, uint64_t now)
{
    uint64_t next = l->since + svc_slice(s);
    return next > now ? next : now + svc_slice(s) + 1;
}

static uint64_t tick(struct svc_server *s, uint64_t now)
{
    struct server *n = s->state;
    uint64_t next = K_FOREVER;
    for (int i = 0; i < SLOTS * WAYS; i++) {
        struct lane *l = &n->lane[i / WAYS][i % WAYS];
        if (l->now && svc_room(s) >= 0 && settle(s, l, now))
            next = now;
        start(s, l, (enum way)(i % WAYS));
        if (l->now) {
            uint64_t look = due(s, l, now);
            next = look < next ? look : next;
        }
    }
    return next;
}

static int move(struct svc_server *s, const struct svc_request *r, enum way way, bool paced)
{
    struct server *n = s->state;
    struct rmem_move body;
    svc_get(&body, r->m, sizeof body);
    if (body.offset >= SVC_PAGE || body.size == 0 || body.zero != 0)
        return -B_EINVAL;
    uint64_t last = (uint64_t)body.block + ((uint64_t)body.offset + body.size - 1) / SVC_PAGE;
    int e = last < n->blocks ? check(n, body.block, (uint32_t)last, r->from.node) : -B_EFAULT;
    if (e < 0)
        return e;
    struct transfer *t = &n->transfer[TRANSFERS * r->from.node];
    for (int i = 0; i < TRANSFERS && t->size > 0; i++)
        t++;
    if (t == &n->transfer[TRANSFERS * (r->from.node + 1)])
        return -B_EAGAIN;
    *t = (struct transfer){.ticket = r->ticket,
                           .block = body.block,
                           .blocks = (uint32_t)last - body.block + 1,
                           .cluster = (uint16_t)r->from.node,
                           .port = body.port,
                           .data = n->memory + (size_t)body.block * SVC_PAGE + body.offset,
                           .size = body.size,
                           .paced = paced,
                           .deadline = svc_patience_end(s)};
    struct lane *l = &n->lane[r->from.node % SLOTS][way];
    n->live++;
    b_queue_append(&l->waiting, &t->node);
    n->counts.reads += way == READS;
    n->counts.writes += way == WRITES;
    if (paced)
        svc_answer_status(s, &t->ticket, 0);
    start(s, l, way);
    return SVC_PARKED;
}

static int read_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    return move(s, r, READS, r->m->h.opcode == RMEM_READ_PACED);
}

static int write_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    return move(s, r, WRITES, r->m->h.opcode == RMEM_WRITE_PACED);
}

/* The rest ------------------------------------------------------------------------------------- */

static int open_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    const struct server *n = s->state;
    const struct lane *l = n->lane[r->from.node % SLOTS];
    struct rmem_ports ports = {.out = (uint16_t)k_portal_get_port(l[READS].portal),
                               .in = (uint16_t)k_portal_get_port(l[WRITES].portal),
                               .blocks = n->blocks};
    svc_put(answer, &ports, sizeof ports);
    return 0;
}

static int counts(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)r;
    const struct server *n = s->state;
    svc_put(answer, &n->counts, sizeof n->counts);
    return 0;
}

static bool resting(const struct svc_server *s)
{
    const struct server *n = s->state;
    for (int i = 0; i < SLOTS * WAYS; i++)
        if (n->lane[i / WAYS][i % WAYS].now)
            return false;
    return true;
}

const struct svc_class svc_rmem_server = {
    .name = "memory",
    .service = SVC_RMEM,
    .op = {[RMEM_OPEN] = {open_it, 0, sizeof(struct rmem_ports), 0},
           [RMEM_ALLOC] = {alloc, sizeof(struct rmem_alloc), sizeof(struct rmem_extent), 0},
           [RMEM_FREE] = {free_it, sizeof(struct rmem_extent), 0, 0},
           [RMEM_READ] = {read_it, sizeof(struct rmem_move), 0, 0},
           [RMEM_WRITE] = {write_it, sizeof(struct rmem_move), 0, 0},
           [RMEM_READ_PACED] = {read_it, sizeof(struct rmem_move), 0, 0},
           [RMEM_WRITE_PACED] = {write_it, sizeof(struct rmem_move), 0, 0},
           [RMEM_COUNTS] = {counts, 0, sizeof(struct svc_rmem_counts), 0}},
    .tick = tick,
    .begin = begin,
    .end = end,
    .resting = resting,
};
