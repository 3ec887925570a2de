/* SPDX-License-Identifier: MIT */
/* Shared memory as programs see it: the cluster's cache, and what is asked of the server. */
#include <svc/shm.h>

#include <base/error.h>
#include <base/mem.h>
#include <sys/k_info.h>
#include "shm/wire.h"

SVC_ASKS(svc_shm_server);

static const struct svc_rmem_guard guard = {.service = SVC_SHM, .ask = SHM_CLAIM, .told = SHM_TOLD};

/* A cluster's part ----------------------------------------------------------------------------- */

int svc_shm_start(struct svc_shm *s, struct svc_client *c, const struct svc_rmem_attr *how)
{
    struct svc_rmem_attr attr = *how;
    attr.guard = &guard;
    bool may = (!how->policy || how->policy->caches) && (!how->mode || !how->mode->through);
    int e = may ? svc_rmem_start(&s->memory, c, &attr) : -B_EINVAL;
    if (e < 0)
        return e;
    memset(&s->state, 0, sizeof s->state);
    s->state.memory = &s->memory;
    s->state.server = &s->daemon.server;
    k_wait_init(&s->state.lock, "recalls");
    const struct svc_form *form =
        s->memory.how.form == &svc_rmem_by_thread ? &svc_by_thread : &svc_by_tasks;
    e = svc_daemon_start(&s->daemon, form, &svc_shm_daemon, &s->state, s->memory.cluster);
    if (e < 0)
        svc_rmem_stop(&s->memory);
    return e;
}

/* The pages go first: who asks for one when the daemon has ended takes it that there is none. */
int svc_shm_stop(struct svc_shm *s, struct svc_client *c)
{
    int e = svc_rmem_drop(&s->memory, 0, SIZE_MAX);
    int shut = svc_request(c, s->memory.cluster, SVC_SHM_DAEMON, SVC_OP_SHUTDOWN, NULL, 0, NULL, 0,
                           K_FOREVER);
    int joined = shut < 0 ? shut : svc_daemon_join(&s->daemon);
    int stopped = joined < 0 ? joined : svc_rmem_stop(&s->memory);
    return e < 0 ? e : stopped;
}

/* Regions -------------------------------------------------------------------------------------- */

static int ask(struct svc_client *c, int opcode, const void *body, size_t n, void *answer, size_t m)
{
    return svc_request(c, svc_home(), SVC_SHM, opcode, body, n, answer, m, K_FOREVER);
}

int svc_shm_open(struct svc_client *c, const char *name, unsigned flags, size_t size, unsigned mode,
                 struct svc_shm_region *g)
{
    struct shm_open body = {.size = size, .flags = flags, .mode = mode};
    struct shm_region region;
    int e = svc_text_set(&body.name, name);
    e = e < 0 ? e : ask(c, SHM_OPEN, &body, sizeof body, &region, sizeof region);
    if (e == 0) {
        *g = (struct svc_shm_region){.id = region.id,
                                     .writable = (flags & SVC_SHM_READ_ONLY) == 0,
                                     .at = region.at,
                                     .size = (size_t)region.size};
    }
    return e;
}

int svc_shm_close(struct svc_shm *s, struct svc_client *c, struct svc_shm_region *g)
{
    struct shm_page body = {g->id, 0};
    int e = svc_rmem_drop(&s->memory, g->at, g->size);
    return e < 0 ? e : ask(c, SHM_CLOSE, &body, sizeof body, NULL, 0);
}

int svc_shm_unlink(struct svc_client *c, const char *name)
{
    struct svc_text text;
    int e = svc_text_set(&text, name);
    return e < 0 ? e : ask(c, SHM_UNLINK, &text, sizeof text, NULL, 0);
}

int svc_shm_invalidate(struct svc_client *c, const struct svc_shm_region *g, size_t offset)
{
    struct shm_page body = {g->id, (uint32_t)(offset / SVC_PAGE)};
    return offset >= g->size ? -B_ERANGE : ask(c, SHM_INVALIDATE, &body, sizeof body, NULL, 0);
}

/* Access --------------------------------------------------------------------------------------- */

static bool inside(const struct svc_shm_region *g, size_t offset, size_t n)
{
    return offset <= g->size && n <= g->size - offset;
}

int svc_shm_read(struct svc_shm *s, const struct svc_shm_region *g, size_t offset, void *buf,
                 size_t n)
{
    return inside(g, offset, n) ? svc_rmem_read(&s->memory, g->at + offset, buf, n) : -B_ERANGE;
}

int svc_shm_write(struct svc_shm *s, const struct svc_shm_region *g, size_t offset, const void *buf,
                  size_t n)
{
    if (!g->writable)
        return -B_EPERM;
    return inside(g, offset, n) ? svc_rmem_write(&s->memory, g->at + offset, buf, n) : -B_ERANGE;
}

int svc_shm_map(struct svc_shm *s, const struct svc_shm_region *g, void **p)
{
    return svc_rmem_map(&s->memory, g->at, g->size, g->writable, p);
}

int svc_shm_unmap(struct svc_shm *s, void *p)
{
    return svc_rmem_unmap(&s->memory, p);
}
