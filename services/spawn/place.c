/* SPDX-License-Identifier: MIT */
/* Placement of ranks: uller-2021, section 5.8 and figure 17. */
#include <svc/spawn.h>

#include <limits.h>
#include <stdbool.h>

#include <base/error.h>

/* A mapping is one line: which rank is the local-th of a cluster, and back. */
struct mapping {
    const char *name;
    int (*cluster)(const struct svc_job *job, int rank, int clusters);
    int (*local)(const struct svc_job *job, int rank, int clusters);
    int (*rank)(const struct svc_job *job, int cluster, int local, int clusters);
    int (*count)(const struct svc_job *job, int cluster, int clusters);
};

static int compact_cluster(const struct svc_job *job, int rank, int clusters)
{
    (void)clusters;
    return rank / job->per_cluster;
}

static int compact_local(const struct svc_job *job, int rank, int clusters)
{
    (void)clusters;
    return rank % job->per_cluster;
}

static int compact_rank(const struct svc_job *job, int cluster, int local, int clusters)
{
    (void)clusters;
    return cluster * job->per_cluster + local;
}

static int compact_count(const struct svc_job *job, int cluster, int clusters)
{
    (void)clusters;
    long long rest = job->ranks - (long long)cluster * job->per_cluster;
    rest = rest < 0 ? 0 : rest;
    return rest < job->per_cluster ? (int)rest : job->per_cluster;
}

static int scatter_cluster(const struct svc_job *job, int rank, int clusters)
{
    (void)job;
    return rank % clusters;
}

static int scatter_local(const struct svc_job *job, int rank, int clusters)
{
    (void)job;
    return rank / clusters;
}

static int scatter_rank(const struct svc_job *job, int cluster, int local, int clusters)
{
    (void)job;
    return local * clusters + cluster;
}

static int scatter_count(const struct svc_job *job, int cluster, int clusters)
{
    return job->ranks / clusters + (cluster < job->ranks % clusters);
}

static const struct mapping mappings[] = {
    [SVC_MAP_COMPACT] = {"compact", compact_cluster, compact_local, compact_rank, compact_count},
    [SVC_MAP_SCATTER] = {"scatter", scatter_cluster, scatter_local, scatter_rank, scatter_count},
};

static bool same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

int svc_map_parse(const char *name, enum svc_map *map)
{
    for (int i = 0; i < (int)(sizeof mappings / sizeof mappings[0]); i++) {
        if (name && same(name, mappings[i].name)) {
            *map = (enum svc_map)i;
            return 0;
        }
    }
    return -B_EINVAL;
}

int svc_spawn_check(const struct svc_job *job, int clusters, int *most)
{
    long long fit = job->per_cluster > 0 ? (long long)clusters * job->per_cluster : 0;
    *most = fit < INT_MAX ? (int)fit : INT_MAX;
    return job->ranks >= 1 && job->ranks <= fit ? 0 : -B_ERANGE;
}

struct svc_place svc_spawn_place(const struct svc_job *job, int rank, int clusters, int first_core,
                                 int cores)
{
    const struct mapping *m = &mappings[job->map];
    if (rank >= job->ranks)
        return (struct svc_place){.cluster = job->io_cluster, .local = 0, .core = first_core};
    int local = m->local(job, rank, clusters);
    return (struct svc_place){
        .cluster = m->cluster(job, rank, clusters),
        .local = local,
        .core = first_core + local % (cores - first_core),
    };
}

int svc_spawn_count(const struct svc_job *job, int cluster, int clusters)
{
    /* I/O clusters are numbered behind the compute clusters. */
    return cluster < clusters ? mappings[job->map].count(job, cluster, clusters)
                              : job->io_cluster != 0 && cluster == job->io_cluster;
}

int svc_spawn_rank(const struct svc_job *job, int cluster, int local, int clusters)
{
    return cluster < clusters ? mappings[job->map].rank(job, cluster, local, clusters) : job->ranks;
}

int svc_spawn_program(const struct svc_job *job, int rank)
{
    int program = 0;
    while (program < job->programs - 1 && rank >= job->program_end[program])
        program++;
    return program;
}
