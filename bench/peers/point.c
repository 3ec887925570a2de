/* SPDX-License-Identifier: MIT */
/* How one point is measured: batches, each as long as the clock needs to be exact, and their
 * median. All ranks decide alike, for what they decide by is reduced over all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

enum { SAMPLES = 11, LEAST_SAMPLES = 3, MOST_TIMES = 1 << 24 };

static void say(const struct peers *p, const char *kind, const char *series, size_t bytes)
{
    if (p->rank != 0)
        return;
    printf("%s,%s,%zu\n", kind, series, bytes);
    fflush(stdout);
}

/* Seconds of a batch on its slowest rank; *elapsed: since `begin`, where most time has passed. */
static double sample(peers_batch *batch, void *arg, int times, double begin, double *elapsed)
{
    double mine[2], most[2];

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    batch(arg, times);
    double end = MPI_Wtime();
    mine[0] = end - start;
    mine[1] = end - begin;
    MPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    *elapsed = most[1];
    return most[0];
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *value, int n)
{
    qsort(value, (size_t)n, sizeof *value, ascending);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

void peers_tell(const struct peers *p, const char *series, size_t bytes, double *taken, int n)
{
    if (p->rank != 0)
        return;
    printf("point,%s,%zu,%.9g\n", series, bytes, median(taken, n));
    fflush(stdout);
}

/* The repetitions that fill a sample. Finding them is the warm-up. */
static int repetitions(const struct peers *p, peers_batch *batch, void *arg, double begin,
                       double *elapsed)
{
    int times = 1;

    *elapsed = 0;
    while (*elapsed < p->seconds && times < MOST_TIMES &&
           sample(batch, arg, times, begin, elapsed) < p->seconds / (SAMPLES + 5))
        times *= 2;
    return times;
}

void peers_point(const struct peers *p, const char *series, size_t bytes, peers_batch *batch,
                 void *arg, double scale)
{
    double taken[SAMPLES], elapsed;
    int n = 0;

    /* The first call, in which memory is touched and connections are made, counts for nothing:
     * neither as a sample nor in the time that a point may take. */
    sample(batch, arg, 1, 0, &elapsed);

    double begin = MPI_Wtime();
    int times = repetitions(p, batch, arg, begin, &elapsed);
    do
        taken[n++] = sample(batch, arg, times, begin, &elapsed) / times;
    while (n < SAMPLES && elapsed < (n < LEAST_SAMPLES ? 3 : 1) * p->seconds);
    for (int i = 0; i < n; i++)
        taken[i] *= scale;
    peers_tell(p, series, bytes, taken, n);
}

/* NULL: every series is. */
static bool named(const char *names, const char *series)
{
    size_t length = strlen(series);

    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, series, length) == 0 && (!at[length] || at[length] == ','))
            return true;
    return !names;
}

static bool left_out(const char *leave, const char *series, size_t bytes)
{
    size_t length = strlen(series);

    for (const char *at = leave; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, series, length) == 0 && at[length] == ':' &&
            bytes == strtoul(at + length + 1, NULL, 10))
            return true;
    return false;
}

bool peers_wanted(const struct peers *p, const char *series, size_t bytes, double each)
{
    if (!named(p->only, series) || left_out(p->leave, series, bytes))
        return false;
    bool fits = each * p->ranks <= p->memory;
    say(p, fits ? "begin" : "skip", series, bytes);
    return fits;
}

void *peers_memory(size_t n)
{
    size_t doubles = n / sizeof(double) + 1;
    double *memory = malloc(doubles * sizeof *memory);

    if (!memory) {
        fprintf(stderr, "peers: no memory for %zu bytes\n", n);
        MPI_Abort(MPI_COMM_WORLD, 3);
        exit(3);
    }
    for (size_t i = 0; i < doubles; i++)
        memory[i] = 1;
    return memory;
}

void peers_check(bool right, const char *series, size_t bytes)
{
    if (right)
        return;
    fprintf(stderr, "peers: %s of %zu bytes came out wrong\n", series, bytes);
    MPI_Abort(MPI_COMM_WORLD, 4);
    exit(4);
}
