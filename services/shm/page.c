/* SPDX-License-Identifier: MIT */
/* Who has a page. A request is granted when all that stand against it have answered that they gave
 * the page back, and the next one is looked at when the cluster that got the page has said so. So
 * no message that takes a page back can overtake the one that gave it. */
#include <base/error.h>
#include <base/mem.h>
#include <sys/k_info.h>
#include "shm/server.h"
#include "shm/wire.h"

enum { PINGS = 8 }; /* patience with a cluster that lives but does not say that it has the page */

static struct b_bitmap set(const struct shm_server *n, uint64_t *sets, uint32_t page)
{
    return (struct b_bitmap){.words = &sets[(size_t)page * n->words],
                             .bits = (uint32_t)n->clusters};
}

static uint32_t index_of(const struct shm_server *n, const struct shm_page_slot *p)
{
    return (uint32_t)(p - n->page);
}

static const struct shm_region_slot *region_of(const struct shm_server *n, uint32_t page)
{
    const struct shm_region_slot *g = n->region;
    while (g->state == SHM_UNUSED || page < g->first || page >= g->first + g->pages)
        g++;
    return g;
}

void svc_shm_page_init(struct shm_server *n, uint32_t first, uint32_t pages)
{
    for (uint32_t i = first; i < first + pages; i++) {
        n->page[i] = (struct shm_page_slot){.writer = SHM_NOBODY, .serial = n->page[i].serial};
        memset(&n->copies[(size_t)i * n->words], 0, n->words * sizeof(uint64_t));
        memset(&n->asks[(size_t)i * n->words], 0, n->words * sizeof(uint64_t));
    }
}

bool svc_shm_page_idle(const struct shm_server *n, uint32_t first, uint32_t pages)
{
    for (uint32_t i = first; i < first + pages; i++)
        if (n->page[i].state != SHM_IDLE || n->page[i].listed)
            return false;
    return true;
}

/* Recalls -------------------------------------------------------------------------------------- */

/* The clusters that must give the page back first. */
static void choose(struct shm_server *n, struct shm_page_slot *p)
{
    uint32_t page = index_of(n, p);
    struct b_bitmap asks = set(n, n->asks, page), copies = set(n, n->copies, page);
    const struct shm_region_slot *g = region_of(n, page);
    p->pending = 0;
    for (int i = 0; i < n->clusters; i++) {
        bool has = p->now->wish == SHM_WISH_READ         ? p->writer == i
                   : p->now->wish == SHM_WISH_INVALIDATE ? *shm_opens(n, g, i) > 0
                                                         : b_bitmap_test(&copies, (uint32_t)i);
        if (has && i != p->now->cluster) {
            b_bitmap_set(&asks, (uint32_t)i);
            p->pending++;
        }
    }
}

/* A cluster gave the page back, or ended, or has no daemon and so no pages; or it shall be asked
 * again. */
static bool recalled(struct svc_server *s, struct svc_call *c, const struct svc_message *m,
                     int node, int status)
{
    struct shm_server *n = s->state;
    struct shm_page_slot *p = &n->page[c->word[0]];
    if (m && node != c->node)
        return false;
    if (status == -B_EAGAIN || status == -B_ETIMEDOUT) {
        struct b_bitmap asks = set(n, n->asks, c->word[0]);
        b_bitmap_set(&asks, (uint32_t)c->node);
    } else {
        p->pending--;
    }
    return true;
}

static void pump(struct svc_server *s, struct shm_page_slot *p)
{
    struct shm_server *n = s->state;
    uint32_t page = index_of(n, p);
    const struct shm_region_slot *g = region_of(n, page);
    struct b_bitmap asks = set(n, n->asks, page);
    struct shm_recall body = {g->at + (uint64_t)(page - g->first) * SVC_PAGE,
                              p->now->wish == SHM_WISH_READ, 0};
    int cluster;
    while ((cluster = b_bitmap_next(&asks, 0)) >= 0 && svc_may_ask(s)) {
        struct svc_call *c =
            svc_ask(s, cluster, SVC_SHM_DAEMON, SHM_RECALL, &body, sizeof body, recalled);
        if (!c)
            return;
        c->word[0] = page;
        b_bitmap_clear(&asks, (uint32_t)cluster);
    }
}

/* Requests ------------------------------------------------------------------------------------- */

static void finish(struct shm_page_slot *p)
{
    p->now->wish = SHM_WISH_NONE;
    p->now = NULL;
    p->state = SHM_IDLE; /* the tick looks for the next */
}

/* The grant is out, or nobody was there to take it. */
static void sent(struct svc_server *s, void *cookie, uint64_t serial, int result)
{
    (void)s;
    struct shm_page_slot *p = cookie;
    if (result < 0 && p->state == SHM_GRANTED && p->serial == (uint32_t)serial)
        finish(p);
}

static void grant(struct svc_server *s, struct shm_page_slot *p, uint64_t now)
{
    struct shm_server *n = s->state;
    struct b_bitmap copies = set(n, n->copies, index_of(n, p));
    uint16_t to = p->now->cluster;
    bool had = b_bitmap_test(&copies, to), others = p->now->wish == SHM_WISH_READ;
    if (!others)
        memset(copies.words, 0, n->words * sizeof(uint64_t));
    if (had || p->now->wish != SHM_WISH_INVALIDATE)
        b_bitmap_set(&copies, to);
    p->writer = p->now->wish == SHM_WISH_WRITE || p->writer == to ? to : SHM_NOBODY;
    p->serial++;
    p->state = SHM_GRANTED;
    p->pings = 0;
    p->deadline = now + s->patience;
    svc_answer(s, &p->now->ticket, 0, NULL, 0, sent, p, p->serial);
    if (p->now->wish == SHM_WISH_INVALIDATE)
        finish(p); /* nothing was given */
}

/* Does a cluster live that does not say that it has the page? */
static bool pinged(struct svc_server *s, struct svc_call *c, const struct svc_message *m, int node,
                   int status)
{
    struct shm_server *n = s->state;
    struct shm_page_slot *p = &n->page[c->word[0]];
    if (m && node != c->node)
        return false;
    bool gone = status == -B_EIO || status == -B_ENOTCONN || status == -B_EHOSTUNREACH;
    p->pinging = false;
    p->deadline = k_time_cycles() + s->patience;
    gone = gone || ++p->pings == PINGS;
    if (gone && p->state == SHM_GRANTED && p->serial == c->word[1])
        finish(p);
    return true;
}

static void ping(struct svc_server *s, struct shm_page_slot *p)
{
    struct svc_call *c =
        svc_may_ask(s) ? svc_ask(s, p->now->cluster, SVC_SHM_DAEMON, SVC_OP_PING, NULL, 0, pinged)
                       : NULL;
    if (c) {
        c->word[0] = index_of(s->state, p);
        c->word[1] = p->serial;
        p->pinging = true;
    }
}

void svc_shm_page_ask(struct svc_server *s, uint32_t page, struct shm_request *r)
{
    struct shm_server *n = s->state;
    struct shm_page_slot *p = &n->page[page];
    b_queue_append(&p->waiting, &r->node);
    if (!p->listed) {
        p->listed = true;
        b_list_append(&n->active, &p->active);
    }
}

void svc_shm_page_told(struct svc_server *s, uint32_t page, int cluster)
{
    struct shm_server *n = s->state;
    struct shm_page_slot *p = &n->page[page];
    if (p->state == SHM_GRANTED && p->now->cluster == cluster)
        finish(p);
}

/* The server ends: nobody can say any more that he has the page, so who waits for it is told. */
static void give_up(struct svc_server *s, struct shm_page_slot *p)
{
    struct b_node *node;
    while (svc_room(s) >= 0 && (node = b_queue_pop(&p->waiting))) {
        struct shm_request *r = b_container(node, struct shm_request, node);
        svc_answer_status(s, &r->ticket, -B_ENOTCONN);
        r->wish = SHM_WISH_NONE;
    }
    if (p->state == SHM_GRANTED && !p->pinging)
        finish(p);
}

/* What a page can do now; when it wants to be looked at again. */
static uint64_t step(struct svc_server *s, struct shm_page_slot *p, uint64_t now)
{
    struct shm_server *n = s->state;
    struct b_node *node;
    if (s->ending)
        give_up(s, p);
    if (p->state == SHM_IDLE && !s->ending && (node = b_queue_pop(&p->waiting))) {
        p->now = b_container(node, struct shm_request, node);
        p->state = SHM_RECALLS;
        choose(n, p);
    }
    if (p->state == SHM_RECALLS) {
        pump(s, p);
        if (p->pending == 0 && svc_room(s) >= 0)
            grant(s, p, now);
    }
    if (p->state == SHM_GRANTED && now >= p->deadline && !p->pinging)
        ping(s, p);
    if (p->state == SHM_IDLE && b_queue_empty(&p->waiting)) {
        p->listed = false;
        b_link_remove(&p->active);
        return K_FOREVER;
    }
    if (p->state == SHM_IDLE)
        return now;
    /* What is overdue here had no room to ask: the end of what is under way comes before that. */
    return p->state == SHM_GRANTED && !p->pinging && p->deadline > now ? p->deadline : K_FOREVER;
}

uint64_t svc_shm_page_tick(struct svc_server *s, uint64_t now)
{
    struct shm_server *n = s->state;
    uint64_t next = K_FOREVER;
    b_list_each(&n->active, link)
    {
        uint64_t t = step(s, b_container(link, struct shm_page_slot, active), now);
        next = t < next ? t : next;
    }
    return next;
}
