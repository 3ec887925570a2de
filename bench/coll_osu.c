/* SPDX-License-Identifier: MIT */
/* Latency of the collectives, in the columns of the OSU micro-benchmarks:
 *
 *     mpiexec -n 16 coll_osu [allreduce | bcast | ... | all] [min:max] [iterations]
 *
 * min and max are bytes, of a rank. Each figure is the time of a call after the ranks met, averaged
 * over the iterations: the average of the ranks, the fastest and the slowest one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    char *send, *recv;
    int *counts, *starts;
    int ranks;
};

typedef void collective(const struct job *j, int n);

static void barrier(const struct job *j, int n)
{
    (void)j;
    (void)n;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(const struct job *j, int n)
{
    MPI_Bcast(j->send, n, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void gather(const struct job *j, int n)
{
    MPI_Gather(j->send, n, MPI_CHAR, j->recv, n, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void gatherv(const struct job *j, int n)
{
    MPI_Gatherv(j->send, n, MPI_CHAR, j->recv, j->counts, j->starts, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void scatter(const struct job *j, int n)
{
    MPI_Scatter(j->recv, n, MPI_CHAR, j->send, n, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void scatterv(const struct job *j, int n)
{
    MPI_Scatterv(j->recv, j->counts, j->starts, MPI_CHAR, j->send, n, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void allgather(const struct job *j, int n)
{
    MPI_Allgather(j->send, n, MPI_CHAR, j->recv, n, MPI_CHAR, MPI_COMM_WORLD);
}

static void allgatherv(const struct job *j, int n)
{
    MPI_Allgatherv(j->send, n, MPI_CHAR, j->recv, j->counts, j->starts, MPI_CHAR, MPI_COMM_WORLD);
}

static void alltoall(const struct job *j, int n)
{
    MPI_Alltoall(j->send, n, MPI_CHAR, j->recv, n, MPI_CHAR, MPI_COMM_WORLD);
}

static void alltoallv(const struct job *j, int n)
{
    (void)n;
    MPI_Alltoallv(j->send, j->counts, j->starts, MPI_CHAR, j->recv, j->counts, j->starts, MPI_CHAR,
                  MPI_COMM_WORLD);
}

static void reduce(const struct job *j, int n)
{
    MPI_Reduce(j->send, j->recv, n / 4, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(const struct job *j, int n)
{
    MPI_Allreduce(j->send, j->recv, n / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_scatter(const struct job *j, int n)
{
    MPI_Reduce_scatter_block(j->send, j->recv, n / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void scan(const struct job *j, int n)
{
    MPI_Scan(j->send, j->recv, n / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void exscan(const struct job *j, int n)
{
    MPI_Exscan(j->send, j->recv, n / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void ibarrier(const struct job *j, int n)
{
    MPI_Request q;
    (void)j;
    (void)n;
    MPI_Ibarrier(MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void iallreduce(const struct job *j, int n)
{
    MPI_Request q;
    MPI_Iallreduce(j->send, j->recv, n / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void ialltoall(const struct job *j, int n)
{
    MPI_Request q;
    MPI_Ialltoall(j->send, n, MPI_CHAR, j->recv, n, MPI_CHAR, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static const struct entry {
    const char *name;
    collective *call;
    int least; /* bytes; 0: has none */
} entries[] = {{"barrier", barrier, 0},
               {"bcast", bcast, 1},
               {"gather", gather, 1},
               {"gatherv", gatherv, 1},
               {"scatter", scatter, 1},
               {"scatterv", scatterv, 1},
               {"allgather", allgather, 1},
               {"allgatherv", allgatherv, 1},
               {"alltoall", alltoall, 1},
               {"alltoallv", alltoallv, 1},
               {"reduce", reduce, 4},
               {"allreduce", allreduce, 4},
               {"reduce_scatter", reduce_scatter, 4},
               {"scan", scan, 4},
               {"exscan", exscan, 4},
               {"ibarrier", ibarrier, 0},
               {"iallreduce", iallreduce, 4},
               {"ialltoall", ialltoall, 1}};
#define ENTRIES ((int)(sizeof entries / sizeof entries[0]))

/* Microseconds per call on this rank. */
static double measure(const struct entry *e, const struct job *j, int n, int iterations)
{
    int warm = iterations / 10 + 1;
    double sum = 0;
    for (int i = 0; i < j->ranks; i++) {
        j->counts[i] = n;
        j->starts[i] = i * n;
    }
    for (int i = -warm; i < iterations; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        e->call(j, n);
        if (i >= 0)
            sum += MPI_Wtime() - begin;
    }
    return sum * 1e6 / iterations;
}

static void row(const struct entry *e, const struct job *j, int n, int iterations)
{
    int me;
    double mine = measure(e, j, n, iterations), sum, least, most;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("%-10d %18.2f %18.2f %18.2f %12d\n", n, sum / j->ranks, least, most, iterations);
}

static void table(const struct entry *e, const struct job *j, int from, int to, int iterations)
{
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0)
        printf("# %s, %d ranks\n%-10s %18s %18s %18s %12s\n", e->name, j->ranks, "# Size",
               "Avg Latency(us)", "Min Latency(us)", "Max Latency(us)", "Iterations");
    if (!e->least) {
        row(e, j, 0, iterations);
        return;
    }
    for (int n = from < e->least ? e->least : from; n <= to; n *= 2)
        row(e, j, n, n > 8192 ? iterations / 10 + 1 : iterations);
}

int main(int argc, char **argv)
{
    struct job j;
    const char *what = argc > 1 ? argv[1] : "all";
    int from = 1, to = 1024, iterations = argc > 3 ? atoi(argv[3]) : 1000, found = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &j.ranks);
    if ((argc > 2 && sscanf(argv[2], "%d:%d", &from, &to) != 2) || from < 1 || to < from ||
        iterations < 1) {
        fprintf(stderr, "coll_osu: sizes are min:max with 1 <= min <= max, then iterations >= 1\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    size_t bytes = (size_t)(to < 4 ? 4 : to) * (size_t)j.ranks;
    j.send = calloc(1, bytes);
    j.recv = calloc(1, bytes);
    j.counts = calloc((size_t)j.ranks, sizeof(int));
    j.starts = calloc((size_t)j.ranks, sizeof(int));
    for (int i = 0; i < ENTRIES; i++)
        if (strcmp(what, "all") == 0 || strcmp(what, entries[i].name) == 0) {
            table(&entries[i], &j, from, to, iterations);
            found = 1;
        }
    if (!found) {
        fprintf(stderr, "coll_osu: no collective '%s'; one is allreduce, 'all' are all\n", what);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    free(j.send);
    free(j.recv);
    free(j.counts);
    free(j.starts);
    MPI_Finalize();
    return 0;
}
