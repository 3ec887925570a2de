/* SPDX-License-Identifier: MIT */
/* Ranks that bind themselves to one processor after MPI_Init, where each had its own: who waits or
 * asks in vain must let the other run, at once and not at the end of its time slice. What counts is
 * processor time, which other programs do not change much, of the best of many batches: some of
 * them are disturbed all the same. Two ranks. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "check.h"

enum { BATCHES = 40, MESSAGES = 50 };
#define MOST 40e-6 /* seconds of processor time per message, as against 2e-6; a slice has 3e-3 */

static void by_wait(int rank, bool sends)
{
    int x = 0;
    if (sends)
        MPI_Send(&x, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&x, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static MPI_Request begun(int rank, bool sends, int *x)
{
    MPI_Request q;
    if (sends)
        MPI_Isend(x, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &q);
    else
        MPI_Irecv(x, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &q);
    return q;
}

static void by_test(int rank, bool sends)
{
    int x = 0, done = 0;
    MPI_Request q = begun(rank, sends, &x);
    while (!done)
        MPI_Test(&q, &done, MPI_STATUS_IGNORE);
}

static void by_testany(int rank, bool sends)
{
    int x = 0, done = 0, which;
    MPI_Request q[2] = {MPI_REQUEST_NULL, begun(rank, sends, &x)};
    while (!done)
        MPI_Testany(2, q, &which, &done, MPI_STATUS_IGNORE);
    CHECK_EQ(which, 1);
}

static void by_probe(int rank, bool sends)
{
    int there = sends;
    while (!there)
        MPI_Iprobe(!rank, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    by_wait(rank, sends);
}

static double processor_time(void)
{
    struct rusage u;
    getrusage(RUSAGE_THREAD, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* All to the first processor that this thread may use. */
static void bind_here(void)
{
    cpu_set_t all, one;
    int cpu = 0;
    CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    MPI_Bcast(&cpu, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static double best_batch(int rank, void (*way)(int rank, bool sends))
{
    double best = 1e9;
    for (int b = 0; b < BATCHES; b++) {
        double took = -processor_time();
        for (int i = 0; i < MESSAGES; i++)
            way(rank, (i + rank) % 2);
        took += processor_time();
        best = took < best ? took : best;
    }
    return best / MESSAGES;
}

int main(int argc, char **argv)
{
    static void (*const ways[])(int rank, bool sends) = {by_wait, by_test, by_testany, by_probe};
    MPI_Init(&argc, &argv);
    int rank = world_rank();
    CHECK_EQ(world_size(), 2);
    bind_here();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        double took = best_batch(rank, ways[i]);
        if (took > MOST)
            printf("way %zu, rank %d: %g us of processor time per message\n", i, rank, took * 1e6);
        CHECK(took <= MOST);
    }
    MPI_Finalize();
    return 0;
}
