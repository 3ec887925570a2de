/* SPDX-License-Identifier: MIT */
/* What clusters and programs tell and ask the spawn server. */
#include <svc/spawn_server.h>

#include <base/error.h>
#include <base/mem.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_types.h>
#include <sys/k_wait.h>
#include "spawn/wire.h"

static int ask(struct svc_client *c, int opcode, const void *body, size_t n, void *answer, size_t m)
{
    return svc_request(c, svc_home(), SVC_SPAWN, opcode, body, n, answer, m, K_FOREVER);
}

int svc_spawn_ended(struct svc_client *c, int rank, int status)
{
    struct spawn_ended body = {.count = 1, .end = {{rank, status}}};
    return ask(c, SPAWN_ENDED, &body, sizeof body, NULL, 0);
}

int svc_spawn_wait(struct svc_client *c, int rank, uint32_t timeout_us, struct svc_end *end)
{
    struct spawn_wait body = {rank, timeout_us};
    struct spawn_end e;
    int r = ask(c, SPAWN_WAIT, &body, sizeof body, &e, sizeof e);
    if (r == 0)
        *end = (struct svc_end){e.rank, (enum svc_fate)e.fate, e.status};
    return r;
}

int svc_spawn_enlist(struct svc_client *c, enum svc_service service, int level)
{
    struct spawn_enlist body = {(uint8_t)service, (uint8_t)level, 0};
    if ((unsigned)service >= SVC_SERVICES || level < 0 || level > UINT8_MAX)
        return -B_EINVAL;
    return ask(c, SPAWN_ENLIST, &body, sizeof body, NULL, 0);
}

int svc_spawn_finish(struct svc_client *c)
{
    struct spawn_finished body;
    int r = ask(c, SPAWN_FINISH, NULL, 0, &body, sizeof body);
    return r < 0 ? r : (int)body.failed;
}

/* Ranks that report ---------------------------------------------------------------------------- */

/* Ends that nobody has told yet. Who finds nobody telling does it, for those that come meanwhile
 * too; so there are as many messages as fit one after the other, not one for each rank. */
struct crew {
    int (*rank_main)(int rank, void *arg);
    void *arg;
    int out;              /* mailbox, of who tells */
    struct k_mutex mutex; /* guards the rest */
    bool telling;
    int count;
    struct spawn_note {
        int rank, status;
    } note[];
};

/* With the mutex held: takes what fits into one message from the notes. */
static void fill(struct crew *crew, struct spawn_ended *body)
{
    memset(body, 0, sizeof *body);
    while (crew->count > 0 && body->count < SPAWN_ENDS) {
        struct spawn_note n = crew->note[--crew->count];
        body->end[body->count].rank = n.rank;
        body->end[body->count++].status = n.status;
    }
}

static void tell(const struct crew *crew, const struct spawn_ended *body)
{
    struct svc_message m = {.h = {.service = SVC_SPAWN,
                                  .opcode = SPAWN_ENDED,
                                  .node = (uint16_t)svc_cluster(),
                                  .port = SVC_NOBODY}};
    svc_bytes(m.body, body, sizeof *body);
    k_mailbox_writeto(crew->out, svc_home(), svc_port(SVC_SPAWN), &m, sizeof m.h + sizeof *body);
}

static void note(struct crew *crew, int rank, int status)
{
    k_mutex_lock(&crew->mutex);
    crew->note[crew->count++] = (struct spawn_note){rank, status};
    if (!crew->telling) {
        crew->telling = true;
        while (crew->count > 0) {
            struct spawn_ended body;
            fill(crew, &body);
            k_mutex_unlock(&crew->mutex);
            tell(crew, &body);
            k_mutex_lock(&crew->mutex);
        }
        crew->telling = false;
    }
    k_mutex_unlock(&crew->mutex);
}

static int rank_main(int rank, void *arg)
{
    struct crew *crew = arg;
    int status = crew->rank_main(rank, crew->arg);
    note(crew, rank, status);
    return status;
}

int svc_spawn_run_reported(const struct svc_job *job, int (*main)(int rank, void *arg), void *arg)
{
    struct k_info info;
    k_info(&info);
    int count = svc_spawn_count(job, info.cluster, info.compute_clusters);
    size_t size = sizeof(struct crew) + (size_t)count * sizeof(struct spawn_note);
    void *memory;
    int r = k_page_alloc(size, &memory);
    if (r < 0)
        return r;
    struct crew *crew = memory;
    crew->rank_main = main;
    crew->arg = arg;
    k_mutex_init(&crew->mutex);
    crew->out = k_mailbox_open(K_ANY, K_ANY);
    r = crew->out < 0 ? crew->out : svc_spawn_run(job, rank_main, crew);
    if (crew->out >= 0)
        k_mailbox_close(crew->out);
    k_page_free(memory, size);
    return r;
}
