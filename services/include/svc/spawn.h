/* SPDX-License-Identifier: MIT */
/* Spawn: where the ranks of a job live, and their start and end in one cluster.
 *
 * The placement is a pure function of the job, computed alike on every cluster, so nobody has to
 * ask where a rank is. Ranks live on compute clusters, but for one that may be beside them. */
#ifndef SVC_SPAWN_H
#define SVC_SPAWN_H

#include <stddef.h>

enum svc_map {
    SVC_MAP_COMPACT, /* consecutive ranks fill a cluster before the next (uller-2021, 5.8) */
    SVC_MAP_SCATTER  /* consecutive ranks go to consecutive clusters, round-robin */
};

struct svc_job {
    int ranks;       /* size of MPI_COMM_WORLD, >= 1 */
    int per_cluster; /* most ranks in one cluster, >= 1 */
    enum svc_map map;
    size_t stack; /* bytes of a rank's stack, 0 = the port's default */
    int universe; /* how many ranks there could be, as the user says: 0 = `ranks`, -1 = unknown */
    int programs; /* how many programs make up the job, one after the other; 0 = 1 */
    const int *program_end; /* [programs]: the rank after the last of each; NULL if there is one */
    int io_cluster; /* cluster, behind the compute clusters, of one more rank, number `ranks`, not
                       in MPI_COMM_WORLD (ho-2015, IV.A), which runs the last program; 0: none */
};

/* How many ranks there are, MPI_COMM_WORLD's and the one beside it: their numbers begin with 0. */
static inline int svc_spawn_total(const struct svc_job *job)
{
    return job->ranks + (job->io_cluster != 0);
}

/* Which of the job's programs a rank runs, from 0 on. */
int svc_spawn_program(const struct svc_job *job, int rank);

/* Where a rank is: its cluster, its index among the ranks of that cluster, its core. */
struct svc_place {
    int cluster, local, core;
};

/* Who a rank is. In a program that is linked without MPI k_thread_local() of a rank's thread points
 * to this. */
struct svc_rank {
    const struct svc_job *job;
    int rank;
};

/* "compact" or "scatter"; -B_EINVAL for anything else. */
int svc_map_parse(const char *name, enum svc_map *map);

/* Checks that the job fits `clusters` compute clusters: 0, or -B_ERANGE with the largest number of
 * ranks that would fit in *most. */
int svc_spawn_check(const struct svc_job *job, int clusters, int *most);

/* Place of `rank`, 0 <= rank < svc_spawn_total(job), on a machine with `clusters` compute clusters
 * whose programs may use cores first_core .. cores-1. */
struct svc_place svc_spawn_place(const struct svc_job *job, int rank, int clusters, int first_core,
                                 int cores);

/* Number of ranks in a cluster, and the rank at index `local` of it. */
int svc_spawn_count(const struct svc_job *job, int cluster, int clusters);
int svc_spawn_rank(const struct svc_job *job, int cluster, int local, int clusters);

/* Starts the calling cluster's ranks, each as a thread on its core running rank_main(rank, arg),
 * and waits for all of them. Returns the first status that is not 0 in order of ranks, or 0;
 * -B_ENOMEM if a thread cannot be made. Called once per cluster, from its first thread. */
int svc_spawn_run(const struct svc_job *job, int (*rank_main)(int rank, void *arg), void *arg);

#endif
