/* SPDX-License-Identifier: MIT */
/* The daemon of a cluster: gives pages back (souto-2022, algorithm 2). What can be done at once is
 * answered at once; a page that has to be written first, or is in use, goes to the second flow of
 * the cache, which tells the daemon when it is done. */
#include <svc/shm.h>

#include <base/error.h>
#include "shm/wire.h"

/* From any thread or task. The server has ended only after all that were under way are answered. */
static void ended(struct svc_rmem_job *j)
{
    struct svc_shm_recall *c = j->arg;
    struct svc_shm_state *d = c->state;
    k_wait_lock(&d->lock);
    c->done = true;
    k_wait_unlock(&d->lock);
    svc_ring(d->server);
}

static int recall(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct svc_shm_state *d = s->state;
    struct shm_recall body;
    svc_get(&body, r->m, sizeof body);
    if (r->from.node != svc_home())
        return -B_EPERM;
    if (body.page % SVC_PAGE != 0 || body.keep > 1)
        return -B_EINVAL;
    struct svc_shm_recall *c = d->recall, *end = c + SVC_SHM_RECALLS;
    while (c < end && c->used)
        c++;
    if (c == end)
        return -B_EAGAIN;
    d->recalls++;
    *c = (struct svc_shm_recall){.ticket = r->ticket, .used = true, .state = d};
    if (svc_rmem_recall(d->memory, &c->job, body.page, body.keep != 0, ended, c) == 1) {
        c->used = false;
        return 0;
    }
    return SVC_PARKED;
}

static uint64_t tick(struct svc_server *s, uint64_t now)
{
    struct svc_shm_state *d = s->state;
    (void)now;
    for (int i = 0; i < SVC_SHM_RECALLS && svc_room(s) >= 0; i++) {
        struct svc_shm_recall *c = &d->recall[i];
        k_wait_lock(&d->lock);
        bool done = c->used && c->done;
        k_wait_unlock(&d->lock);
        if (done) {
            svc_answer_status(s, &c->ticket, c->job.result);
            c->used = false;
        }
    }
    return K_FOREVER;
}

static bool resting(const struct svc_server *s)
{
    const struct svc_shm_state *d = s->state;
    for (int i = 0; i < SVC_SHM_RECALLS; i++)
        if (d->recall[i].used)
            return false;
    return true;
}

const struct svc_class svc_shm_daemon = {
    .name = "shared pages",
    .service = SVC_SHM_DAEMON,
    .op = {[SHM_RECALL] = {recall, sizeof(struct shm_recall), 0, 0}},
    .tick = tick,
    .resting = resting,
};
