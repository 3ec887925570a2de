/* SPDX-License-Identifier: MIT */
/* The server of shared memory: names, permissions and the life of regions. Their memory is one
 * extent of a memory server, allocated and freed by this server, which goes on serving while it
 * waits for that. */
#include "shm/server.h"

#include <base/error.h>
#include <base/mem.h>
#include <sys/k_info.h>
#include "shm/wire.h"

enum { INDEX_BITS = 10, GENERATION_MAX = INT32_MAX >> INDEX_BITS };

/* Memory --------------------------------------------------------------------------------------- */

static size_t aligned(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

/* Adds up the parts of the state, or (base not NULL) says where they are. */
static size_t layout(struct shm_server *n, char *base)
{
    size_t used = aligned(sizeof *n), sets = (size_t)n->pages * n->words * sizeof(uint64_t);
    struct {
        void **where;
        size_t bytes;
    } part[] = {
        {(void **)&n->region, (size_t)n->regions * sizeof *n->region},
        {(void **)&n->page, (size_t)n->pages * sizeof *n->page},
        {(void **)&n->request, (size_t)n->requests * sizeof *n->request},
        {(void **)&n->opens, (size_t)n->regions * (size_t)n->clusters * sizeof *n->opens},
        {(void **)&n->copies, sets},
        {(void **)&n->asks, sets},
        {(void **)&n->used.words, B_BITMAP_WORDS((size_t)n->pages) * sizeof(uint64_t)},
    };
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        if (base)
            *part[i].where = base + used;
        used += aligned(part[i].bytes);
    }
    return used;
}

static struct shm_server sizes(int regions, int pages)
{
    struct k_info info;
    k_info(&info);
    return (struct shm_server){.regions = regions,
                               .pages = pages,
                               .clusters = info.clusters,
                               .requests = info.clusters * SHM_REQUESTS,
                               .words = B_BITMAP_WORDS((uint32_t)info.clusters)};
}

size_t svc_shm_server_bytes(int regions, int pages)
{
    struct shm_server n = sizes(regions, pages);
    return layout(&n, NULL);
}

void svc_shm_server_init(void *state, int regions, int pages)
{
    struct shm_server *n = state;
    memset(state, 0, svc_shm_server_bytes(regions, pages));
    *n = sizes(regions, pages);
    layout(n, state);
    b_bitmap_init(&n->used, n->used.words, (uint32_t)pages);
    b_list_init(&n->active);
}

/* A request to keep, NULL: the cluster has too many. */
static struct shm_request *request(struct shm_server *n, const struct svc_request *r,
                                   enum shm_wish wish)
{
    for (int i = 0; i < SHM_REQUESTS; i++) {
        struct shm_request *q = &n->request[r->from.node * SHM_REQUESTS + i];
        if (q->wish == SHM_WISH_NONE) {
            *q = (struct shm_request){
                .ticket = r->ticket, .cluster = (uint16_t)r->from.node, .wish = (uint8_t)wish};
            return q;
        }
    }
    return NULL;
}

/* Regions -------------------------------------------------------------------------------------- */

static struct shm_region_slot *named(struct shm_server *n, const struct svc_text *name)
{
    for (int i = 0; i < n->regions; i++)
        if (n->region[i].named && svc_text_same(&n->region[i].name, name))
            return &n->region[i];
    return NULL;
}

/* The region that cluster `node` opened under `id`. */
static struct shm_region_slot *opened(struct shm_server *n, uint32_t id, int node)
{
    uint32_t index = id & ((1u << INDEX_BITS) - 1);
    if (index >= (uint32_t)n->regions)
        return NULL;
    struct shm_region_slot *g = &n->region[index];
    bool valid = g->state == SHM_READY && g->generation == id >> INDEX_BITS;
    return valid && *shm_opens(n, g, node) > 0 ? g : NULL;
}

static bool allowed(const struct shm_region_slot *g, int cluster, bool write)
{
    return g->owner == cluster || (g->mode & SVC_SHM_OTHERS_WRITE) != 0 ||
           (!write && (g->mode & SVC_SHM_OTHERS_READ) != 0);
}

/* If nobody can reach it any more its memory goes as soon as nothing is under way for it, and the
 * request that made it so is answered then: whoever makes the next one finds room. */
static int release(struct shm_region_slot *g, const struct svc_request *r)
{
    if (g->named || g->opens > 0)
        return 0;
    g->state = SHM_GOING;
    g->asked = false;
    g->again = 0;
    g->last = r->ticket;
    return SVC_PARKED;
}

static void forget(struct shm_server *n, struct shm_region_slot *g)
{
    for (uint32_t i = g->first; i < g->first + g->pages; i++)
        b_bitmap_clear(&n->used, i);
    uint32_t generation = (g->generation + 1) & GENERATION_MAX;
    *g = (struct shm_region_slot){.generation = generation};
}

/* The memory of a region ----------------------------------------------------------------------- */

static bool allocated(struct svc_server *s, struct svc_call *c, const struct svc_message *m,
                      int node, int status)
{
    struct shm_server *n = s->state;
    struct shm_region_slot *g = &n->region[c->word[0]];
    if (m && node != c->node)
        return false;
    g->asked = false;
    if (m && status == 0) {
        g->at = svc_rmem_address(g->server, (uint32_t)m->body[0]);
        g->state = SHM_READY;
    } else if (++g->tried == svc_rmem_servers()) {
        g->state = SHM_FAILED;
        g->error = status < 0 ? status : -B_EPROTO;
    } else {
        g->server = (g->server + 1) % svc_rmem_servers();
    }
    return true;
}

static bool freed(struct svc_server *s, struct svc_call *c, const struct svc_message *m, int node,
                  int status)
{
    struct shm_server *n = s->state;
    struct shm_region_slot *g = &n->region[c->word[0]];
    if (m && node != c->node)
        return false;
    g->asked = false;
    if (status == -B_ETIMEDOUT) {
        g->again = k_time_cycles() + s->patience / 64;
    } else {
        svc_answer_status(s, &g->last, 0);
        forget(n, g);
    }
    return true;
}

static void ask_memory(struct svc_server *s, struct shm_region_slot *g)
{
    struct shm_server *n = s->state;
    bool making = g->state == SHM_MAKING;
    struct svc_call *c =
        !svc_may_ask(s) ? NULL
        : making        ? svc_rmem_ask_alloc(s, g->server, g->pages, SVC_RMEM_SHARED, allocated)
                        : svc_rmem_ask_free(s, g->at, g->pages, freed);
    if (c) {
        c->word[0] = (uint32_t)(g - n->region);
        g->asked = true;
    }
}

/* Opening -------------------------------------------------------------------------------------- */

/* Answers an open of a region that is ready or failed. */
static int admit(struct shm_server *n, struct shm_region_slot *g, int cluster, unsigned flags,
                 struct shm_region *answer)
{
    if (g->state == SHM_FAILED)
        return g->error;
    uint16_t *opens = shm_opens(n, g, cluster);
    if (!allowed(g, cluster, (flags & SVC_SHM_READ_ONLY) == 0))
        return -B_EPERM;
    if (*opens == UINT16_MAX)
        return -B_ENOSPC;
    (*opens)++;
    g->opens++;
    *answer = (struct shm_region){g->at, g->size,
                                  g->generation << INDEX_BITS | (uint32_t)(g - n->region), 0};
    return 0;
}

static struct shm_region_slot *make(struct shm_server *n, const struct shm_open *body, int owner)
{
    uint64_t pages = (body->size - 1) / SVC_PAGE + 1;
    struct shm_region_slot *g = n->region, *end = g + n->regions;
    while (g < end && g->state != SHM_UNUSED)
        g++;
    int first =
        g < end && pages <= (uint64_t)n->pages ? b_bitmap_take_run(&n->used, (uint32_t)pages) : -1;
    if (first < 0)
        return NULL;
    *g = (struct shm_region_slot){.name = body->name,
                                  .state = SHM_MAKING,
                                  .named = true,
                                  .owner = (uint16_t)owner,
                                  .mode = body->mode,
                                  .generation = g->generation,
                                  .server = (int)(g - n->region) % svc_rmem_servers(),
                                  .size = body->size,
                                  .first = (uint32_t)first,
                                  .pages = (uint32_t)pages};
    svc_shm_page_init(n, g->first, g->pages);
    return g;
}

static int open_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    struct shm_server *n = s->state;
    struct shm_open body;
    svc_get(&body, r->m, sizeof body);
    bool create = (body.flags & SVC_SHM_CREATE) != 0;
    bool exclusive = (body.flags & SVC_SHM_EXCLUSIVE) != 0;
    if (!svc_text_valid(&body.name) || body.flags > 7 || body.mode > 3 || (exclusive && !create) ||
        (create && body.size == 0))
        return -B_EINVAL;
    struct shm_region_slot *g = named(n, &body.name);
    if (g && exclusive)
        return -B_EEXIST;
    if (!g && !create)
        return -B_ENOENT;
    if (g && g->state == SHM_READY) {
        struct shm_region region;
        int e = admit(n, g, r->from.node, body.flags, &region);
        if (e == 0)
            svc_put(answer, &region, sizeof region);
        return e;
    }
    struct shm_request *q = request(n, r, SHM_WISH_OPEN);
    if (!q)
        return -B_EAGAIN;
    g = g ? g : make(n, &body, r->from.node);
    if (!g) {
        q->wish = SHM_WISH_NONE;
        return -B_ENOSPC;
    }
    q->flags = (uint8_t)body.flags;
    b_queue_append(&g->waiting, &q->node);
    return SVC_PARKED;
}

/* Tells those who wait for a region what became of it. */
static void tell(struct svc_server *s, struct shm_region_slot *g)
{
    struct shm_server *n = s->state;
    struct b_node *node;
    while (svc_room(s) >= 0 && (node = b_queue_pop(&g->waiting))) {
        struct shm_request *q = b_container(node, struct shm_request, node);
        struct shm_region region;
        int e = admit(n, g, q->cluster, q->flags, &region);
        svc_answer(s, &q->ticket, e, &region, e == 0 ? sizeof region : 0, NULL, NULL, 0);
        q->wish = SHM_WISH_NONE;
    }
}

/* The other operations ------------------------------------------------------------------------- */

static int close_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct shm_server *n = s->state;
    struct shm_page body;
    svc_get(&body, r->m, sizeof body);
    struct shm_region_slot *g = opened(n, body.id, r->from.node);
    if (!g)
        return -B_EBADF;
    (*shm_opens(n, g, r->from.node))--;
    g->opens--;
    return release(g, r);
}

static int unlink_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct shm_region_slot *g = named(s->state, (const struct svc_text *)r->m->body);
    if (!g || g->state != SHM_READY)
        return -B_ENOENT;
    if (g->owner != r->from.node)
        return -B_EPERM;
    g->named = false;
    return release(g, r);
}

static struct shm_region_slot *at_address(struct shm_server *n, uint64_t at)
{
    for (int i = 0; i < n->regions; i++) {
        struct shm_region_slot *g = &n->region[i];
        bool has = g->state == SHM_READY || g->state == SHM_GOING;
        if (has && at >= g->at && (at - g->at) / SVC_PAGE < g->pages)
            return g;
    }
    return NULL;
}

static int keep(struct svc_server *s, const struct svc_request *r, uint32_t page,
                enum shm_wish wish)
{
    struct shm_request *q = request(s->state, r, wish);
    if (!q)
        return -B_EAGAIN;
    svc_shm_page_ask(s, page, q);
    return SVC_PARKED;
}

static int claim(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct shm_server *n = s->state;
    struct svc_rmem_claim body;
    svc_get(&body, r->m, sizeof body);
    if (body.page % SVC_PAGE != 0 || body.write > 1 || r->ticket.port == SVC_NOBODY)
        return -B_EINVAL;
    struct shm_region_slot *g = at_address(n, body.page);
    if (!g)
        return -B_EFAULT;
    if (*shm_opens(n, g, r->from.node) == 0 || !allowed(g, r->from.node, body.write != 0))
        return -B_EPERM;
    return keep(s, r, g->first + (uint32_t)((body.page - g->at) / SVC_PAGE),
                body.write != 0 ? SHM_WISH_WRITE : SHM_WISH_READ);
}

static int told(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct svc_rmem_claim body;
    svc_get(&body, r->m, sizeof body);
    const struct shm_region_slot *g = at_address(s->state, body.page);
    if (!g)
        return -B_EFAULT;
    svc_shm_page_told(s, g->first + (uint32_t)((body.page - g->at) / SVC_PAGE), r->from.node);
    return 0;
}

static int invalidate(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct shm_page body;
    svc_get(&body, r->m, sizeof body);
    const struct shm_region_slot *g = opened(s->state, body.id, r->from.node);
    if (!g)
        return -B_EBADF;
    if (body.page >= g->pages)
        return -B_ERANGE;
    return keep(s, r, g->first + body.page, SHM_WISH_INVALIDATE);
}

/* What is due for a region. */
static uint64_t tend(struct svc_server *s, struct shm_region_slot *g, uint64_t now)
{
    struct shm_server *n = s->state;
    if (g->state == SHM_MAKING && !g->asked)
        ask_memory(s, g);
    if (g->state == SHM_READY || g->state == SHM_FAILED) {
        tell(s, g);
        if (g->state == SHM_FAILED && b_queue_empty(&g->waiting))
            forget(n, g);
    }
    if (g->state == SHM_GOING && !g->asked && svc_shm_page_idle(n, g->first, g->pages)) {
        if (now < g->again)
            return g->again;
        ask_memory(s, g);
    }
    return K_FOREVER;
}

static uint64_t tick(struct svc_server *s, uint64_t now)
{
    struct shm_server *n = s->state;
    uint64_t next = svc_shm_page_tick(s, now);
    for (int i = 0; i < n->regions; i++) {
        uint64_t t = tend(s, &n->region[i], now);
        next = t < next ? t : next;
    }
    return next;
}

static bool resting(const struct svc_server *s)
{
    const struct shm_server *n = s->state;
    for (int i = 0; i < n->requests; i++)
        if (n->request[i].wish != SHM_WISH_NONE)
            return false;
    for (int i = 0; i < n->regions; i++)
        if (n->region[i].state == SHM_GOING)
            return false;
    return true;
}

const struct svc_class svc_shm_server = {
    .name = "shared memory",
    .service = SVC_SHM,
    .op = {[SHM_OPEN] = {open_it, sizeof(struct shm_open), sizeof(struct shm_region), 0},
           [SHM_CLOSE] = {close_it, sizeof(struct shm_page), 0, 0},
           [SHM_UNLINK] = {unlink_it, sizeof(struct svc_text), 0, 0},
           [SHM_CLAIM] = {claim, sizeof(struct svc_rmem_claim), 0, 0},
           [SHM_TOLD] = {told, sizeof(struct svc_rmem_claim), 0, 0},
           [SHM_INVALIDATE] = {invalidate, sizeof(struct shm_page), 0, 0}},
    .tick = tick,
    .resting = resting,
};
