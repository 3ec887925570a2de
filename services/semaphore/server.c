/* SPDX-License-Identifier: MIT */
/* The semaphore server. A thread that waits is one entry in the queue of its semaphore, and one
 * unit releases exactly one of them. A unit that was given to a thread which could not take the
 * answer any more goes on to the next. */
#include <svc/semaphore.h>

#include <base/error.h>
#include <base/list.h>
#include <base/mem.h>
#include <sys/k_info.h>
#include "semaphore/wire.h"

enum { INDEX_BITS = 8, GENERATION_MAX = INT32_MAX >> INDEX_BITS };

struct waiter {
    struct b_link link; /* in the queue of its semaphore, or among the free */
    struct svc_ticket ticket;
    int node;
    uint64_t deadline;
};

struct semaphore {
    struct svc_text name;
    bool used, named;
    uint32_t generation; /* part of the id, so that an id of the past opens nothing */
    int32_t value;       /* 0 while threads wait */
    uint32_t opens;      /* of all clusters */
    struct b_list queue;
};

struct server {
    int semaphores, clusters;
    uint64_t due; /* nobody's wait ends before */
    struct b_list free;
    uint16_t *opens; /* [semaphore][cluster] */
    struct waiter *waiter;
    struct semaphore semaphore[];
};

static size_t opens_bytes(int semaphores)
{
    struct k_info info;
    k_info(&info);
    return ((size_t)semaphores * (size_t)info.clusters * sizeof(uint16_t) + 7) & ~(size_t)7;
}

size_t svc_semaphore_bytes(int semaphores, int waiters)
{
    return sizeof(struct server) + (size_t)semaphores * sizeof(struct semaphore) +
           opens_bytes(semaphores) + (size_t)waiters * sizeof(struct waiter);
}

void svc_semaphore_init(void *state, int semaphores, int waiters)
{
    struct k_info info;
    k_info(&info);
    struct server *n = state;
    memset(n, 0, svc_semaphore_bytes(semaphores, waiters));
    n->semaphores = semaphores;
    n->clusters = info.clusters;
    n->due = K_FOREVER;
    n->opens = (uint16_t *)&n->semaphore[semaphores];
    n->waiter = (struct waiter *)((char *)n->opens + opens_bytes(semaphores));
    b_list_init(&n->free);
    for (int i = 0; i < waiters; i++)
        b_list_append(&n->free, &n->waiter[i].link);
    for (int i = 0; i < semaphores; i++)
        b_list_init(&n->semaphore[i].queue);
}

/* Semaphores ----------------------------------------------------------------------------------- */

static struct semaphore *named(struct server *n, const struct svc_text *name)
{
    for (int i = 0; i < n->semaphores; i++)
        if (n->semaphore[i].named && svc_text_same(&n->semaphore[i].name, name))
            return &n->semaphore[i];
    return NULL;
}

static uint16_t *opens_of(struct server *n, const struct semaphore *x, int node)
{
    return &n->opens[(x - n->semaphore) * n->clusters + node];
}

/* The semaphore that cluster `node` opened under `id`. */
static struct semaphore *opened(struct server *n, uint32_t id, int node)
{
    uint32_t index = id & ((1u << INDEX_BITS) - 1);
    if (index >= (uint32_t)n->semaphores)
        return NULL;
    struct semaphore *x = &n->semaphore[index];
    bool valid = x->used && x->generation == id >> INDEX_BITS && *opens_of(n, x, node) > 0;
    return valid ? x : NULL;
}

static struct semaphore *of_request(struct svc_server *s, const struct svc_request *r)
{
    struct sem_id body;
    svc_get(&body, r->m, sizeof body);
    return opened(s->state, body.id, r->from.node);
}

static void release(struct semaphore *x)
{
    if (!x->named && x->opens == 0) {
        x->used = false;
        x->generation = (x->generation + 1) & GENERATION_MAX;
    }
}

static struct semaphore *make(struct server *n, const struct sem_open *body)
{
    for (int i = 0; i < n->semaphores; i++) {
        struct semaphore *x = &n->semaphore[i];
        if (!x->used) {
            x->used = x->named = true;
            x->name = body->name;
            x->value = (int32_t)body->value;
            return x;
        }
    }
    return NULL;
}

static int open_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    struct server *n = s->state;
    struct sem_open body;
    svc_get(&body, r->m, sizeof body);
    bool create = (body.flags & SVC_SEM_CREATE) != 0;
    bool exclusive = (body.flags & SVC_SEM_EXCLUSIVE) != 0;
    if (!svc_text_valid(&body.name) || body.value > SVC_SEM_VALUE_MAX ||
        body.flags > (SVC_SEM_CREATE | SVC_SEM_EXCLUSIVE) || (exclusive && !create))
        return -B_EINVAL;
    struct semaphore *x = named(n, &body.name);
    if (x && exclusive)
        return -B_EEXIST;
    if (!x && !create)
        return -B_ENOENT;
    x = x ? x : make(n, &body);
    if (!x)
        return -B_ENOSPC;
    uint16_t *opens = opens_of(n, x, r->from.node);
    if (*opens == UINT16_MAX)
        return -B_ENOSPC;
    (*opens)++;
    x->opens++;
    struct sem_id id = {x->generation << INDEX_BITS | (uint32_t)(x - n->semaphore)};
    svc_put(answer, &id, sizeof id);
    return 0;
}

static int close_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct semaphore *x = of_request(s, r);
    if (!x)
        return -B_EBADF;
    uint16_t *opens = opens_of(s->state, x, r->from.node);
    b_list_each(&x->queue, link)
    {
        if (*opens == 1 && b_container(link, struct waiter, link)->node == r->from.node)
            return -B_EBUSY;
    }
    (*opens)--;
    x->opens--;
    release(x);
    return 0;
}

static int unlink_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct semaphore *x = named(s->state, (const struct svc_text *)r->m->body);
    if (!x)
        return -B_ENOENT;
    x->named = false;
    release(x);
    return 0;
}

/* Units ---------------------------------------------------------------------------------------- */

static void forget(struct server *n, int node);
static void give(struct svc_server *s, struct semaphore *x);

/* The answer to a waiter is out, or nobody was there to take it: then the unit comes back. */
static void taken(struct svc_server *s, void *cookie, uint64_t number, int result)
{
    struct semaphore *x = cookie;
    int node = (int)(number & 0xffff);
    if (result == 0)
        return;
    bool same = x->used && x->generation == number >> 16;
    if (same)
        give(s, x);
    if (result == -B_EIO)
        forget(s->state, node);
}

static void grant(struct svc_server *s, struct semaphore *x, const struct svc_ticket *t, int node)
{
    svc_answer(s, t, 0, NULL, 0, taken, x, (uint64_t)x->generation << 16 | (uint16_t)node);
}

/* One unit more: to the first that waits. */
static void give(struct svc_server *s, struct semaphore *x)
{
    struct server *n = s->state;
    struct b_link *first = b_list_pop(&x->queue);
    if (!first) {
        x->value += x->value < SVC_SEM_VALUE_MAX;
        return;
    }
    struct waiter *w = b_container(first, struct waiter, link);
    b_list_append(&n->free, &w->link);
    grant(s, x, &w->ticket, w->node);
}

/* A cluster ended: nothing of it is open, nobody of it waits. */
static void forget(struct server *n, int node)
{
    for (int i = 0; i < n->semaphores; i++) {
        struct semaphore *x = &n->semaphore[i];
        b_list_each(&x->queue, link)
        {
            if (b_container(link, struct waiter, link)->node == node) {
                b_link_remove(link);
                b_list_append(&n->free, link);
            }
        }
        uint16_t *opens = opens_of(n, x, node);
        if (*opens > 0) {
            x->opens -= *opens;
            *opens = 0;
            release(x);
        }
    }
}

/* Takes a unit that is there for who asks; false: there is none. */
static bool take(struct svc_server *s, struct semaphore *x, const struct svc_request *r)
{
    if (x->value == 0)
        return false;
    x->value--;
    grant(s, x, &r->ticket, r->from.node);
    return true;
}

static int try_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct semaphore *x = of_request(s, r);
    if (!x)
        return -B_EBADF;
    if (r->ticket.port == SVC_NOBODY)
        return -B_EINVAL; /* a unit for nobody */
    return take(s, x, r) ? SVC_PARKED : -B_EAGAIN;
}

static int wait_it(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct server *n = s->state;
    struct sem_wait body;
    svc_get(&body, r->m, sizeof body);
    struct semaphore *x = opened(n, body.id, r->from.node);
    if (!x)
        return -B_EBADF;
    if (r->ticket.port == SVC_NOBODY)
        return -B_EINVAL;
    if (take(s, x, r))
        return SVC_PARKED;
    struct b_link *link = b_list_pop(&n->free);
    if (!link)
        return -B_ENOSPC;
    struct waiter *w = b_container(link, struct waiter, link);
    uint64_t now = k_time_cycles(), wait = svc_cycles(body.timeout_us);
    w->ticket = r->ticket;
    w->node = r->from.node;
    w->deadline = wait < K_FOREVER - now ? now + wait : K_FOREVER;
    b_list_append(&x->queue, &w->link);
    n->due = w->deadline < n->due ? w->deadline : n->due;
    return SVC_PARKED;
}

static int post(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct semaphore *x = of_request(s, r);
    if (!x)
        return -B_EBADF;
    if (x->value == SVC_SEM_VALUE_MAX)
        return -B_ERANGE;
    give(s, x);
    return 0;
}

static int value(struct svc_server *s, const struct svc_request *r, void *answer)
{
    const struct semaphore *x = of_request(s, r);
    if (!x)
        return -B_EBADF;
    svc_put(answer, &(struct sem_value){x->value}, sizeof(struct sem_value));
    return 0;
}

/* Ends the waits whose time is over; all, when the server ends. */
static uint64_t tick(struct svc_server *s, uint64_t now)
{
    struct server *n = s->state;
    if (n->due > now && !s->ending)
        return n->due;
    n->due = K_FOREVER;
    for (int i = 0; i < n->semaphores; i++) {
        b_list_each(&n->semaphore[i].queue, link)
        {
            struct waiter *w = b_container(link, struct waiter, link);
            if ((s->ending || w->deadline <= now) && svc_room(s) >= 0) {
                int why = s->ending ? -B_ENOTCONN : -B_ETIMEDOUT;
                b_link_remove(link);
                b_list_append(&n->free, link);
                svc_answer_status(s, &w->ticket, why);
            } else if (w->deadline < n->due) {
                n->due = w->deadline;
            }
        }
    }
    return n->due;
}

static bool resting(const struct svc_server *s)
{
    const struct server *n = s->state;
    for (int i = 0; i < n->semaphores; i++)
        if (!b_list_empty(&n->semaphore[i].queue))
            return false;
    return true;
}

const struct svc_class svc_semaphore_server = {
    .name = "semaphores",
    .service = SVC_SEMAPHORE,
    .op = {[SEM_OPEN] = {open_it, sizeof(struct sem_open), sizeof(struct sem_id), 0},
           [SEM_CLOSE] = {close_it, sizeof(struct sem_id), 0, 0},
           [SEM_UNLINK] = {unlink_it, sizeof(struct svc_text), 0, 0},
           [SEM_WAIT] = {wait_it, sizeof(struct sem_wait), 0, 0},
           [SEM_TRY] = {try_it, sizeof(struct sem_id), 0, 0},
           [SEM_POST] = {post, sizeof(struct sem_id), 0, 0},
           [SEM_VALUE] = {value, sizeof(struct sem_id), sizeof(struct sem_value), 0}},
    .tick = tick,
    .resting = resting,
};
