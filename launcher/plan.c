/* SPDX-License-Identifier: MIT */
/* From what the user asked to processes and ranks. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/config.h>

#include "binding.h"
#include "plan.h"

#define MEMORY_PER_RANK (16u << 20) /* of a linux cluster's window; pages are used when touched */
#define SHARED_PER_RANK (8u << 20)  /* of memory that clusters share; the same, as long as */
#define SHARED_MOST     (1u << 30)  /* ... all of it is not more than this */
#define SERVICES_MEMORY (64u << 20)
#define SERVICES_PORTS  32 /* for services and their clients in a cluster */
#define SPARE_THREADS   8  /* kernel threads of a cluster beside its ranks' */
#define PORTS_PER_RANK  2  /* logical ports of each kind: one to receive, one to send */

static int processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                        : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n;
}

/* linux: an I/O cluster of one core, and ports for services and their clients. */
static int shape_services(struct plan *plan)
{
    struct hal_machine *m = &plan->machine;
    if (plan->processes == HAL_CLUSTERS_MAX) {
        complain(
            "--services and --io-rank need a process of their own, but at most %d are possible",
            HAL_CLUSTERS_MAX);
        return EXIT_USAGE;
    }
    plan->helpers = 1;
    m->io_clusters = 1;
    m->io_cores = 1;
    m->io_memory = SERVICES_MEMORY;
    m->mailbox_ports += SERVICES_PORTS;
    if (m->mailbox_ports > KERN_PORTS_MAX)
        m->mailbox_ports = KERN_PORTS_MAX;
    return -1;
}

/* For messages between processes, beside what the machine file has. */
static uint32_t shared_memory(const struct hal_machine *m, uint32_t ranks)
{
    uint64_t more = (uint64_t)ranks * SHARED_PER_RANK;
    return m->compute_clusters == 1
               ? m->shared_memory
               : m->shared_memory + (uint32_t)(more < SHARED_MOST ? more : SHARED_MOST);
}

/* Of those the first process may use, as the others may. */
static uint32_t bound_to(const struct request *r)
{
    cpu_set_t set;
    struct binding *b = binding_make(r);
    if (!b)
        return HAL_CORES_MAX;
    binding_of(b, 0, &set);
    free(b);
    return (uint32_t)CPU_COUNT(&set);
}

static bool binds(const struct request *r)
{
    return r->bind != PART_NONE || r->by != PART_NONE;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* linux: so many of the processors as are a process's part, and one for each of its ranks at most.
 * Cores that share a processor would wait for it each time that a rank waits for one on another
 * core; ranks of one core go on from one to the next. */
static uint32_t cores_of_each(const struct request *r, uint32_t processors, uint32_t processes,
                              uint32_t ranks)
{
    uint32_t part = (processors + processes - 1) / processes;
    if (r->width > 1)
        part = (uint32_t)r->width;
    else if (binds(r))
        part = least(part, bound_to(r));
    return least(least(part, ranks), HAL_CORES_MAX);
}

/* linux: as many clusters as the ranks need, each with pools for its ranks. */
static int shape_linux(struct plan *plan, const struct request *r)
{
    struct hal_machine *m = &plan->machine;
    uint32_t k = r->per_cluster == 0 ? 1 : (uint32_t)r->per_cluster;
    if ((int)k > r->ranks)
        k = (uint32_t)r->ranks;
    uint32_t clusters = ((uint32_t)r->ranks + k - 1) / k;
    uint32_t most = KERN_PORTS_MAX / PORTS_PER_RANK;
    if (k > most) {
        complain("--ranks-per-cluster %u: a cluster holds at most %u ranks", k, most);
        return EXIT_USAGE;
    }
    if (clusters > HAL_CLUSTERS_MAX) {
        complain("%d ranks, %u per process, need %u processes, but at most %d are possible; "
                 "--ranks-per-cluster puts more ranks into one",
                 r->ranks, k, clusters, HAL_CLUSTERS_MAX);
        return EXIT_USAGE;
    }
    uint32_t cores = (uint32_t)processors();
    if (r->alone && r->ranks > (int)cores) {
        complain("--nooversubscribe: %d ranks, but only %u processors", r->ranks, cores);
        return EXIT_USAGE;
    }
    m->compute_clusters = clusters;
    m->compute_cores = cores_of_each(r, cores, clusters, k);
    plan->oversubscribed = clusters * m->compute_cores > cores || (uint32_t)r->ranks > cores;
    if (m->threads < k + SPARE_THREADS)
        m->threads = k + SPARE_THREADS;
    if (m->mailbox_ports < k * PORTS_PER_RANK)
        m->mailbox_ports = k * PORTS_PER_RANK;
    if (m->portal_ports < k * PORTS_PER_RANK)
        m->portal_ports = k * PORTS_PER_RANK;
    if (m->compute_memory < (uint64_t)k * MEMORY_PER_RANK)
        m->compute_memory = (uint64_t)k * MEMORY_PER_RANK;
    m->shared_memory = shared_memory(m, (uint32_t)r->ranks);
    if (r->bound || r->by != PART_NONE)
        plan->options.pin = false; /* the process is bound; its cores share what it has */
    plan->job.per_cluster = (int)k;
    plan->processes = (int)clusters;
    int code = r->services || r->io ? shape_services(plan) : -1;
    if (code < 0 && r->io) { /* it lives where the services do */
        plan->helpers = 0;
        plan->job.io_cluster = plan->processes++;
        m->io_memory = m->compute_memory + SERVICES_MEMORY;
    }
    return code;
}

/* A node is a cluster; --map-by the larger parts of a computer means these, too. */
static int shape_virtual(struct plan *plan, const struct request *r)
{
    const struct hal_machine *m = &plan->machine;
    int cores = (int)m->compute_cores - (m->asymmetric ? 1 : 0), most;
    int asked = r->per_cluster != 0 ? r->per_cluster : r->per_node;
    plan->job.per_cluster = asked == 0 ? cores : asked;
    plan->processes = 1;
    if (r->by > PART_CORE)
        plan->job.map = SVC_MAP_SCATTER;
    if (r->alone && plan->job.per_cluster > cores) {
        complain("--nooversubscribe: %d ranks in a cluster, but %s has %d cores for programs there",
                 plan->job.per_cluster, m->name, cores);
        return EXIT_USAGE;
    }
    if (plan->job.per_cluster >= (int)m->threads) {
        complain("--ranks-per-cluster %d: a cluster of %s has %u threads, so it holds at most %u "
                 "ranks",
                 plan->job.per_cluster, m->name, m->threads, m->threads - 1);
        return EXIT_USAGE;
    }
    if (r->io && m->io_clusters == 0) {
        complain("--io-rank: %s has no I/O cluster", m->name);
        return EXIT_USAGE;
    }
    if (r->io)
        plan->job.io_cluster = (int)(m->compute_clusters + m->io_clusters) - 1;
    if (svc_spawn_check(&plan->job, (int)m->compute_clusters, &most) == 0)
        return -1;
    complain("%d ranks do not fit %s: its %u compute clusters of %d cores for programs, with %d "
             "ranks each, hold %d",
             plan->job.ranks, m->name, m->compute_clusters, cores, plan->job.per_cluster, most);
    return EXIT_USAGE;
}

/* Machines in QEMU, by the name in their file. */
static bool is_bare(const struct hal_machine *m)
{
    return strncmp(m->name, "riscv", strlen("riscv")) == 0;
}

/* What a machine in QEMU has not got. */
static int check_bare(const struct request *r, const struct hal_machine *m)
{
    const struct {
        const char *name;
        bool given;
    } never[] = {{r->virtual_only, r->virtual_only && strcmp(r->virtual_only, "--set") != 0},
                 {"--profile", r->profile},
                 {"--report", r->report != NULL},
                 {"--print-all-exitcodes", r->codes},
                 {"--trace", getenv("LWMPI_TRACE") != NULL},
                 {"--services without I/O clusters", r->services && m->io_clusters == 0},
                 {"several programs", r->apps > 1},
                 {"--wdir", r->app[0].wdir != NULL}};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        if (never[i].given) {
            complain("%s: not on %s, which is bare metal in QEMU; --machine mppa256 has it",
                     never[i].name, r->machine);
            return EXIT_USAGE;
        }
    }
    return -1;
}

int plan_make(const struct request *r, struct plan *plan)
{
    char why[512];
    *plan = (struct plan){.request = r, .job = {.ranks = r->ranks, .map = r->map}};
    if (r->against && !r->report) {
        complain("--against %.200s: says what --report FILE is to be compared with", r->against);
        return EXIT_USAGE;
    }
    if (r->chart) {
        complain("--chart %.200s: says where the chart of --sweep KEY=VALUES goes", r->chart);
        return EXIT_USAGE;
    }
    plan->virtual_time = strcmp(r->machine, "linux") != 0;
    if (r->virtual_only && !plan->virtual_time) {
        complain("%s is for machines in virtual time; --machine mppa256 is one", r->virtual_only);
        return EXIT_USAGE;
    }
    if (hal_options_default(&plan->options, why, sizeof why) < 0) {
        complain("%s", why);
        return EXIT_USAGE;
    }
    plan->options.verbose = plan->options.verbose || r->verbose;
    plan->recorded = r->profile || plan->options.trace;
    if (hal_machine_load(r->machine, &plan->machine, why, sizeof why) < 0) {
        complain("%s", why);
        return EXIT_USAGE;
    }
    plan->bare = is_bare(&plan->machine);
    if (plan->bare && check_bare(r, &plan->machine) >= 0)
        return EXIT_USAGE;
    if (r->parallel && !plan->bare) {
        complain("--parallel is for machines in QEMU; --machine riscv is one");
        return EXIT_USAGE;
    }
    int code = plan->virtual_time ? shape_virtual(plan, r) : shape_linux(plan, r);
    plan->shared =
        svc_spawn_total(&plan->job) > 1 && (plan->virtual_time || plan->job.per_cluster > 1);
    return code;
}

void plan_ranks(const struct plan *plan, int process, char *text, size_t size)
{
    int clusters = (int)plan->machine.compute_clusters;
    int n = plan->virtual_time ? plan->job.ranks : svc_spawn_count(&plan->job, process, clusters);
    int first = plan->virtual_time ? 0 : svc_spawn_rank(&plan->job, process, 0, clusters);
    if (n == 1)
        snprintf(text, size, "rank %d", first);
    else if (plan->virtual_time || plan->job.map == SVC_MAP_COMPACT)
        snprintf(text, size, "ranks %d-%d", first, first + n - 1);
    else
        snprintf(text, size, "ranks %d, %d, ...", first,
                 svc_spawn_rank(&plan->job, process, 1, clusters));
}

int plan_app(const struct plan *plan, int process)
{
    const struct request *r = plan->request;
    int app = 0, rank = 0;
    if (!plan->virtual_time)
        rank = svc_spawn_rank(&plan->job, process, 0, (int)plan->machine.compute_clusters);
    for (; app < r->apps - 1 && rank >= r->app[app].ranks; app++) /* the I/O rank: the last one */
        rank -= r->app[app].ranks;
    return app;
}
