/* SPDX-License-Identifier: MIT */
/* From what the user asked to processes and ranks. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/config.h>

#include "plan.h"

#define MEMORY_PER_RANK (1u << 20) /* of a linux cluster's window; pages are used when touched */
#define SPARE_THREADS   8          /* kernel threads of a cluster beside its ranks' */
#define PORTS_PER_RANK  2          /* logical ports of each kind: one to receive, one to send */

static int processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                        : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n;
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
    m->compute_clusters = clusters;
    m->compute_cores = k < cores ? k : cores;
    if (m->compute_cores > HAL_CORES_MAX)
        m->compute_cores = HAL_CORES_MAX;
    if (m->threads < k + SPARE_THREADS)
        m->threads = k + SPARE_THREADS;
    if (m->mailbox_ports < k * PORTS_PER_RANK)
        m->mailbox_ports = k * PORTS_PER_RANK;
    if (m->portal_ports < k * PORTS_PER_RANK)
        m->portal_ports = k * PORTS_PER_RANK;
    if (m->compute_memory < k * MEMORY_PER_RANK)
        m->compute_memory = k * MEMORY_PER_RANK;
    plan->job.per_cluster = (int)k;
    plan->processes = (int)clusters;
    return -1;
}

static int shape_virtual(struct plan *plan, const struct request *r)
{
    const struct hal_machine *m = &plan->machine;
    int cores = (int)m->compute_cores - (m->asymmetric ? 1 : 0), most;
    plan->job.per_cluster = r->per_cluster == 0 ? cores : r->per_cluster;
    plan->processes = 1;
    if (plan->job.per_cluster >= (int)m->threads) {
        complain("--ranks-per-cluster %d: a cluster of %s has %u threads, so it holds at most %u "
                 "ranks",
                 plan->job.per_cluster, m->name, m->threads, m->threads - 1);
        return EXIT_USAGE;
    }
    if (svc_spawn_check(&plan->job, (int)m->compute_clusters, &most) == 0)
        return -1;
    complain("%d ranks do not fit %s: its %u compute clusters of %d cores for programs, with %d "
             "ranks each, hold %d",
             plan->job.ranks, m->name, m->compute_clusters, cores, plan->job.per_cluster, most);
    return EXIT_USAGE;
}

int plan_make(const struct request *r, struct plan *plan)
{
    char why[512];
    *plan = (struct plan){.job = {.ranks = r->ranks, .map = r->map}};
    plan->virtual_time = strcmp(r->machine, "linux") != 0;
    if (r->virtual_only != NULL && !plan->virtual_time) {
        complain("%s is for machines in virtual time; --machine mppa256 is one", r->virtual_only);
        return EXIT_USAGE;
    }
    if (hal_options_default(&plan->options, why, sizeof why) < 0) {
        complain("%s", why);
        return EXIT_USAGE;
    }
    if (hal_machine_load(r->machine, &plan->machine, why, sizeof why) < 0) {
        complain("%s", why);
        return EXIT_USAGE;
    }
    int code = plan->virtual_time ? shape_virtual(plan, r) : shape_linux(plan, r);
    plan->shared = plan->job.ranks > 1 && (plan->virtual_time || plan->job.per_cluster > 1);
    return code;
}

/* A program that does not use MPI may still run one that does: an interpreter with a script, a
 * debugger with a program, a shell with -c. */
static bool runs_another(char **command)
{
    struct stat st;
    for (int i = 1; command[i] != NULL; i++) {
        if (strcmp(command[i], "-c") == 0)
            return true;
        if (command[i][0] != '-' && stat(command[i], &st) == 0 && S_ISREG(st.st_mode))
            return true;
    }
    return false;
}

int plan_check_program(const struct plan *plan, const struct program *p, char **command)
{
    if (p->elf && !p->needs_mpi && p->other[0] != '\0') {
        complain("%.400s was built for another MPI (it needs %s); build it with this mpicc",
                 p->path, p->other);
        return EXIT_CANNOT_RUN;
    }
    if (!plan->shared && !plan->virtual_time)
        return -1;
    if (p->elf && !runs_another(command) && !program_loads_mpi(p)) {
        complain("%.400s does not use MPI (it does not need libmpi_abi.so.1), so it cannot run %s; "
                 "build it with mpicc, or run it as a process per rank with --machine linux%s",
                 p->path,
                 plan->virtual_time ? "in virtual time" : "as several ranks in one process",
                 plan->virtual_time ? "" : " and without --ranks-per-cluster");
        return EXIT_CANNOT_RUN;
    }
    if (plan->shared && p->globals > 0)
        complain(
            "warning: ranks share a process here, and with it %d writable global variable%s of "
            "%.300s (%s%s)",
            p->globals, p->globals == 1 ? "" : "s", p->path, p->names,
            p->globals > 3 ? ", ..." : "");
    if (plan->shared && p->globals < 0)
        complain("warning: ranks share a process here, and with it the writable global variables "
                 "of %.300s (it has some, but no symbols that name them)",
                 p->path);
    return -1;
}

static void export_number(const char *name, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    setenv(name, text, 1);
}

/* The folder of the library for this machine: beside the folder that holds mpiexec. */
static int export_library(const struct plan *plan)
{
    char self[PATH_MAX], folder[PATH_MAX + 32], file[PATH_MAX + 64];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0) {
        complain("cannot tell where mpiexec itself is: /proc/self/exe: %s", strerror(errno));
        return EXIT_CANNOT_RUN;
    }
    self[n] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    snprintf(folder, sizeof folder, "%s/lib/%s", self, plan->virtual_time ? "sim" : "linux");
    snprintf(file, sizeof file, "%s/libmpi_abi.so.1", folder);
    if (access(file, R_OK) < 0) {
        complain("%.400s: cannot read this library: %s; ./lwmpi build makes it", file,
                 strerror(errno));
        return EXIT_CANNOT_RUN;
    }
    const char *before = getenv("LD_LIBRARY_PATH");
    size_t size = strlen(folder) + (before == NULL ? 0 : strlen(before)) + 2;
    char *path = malloc(size);
    if (path == NULL)
        return EXIT_CANNOT_RUN;
    bool more = before != NULL && *before != '\0';
    snprintf(path, size, "%s%s%s", folder, more ? ":" : "", more ? before : "");
    setenv("LD_LIBRARY_PATH", path, 1);
    free(path);
    return -1;
}

int plan_export(const struct plan *plan, const struct request *r)
{
    char full[PATH_MAX];
    const char *machine = r->machine;
    if (strchr(machine, '/') != NULL || strstr(machine, ".machine") != NULL)
        machine = realpath(machine, full) == NULL ? machine : full;
    unsetenv("LWMPI_JOB"); /* of an mpiexec around this one */
    setenv("LWMPI_MACHINE", machine, 1);
    export_number("LWMPI_SIZE", plan->job.ranks);
    export_number("LWMPI_RANKS_PER_CLUSTER", plan->job.per_cluster);
    setenv("LWMPI_MAP", plan->job.map == SVC_MAP_COMPACT ? "compact" : "scatter", 1);
    export_number("LWMPI_LABEL", r->label && (plan->virtual_time || plan->job.per_cluster > 1));
    export_number("LWMPI_STATS", r->stats);
    return export_library(plan);
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
