/* SPDX-License-Identifier: MIT */
/* What clusters and programs tell and ask the spawn server. */
#include <svc/spawn_server.h>

#include <base/error.h>
#include <sys/k_info.h>
#include <sys/k_types.h>
#include <sys/k_wait.h>
#include "spawn/wire.h"

enum { LIMIT_S = 10 };

static int ask(struct svc_client *c, int opcode, const void *body, size_t n, void *answer, size_t m,
               uint64_t extra)
{
    struct k_info info;
    k_info(&info);
    uint64_t limit = LIMIT_S * info.hz;
    return svc_request(c, svc_home(), SVC_SPAWN, opcode, body, n, answer, m,
                       extra < K_FOREVER - limit ? extra + limit : K_FOREVER);
}

int svc_spawn_ended(struct svc_client *c, int rank, int status)
{
    struct spawn_ended body = {rank, status};
    return ask(c, SPAWN_ENDED, &body, sizeof body, NULL, 0, 0);
}

int svc_spawn_wait(struct svc_client *c, int rank, uint32_t timeout_us, struct svc_end *end)
{
    struct spawn_wait body = {rank, timeout_us};
    struct spawn_end e;
    int r = ask(c, SPAWN_WAIT, &body, sizeof body, &e, sizeof e, svc_cycles(timeout_us));
    if (r == 0) {
        *end = (struct svc_end){e.rank, (enum svc_fate)e.fate, e.status};
    }
    return r;
}

int svc_spawn_enlist(struct svc_client *c, enum svc_service service, int level)
{
    struct spawn_enlist body = {(uint8_t)service, (uint8_t)level, 0};
    if ((unsigned)service >= SVC_SERVICES || level < 0 || level > UINT8_MAX) {
        return -B_EINVAL;
    }
    return ask(c, SPAWN_ENLIST, &body, sizeof body, NULL, 0, 0);
}

int svc_spawn_finish(struct svc_client *c)
{
    struct spawn_finished body;
    int r = ask(c, SPAWN_FINISH, NULL, 0, &body, sizeof body, K_FOREVER);
    return r < 0 ? r : (int)body.failed;
}

/* Ranks that report ---------------------------------------------------------------------------- */

struct crew {
    int (*rank_main)(int rank, void *arg);
    void *arg;
    struct k_mutex mutex; /* guards client: one rank reports at a time */
    struct svc_client client;
};

static int rank_main(int rank, void *arg)
{
    struct crew *crew = arg;
    int status = crew->rank_main(rank, crew->arg);
    k_mutex_lock(&crew->mutex);
    svc_spawn_ended(&crew->client, rank, status);
    k_mutex_unlock(&crew->mutex);
    return status;
}

int svc_spawn_run_reported(const struct svc_job *job, int (*main)(int rank, void *arg), void *arg)
{
    struct crew crew = {.rank_main = main, .arg = arg};
    k_mutex_init(&crew.mutex);
    int r = svc_client_open(&crew.client);
    if (r < 0) {
        return r;
    }
    r = svc_spawn_run(job, rank_main, &crew);
    svc_client_close(&crew.client);
    return r;
}
