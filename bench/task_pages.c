/* SPDX-License-Identifier: MIT */
/* Pages on mppa256 (souto-2022, 6.3, figure 17), for 1 to 16 processes, one per compute cluster.
 *   Pginval: each process, beside the others, has the page that all share taken back from them.
 *   Pgfetch: each process allocates 32 pages of remote memory, reads a word of each, which a page
 *   fault fetches, and releases them.
 * LWMPI_VARIANT chooses who does the work: threads, or tasks. Cycles and joules (of the whole
 * machine) of one page. Arguments: `each`, for every number of processes instead of a few; `paper`,
 * pages by the protocol of the paper. */
#include <hal/core.h>
#include <svc/rmem.h>
#include <svc/shm.h>
#include <sys/k_sync.h>

#include "kernel_bench.h"

enum { PROCESSES = 16, PAGES = 32, FETCHES = 3, INVALIDATIONS = 8, BLOCKS = 160 };

static const struct svc_rmem_protocol *protocol = &svc_rmem_direct; /* set once, as is */
static int step = 5; /* from one number of processes to the next; set once */

static void *pages(size_t size)
{
    void *p = NULL;
    if (k_page_alloc(size, &p) != 0) {
        fprintf(stderr, "task_pages: no memory\n");
        exit(1);
    }
    return p;
}

static void must(int result, const char *what)
{
    if (result < 0) {
        fprintf(stderr, "task_pages: cluster %d: %s: %d\n", hal_cluster(), what, result);
        exit(1);
    }
}

/* All clusters of the machine meet. */
static void meet(void)
{
    struct k_info info;
    k_info(&info);
    int nodes[64], n = info.clusters, master = info.cluster == 0;
    for (int i = 0; i < n; i++)
        nodes[i] = i;
    int wait = k_sync_create(nodes, n, master ? K_ALL_TO_ONE : K_ONE_TO_ALL);
    int signal = k_sync_open(nodes, n, master ? K_ONE_TO_ALL : K_ALL_TO_ONE);
    must(master ? 0 : k_sync_signal(signal), "signal");
    must(k_sync_wait(wait, K_FOREVER), "wait");
    must(master ? k_sync_signal(signal) : 0, "signal");
    k_sync_close(signal);
    k_sync_unlink(wait);
}

/* What a process does ------------------------------------------------------------------------- */

struct process {
    struct svc_client c;
    struct svc_rmem memory;
    struct svc_shm shared;
    struct svc_shm_region region;
};

static void invalidate(struct process *p)
{
    for (int i = 0; i < INVALIDATIONS; i++)
        must(svc_shm_invalidate(&p->c, &p->region, 0), "invalidate");
}

static void fetch(struct process *p)
{
    for (int i = 0; i < FETCHES; i++) {
        uint64_t at;
        void *seen;
        must(svc_rmem_alloc(&p->c, PAGES * SVC_PAGE, 0, &at), "alloc");
        must(svc_rmem_map(&p->memory, at, PAGES * SVC_PAGE, true, &seen), "map");
        for (size_t page = 0; page < PAGES; page++)
            must(-((volatile char *)seen)[page * SVC_PAGE], "a new page is zero");
        must(svc_rmem_unmap(&p->memory, seen), "unmap");
        must(svc_rmem_free(&p->c, at, PAGES * SVC_PAGE), "free");
    }
}

/* Clusters 0 .. n-1 do it at the same time; cluster 0 tells what one of `times` took. */
static void measure(const char *name, const char *what, int n, int times, struct process *p,
                    void (*run)(struct process *p))
{
    meet();
    double joules = bench_joules();
    uint64_t from = bench_now();
    if (hal_cluster() < n)
        run(p);
    meet();
    if (hal_cluster() == 0) {
        double cycles = (double)(bench_now() - from) / times;
        joules = (bench_joules() - joules) / (times * n);
        printf("mppa256: %s: %d processes: %s,%.6g,cycles,\n", name, n, what, cycles);
        printf("mppa256: %s: %d processes: energy of one,%.6g,J,\n", name, n, joules);
    }
}

static void process(void)
{
    struct process *p = pages(sizeof *p);
    unsigned mode = SVC_SHM_OTHERS_READ | SVC_SHM_OTHERS_WRITE;
    struct svc_rmem_attr how = {.protocol = protocol, .lines = PAGES, .space = PAGES * SVC_PAGE};
    must(svc_client_open(&p->c), "client");
    must(svc_rmem_start(&p->memory, &p->c, &how), "cache");
    for (int n = 1; n <= PROCESSES; n += step)
        measure("Pgfetch", "page fetched", n, FETCHES * PAGES, p, fetch);
    must(svc_rmem_stop(&p->memory), "stop");
    must(svc_shm_start(&p->shared, &p->c, &(struct svc_rmem_attr){.lines = 1}), "shared");
    for (int n = 1; n <= PROCESSES; n += step) {
        meet();
        bool takes_part = hal_cluster() < n;
        if (takes_part)
            must(svc_shm_open(&p->c, "all", SVC_SHM_CREATE, SVC_PAGE, mode, &p->region), "open");
        measure("Pginval", "invalidation", n, INVALIDATIONS, p, invalidate);
        if (takes_part)
            must(svc_shm_close(&p->shared, &p->c, &p->region), "close");
    }
    meet();
    must(svc_shm_stop(&p->shared, &p->c), "stop");
    svc_client_close(&p->c);
}

/* Servers -------------------------------------------------------------------------------------- */

static struct svc_daemon *serve(const struct svc_class *class, void *state)
{
    struct svc_daemon *d = pages(sizeof *d);
    must(svc_daemon_start(d, svc_form_default(), class, state, K_ANY), class->name);
    return d;
}

static void end(struct svc_client *c, struct svc_daemon *d)
{
    must(svc_request(c, hal_cluster(), d->server.class->service, SVC_OP_SHUTDOWN, NULL, 0, NULL, 0,
                     K_FOREVER),
         "shut down");
    must(svc_daemon_join(d), "join");
}

/* An I/O cluster: takes part in the meetings only. */
static void serve_all(void)
{
    struct svc_client c;
    struct svc_daemon *memory, *shared = NULL;
    void *state = pages(svc_rmem_server_bytes(BLOCKS));
    svc_rmem_server_init(state, BLOCKS);
    memory = serve(&svc_rmem_server, state);
    if (hal_cluster() == svc_home()) {
        state = pages(svc_shm_server_bytes(2, 4));
        svc_shm_server_init(state, 2, 4);
        shared = serve(&svc_shm_server, state);
    }
    must(svc_client_open(&c), "client");
    meet();
    for (int i = 0; i < 2; i++) {
        for (int n = 1; n <= PROCESSES; n += step) {
            if (i == 1)
                meet();
            measure("", "", 0, 1, NULL, NULL);
        }
    }
    meet();
    meet();
    if (shared)
        end(&c, shared);
    end(&c, memory);
}

static int body(void *arg)
{
    (void)arg;
    if (hal_cluster() >= svc_home()) {
        serve_all();
        return 0;
    }
    meet();
    process();
    meet();
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    bench_words(argc, argv, "each", "paper");
    step = bench_said(argc, argv, "each") ? 1 : step;
    protocol = bench_said(argc, argv, "paper") ? &svc_rmem_paper : protocol;
    return bench_machine(body);
}
