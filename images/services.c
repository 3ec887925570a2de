/* SPDX-License-Identifier: MIT */
/* The services of a job: the machine-wide servers on the first I/O cluster, home; memory servers on
 * each I/O cluster and that of shared memory at home, if they were asked for; a name daemon on each
 * cluster with ranks.
 *
 *     memory clusters         home                            a cluster with ranks
 *                             its servers start
 *                         <-  the spawn server is up
 *     servers start, enlist
 *     they are up         ->
 *                             the services are up          ->
 *                                                             name daemon starts, ranks run
 *                             all ranks have ended         <- ends of ranks, as they come
 *                             servers end level by level      the daemon ends after the ranks
 *
 * So a rank finds every service, and no server goes before the last rank that may ask it. Nobody is
 * asked for a sign of life: whoever runs a hosted machine ends it when a cluster crashes. */
#include "services.h"

#include <string.h>

#include <svc/name.h>
#include <svc/rmem.h>
#include <svc/semaphore.h>
#include <svc/shm.h>
#include <svc/spawn_server.h>
#include <sys/k_sync.h>

enum {
    NAMES_PER_RANK = 2,
    NAMES_MORE = 64,
    SEMAPHORES = 128,
    WAITERS_MORE = 16,
    REGIONS = 64,
    REGION_PAGES = 2048,
    LAST = 0
};
#define MEMORY_MOST (8u << 20) /* bytes of blocks of a memory server */

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

/* Of a memory server: half of what a cluster has, as far as that is not much to clear. */
static int blocks(void)
{
    size_t limit;
    k_memory(NULL, NULL, &limit);
    return (int)((limit / 2 < MEMORY_MOST ? limit / 2 : MEMORY_MOST) / SVC_PAGE);
}

static size_t memory_bytes(const struct svc_job *job)
{
    (void)job;
    return svc_rmem_server_bytes(blocks());
}

static void memory_init(void *state, const struct svc_job *job)
{
    (void)job;
    svc_rmem_server_init(state, blocks());
}

static size_t shared_bytes(const struct svc_job *job)
{
    (void)job;
    return svc_shm_server_bytes(REGIONS, REGION_PAGES);
}

static void shared_init(void *state, const struct svc_job *job)
{
    (void)job;
    svc_shm_server_init(state, REGIONS, REGION_PAGES);
}

/* Where a server runs, and when. */
enum place {
    HOME,   /* at home, always */
    MEMORY, /* on each memory cluster, */
    ASKED   /* at home, if memory servers were asked for */
};

/* The machine-wide servers in the order of their start. The spawn server ends the others, those of
 * the highest level first, and goes last. */
static const struct {
    const struct svc_class *class;
    size_t (*bytes)(const struct svc_job *job);
    void (*init)(void *state, const struct svc_job *job);
    enum place place;
    int level;
} servers[IMAGE_SERVERS] = {
    {&svc_spawn_server, spawn_bytes, spawn_init, HOME, LAST},
    {&svc_name_server, name_bytes, name_init, HOME, 1},
    {&svc_semaphore_server, semaphore_bytes, semaphore_init, HOME, 2},
    {&svc_rmem_server, memory_bytes, memory_init, MEMORY, 3},
    {&svc_shm_server, shared_bytes, shared_init, ASKED, 4},
};

static const struct svc_class *const names_of_a_cluster = &svc_name_daemon;

/* Memory for a server with so much state. */
static int take_pages(struct image_service *s, size_t state)
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

/* Home and the clusters with ranks, or home and the memory clusters. */
static int members(const struct image_services *s, bool memory, int *nodes)
{
    int n = 0, clusters = s->info.compute_clusters;
    nodes[n++] = svc_home();
    for (int i = 1; memory && i < svc_rmem_servers(); i++)
        nodes[n++] = svc_rmem_server_node(i);
    for (int i = 0; !memory && i < clusters && svc_spawn_count(s->job, i, clusters) > 0; i++)
        if (i != svc_home())
            nodes[n++] = i;
    if (!memory && s->job->io_cluster != 0 && s->job->io_cluster != svc_home())
        nodes[n++] = s->job->io_cluster;
    return n;
}

/* Home tells the others something, or hears it of all of them. */
static int meet(const struct image_services *s, bool memory, enum k_sync_type type)
{
    size_t size = (size_t)s->info.clusters * sizeof(int);
    void *nodes;
    int r = k_page_alloc(size, &nodes);
    if (r < 0)
        return r;
    int n = members(s, memory, nodes);
    if (n > 1) {
        bool signals = s->home == (type == K_ONE_TO_ALL);
        int id = signals ? k_sync_open(nodes, n, type) : k_sync_create(nodes, n, type);
        r = id < 0 ? id : signals ? k_sync_signal(id) : k_sync_wait(id, K_FOREVER);
        if (id >= 0)
            signals ? k_sync_close(id) : k_sync_unlink(id);
    }
    k_page_free(nodes, size);
    return r;
}

static int start_server(struct image_services *s, int i)
{
    struct image_service *x = &s->server[i];
    if (!servers[i].class) /* nobody in this image asks it: bare/asked.h */
        return 0;
    int r = take_pages(x, servers[i].bytes(s->job));
    if (r < 0)
        return r;
    servers[i].init(state_of(x), s->job);
    r = svc_daemon_start(x->daemon, svc_form_default(), servers[i].class, state_of(x), svc_home());
    return r < 0 || i == 0
               ? r
               : svc_spawn_enlist(&s->client, servers[i].class->service, servers[i].level);
}

static int start_servers(struct image_services *s, enum place place)
{
    int r = 0;
    for (int i = 0; i < IMAGE_SERVERS && r == 0; i++)
        r = servers[i].place == place ? start_server(s, i) : 0;
    return r;
}

/* The memory clusters enlist theirs at home before the ranks may run, so none is forgotten at the
 * end. */
static int start_memory(struct image_services *s)
{
    int r = meet(s, true, K_ONE_TO_ALL); /* the spawn server is up */
    r = r < 0 ? r : start_servers(s, MEMORY);
    r = r < 0 ? r : meet(s, true, K_ALL_TO_ONE);
    return r < 0 || !s->home ? r : start_servers(s, ASKED);
}

static int start_names(struct image_services *s)
{
    if (!names_of_a_cluster)
        return 0;
    int r = take_pages(&s->names, sizeof(struct svc_name_daemon));
    if (r < 0)
        return r;
    svc_name_daemon_init(state_of(&s->names), &svc_name_forward);
    return svc_daemon_start(s->names.daemon, svc_form_default(), names_of_a_cluster,
                            state_of(&s->names), s->info.cluster);
}

/* What the calling cluster is. */
static void find_out(struct image_services *s, const struct svc_job *job, bool memory)
{
    memset(s, 0, sizeof *s);
    k_info(&s->info);
    int clusters = s->info.compute_clusters, number = s->info.cluster - svc_rmem_server_node(0);
    s->job = job;
    s->on = s->info.clusters == 1 || s->info.clusters > clusters;
    s->home = s->on && s->info.cluster == svc_home();
    s->memory = s->on && memory && number >= 0 && number < svc_rmem_servers();
    s->ranks = svc_spawn_count(job, s->info.cluster, clusters) > 0;
}

/* Does anything run here? */
static bool takes_part(const struct image_services *s)
{
    return s->on && (s->home || s->memory || s->ranks);
}

int image_services_begin(struct image_services *s, const struct svc_job *job, bool memory)
{
    find_out(s, job, memory);
    if (!takes_part(s))
        return 0;
    int r = svc_client_open(&s->client);
    if (r == 0 && s->home)
        r = start_servers(s, HOME);
    if (r == 0 && s->memory)
        r = start_memory(s);
    if (r == 0 && (s->home || s->ranks))
        r = meet(s, false, K_ONE_TO_ALL);
    return r == 0 && s->ranks ? start_names(s) : r;
}

static void shut_down(struct image_services *s, enum svc_service service)
{
    svc_request(&s->client, s->info.cluster, service, SVC_OP_SHUTDOWN, NULL, 0, NULL, 0, K_FOREVER);
}

static void join(struct image_service *s)
{
    svc_daemon_join(s->daemon);
    k_page_free(s->daemon, s->bytes);
}

void image_services_end(struct image_services *s)
{
    if (!takes_part(s))
        return;
    if (s->names.daemon) {
        shut_down(s, SVC_NAME_DAEMON);
        join(&s->names);
    }
    if (s->home) {
        struct svc_end end;
        svc_spawn_wait(&s->client, SVC_ALL_RANKS, SVC_NO_LIMIT, &end);
        svc_spawn_finish(&s->client);
        shut_down(s, SVC_SPAWN);
    }
    for (int i = IMAGE_SERVERS - 1; i >= 0; i--)
        if (s->server[i].daemon)
            join(&s->server[i]);
    svc_client_close(&s->client);
}

int image_services_run(struct image_services *s, int (*rank_main)(int rank, void *arg), void *arg)
{
    return s->on ? svc_spawn_run_reported(s->job, rank_main, arg)
                 : svc_spawn_run(s->job, rank_main, arg);
}
