/* SPDX-License-Identifier: MIT */
/* The services of a job: the machine-wide servers on the first I/O cluster, a name daemon on each
 * cluster with ranks.
 *
 *     home                                     a cluster with ranks
 *     servers start
 *     signal "services are up" ------------->  wait for it, start the name daemon, run the ranks
 *     wait for the end of all ranks <--------  ends of ranks, as they come
 *     shut the servers down, level by level    shut the daemon down
 *
 * So a rank finds every service, and no server goes before the last rank that may ask it. Nobody is
 * asked for a sign of life: whoever runs a hosted machine ends it when a cluster crashes. */
#include "services.h"

#include <string.h>

#include <hal/core.h>
#include <svc/name.h>
#include <svc/semaphore.h>
#include <svc/spawn_server.h>
#include <sys/k_info.h>
#include <sys/k_sync.h>

enum { NAMES_PER_RANK = 2, NAMES_MORE = 64, SEMAPHORES = 128, WAITERS_MORE = 16, LAST = 0 };

static size_t spawn_bytes(const struct svc_job *job)
{
    return svc_spawn_server_bytes(job);
}

static void spawn_init(void *state, const struct svc_job *job)
{
    svc_spawn_server_init(state, job, 0);
}

static int names(const struct svc_job *job)
{
    return NAMES_PER_RANK * job->ranks + NAMES_MORE;
}

static size_t name_bytes(const struct svc_job *job)
{
    return svc_name_server_bytes(names(job));
}

static void name_init(void *state, const struct svc_job *job)
{
    svc_name_server_init(state, names(job));
}

static size_t semaphore_bytes(const struct svc_job *job)
{
    return svc_semaphore_bytes(SEMAPHORES, job->ranks + WAITERS_MORE);
}

static void semaphore_init(void *state, const struct svc_job *job)
{
    svc_semaphore_init(state, SEMAPHORES, job->ranks + WAITERS_MORE);
}

/* The machine-wide servers in the order of their start. The spawn server ends the others, those of
 * the highest level first, and goes last. */
static const struct {
    const struct svc_class *class;
    size_t (*bytes)(const struct svc_job *job);
    void (*init)(void *state, const struct svc_job *job);
    int level;
} servers[IMAGE_SERVERS] = {
    {&svc_spawn_server, spawn_bytes, spawn_init, LAST},
    {&svc_name_server, name_bytes, name_init, 1},
    {&svc_semaphore_server, semaphore_bytes, semaphore_init, 2},
};

/* Memory for a server with so much state. */
static int place(struct image_service *s, size_t state)
{
    void *memory;
    int r = k_page_alloc(sizeof *s->daemon + state, &memory);
    *s = (struct image_service){r < 0 ? NULL : memory, sizeof *s->daemon + state};
    return r;
}

static void *state_of(const struct image_service *s)
{
    return s->daemon + 1;
}

/* The clusters that take part: home first, then those with ranks. */
static int members(const struct svc_job *job, int clusters, int *nodes)
{
    int n = 0;
    nodes[n++] = svc_home();
    for (int i = 0; i < clusters && svc_spawn_count(job, i, clusters) > 0; i++) {
        if (i != svc_home())
            nodes[n++] = i;
    }
    if (job->io_cluster != 0 && job->io_cluster != svc_home())
        nodes[n++] = job->io_cluster;
    return n;
}

/* Home tells the others that the services are up. */
static int meet(const struct svc_job *job, const struct k_info *info)
{
    size_t size = (size_t)(info->compute_clusters + 2) * sizeof(int);
    void *nodes;
    int r = k_page_alloc(size, &nodes);
    if (r < 0)
        return r;
    int n = members(job, info->compute_clusters, nodes);
    bool home = info->cluster == svc_home();
    int id = n < 2  ? 0
             : home ? k_sync_open(nodes, n, K_ONE_TO_ALL)
                    : k_sync_create(nodes, n, K_ONE_TO_ALL);
    r = id;
    if (n > 1 && id >= 0) {
        r = home ? k_sync_signal(id) : k_sync_wait(id, K_FOREVER);
        home ? k_sync_close(id) : k_sync_unlink(id);
    }
    k_page_free(nodes, size);
    return r < 0 ? r : 0;
}

static int start_servers(struct image_services *s, const struct svc_job *job)
{
    const struct svc_form *form = svc_form_default();
    int r = 0;
    for (int i = 0; i < IMAGE_SERVERS && r == 0; i++) {
        struct image_service *x = &s->server[i];
        r = place(x, servers[i].bytes(job));
        if (r < 0)
            break;
        servers[i].init(state_of(x), job);
        r = svc_daemon_start(x->daemon, form, servers[i].class, state_of(x), svc_home());
        r = r < 0 || i == 0
                ? r
                : svc_spawn_enlist(&s->client, servers[i].class->service, servers[i].level);
    }
    return r;
}

int image_services_begin(struct image_services *s, const struct svc_job *job)
{
    struct k_info info;
    k_info(&info);
    memset(s, 0, sizeof *s);
    s->job = job;
    s->home = info.cluster == svc_home();
    s->ranks = svc_spawn_count(job, info.cluster, info.compute_clusters) > 0;
    s->on = info.clusters == 1 || info.clusters > info.compute_clusters;
    if (!s->on || (!s->home && !s->ranks))
        return 0;
    int r = svc_client_open(&s->client);
    if (r == 0 && s->home)
        r = start_servers(s, job);
    r = r < 0 ? r : meet(job, &info);
    if (r < 0 || !s->ranks)
        return r;
    r = place(&s->names, sizeof(struct svc_name_daemon));
    if (r < 0)
        return r;
    svc_name_daemon_init(state_of(&s->names), &svc_name_forward);
    return svc_daemon_start(s->names.daemon, svc_form_default(), &svc_name_daemon,
                            state_of(&s->names), info.cluster);
}

static void shut_down(struct image_services *s, enum svc_service service)
{
    svc_request(&s->client, hal_cluster(), service, SVC_OP_SHUTDOWN, NULL, 0, NULL, 0, K_FOREVER);
}

static void join(struct image_service *s)
{
    svc_daemon_join(s->daemon);
    k_page_free(s->daemon, s->bytes);
}

void image_services_end(struct image_services *s)
{
    if (!s->on || (!s->home && !s->ranks))
        return;
    if (s->ranks) {
        shut_down(s, SVC_NAME_DAEMON);
        join(&s->names);
    }
    if (s->home) {
        struct svc_end end;
        svc_spawn_wait(&s->client, SVC_ALL_RANKS, SVC_NO_LIMIT, &end);
        svc_spawn_finish(&s->client);
        shut_down(s, SVC_SPAWN);
        for (int i = IMAGE_SERVERS - 1; i >= 0; i--)
            join(&s->server[i]);
    }
    svc_client_close(&s->client);
}

int image_services_run(struct image_services *s, int (*rank_main)(int rank, void *arg), void *arg)
{
    return s->on ? svc_spawn_run_reported(s->job, rank_main, arg)
                 : svc_spawn_run(s->job, rank_main, arg);
}
