/* SPDX-License-Identifier: MIT */
/* A master and its workers: who is idle gets the next piece of work. The work is to find the primes
 * in a range; nobody knows beforehand how many a range has, so the master probes for a result, from
 * whom it may be, asks how long it is, and only then receives it. The tag says which range it was;
 * an empty message sends a worker home.
 *     mpicc farm.c -o farm && mpiexec -n 5 ./farm 100000
 *     mpiexec -n 192 --machine mppa256 ./farm
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

enum { RANGE = 250 };

static bool is_prime(int n)
{
    for (int d = 2; d <= n / d; d++)
        if (n % d == 0)
            return false;
    return n > 1;
}

/* The primes of range r into found; how many. */
static int search(int r, int limit, int found[RANGE])
{
    int count = 0;
    for (int n = r * RANGE; n < (r + 1) * RANGE && n < limit; n++)
        if (is_prime(n))
            found[count++] = n;
    return count;
}

static void work(int limit)
{
    int range, found[RANGE], length;
    for (;;) {
        MPI_Status status;
        MPI_Recv(&range, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &length);
        if (length == 0)
            return;
        int count = search(range, limit, found);
        MPI_Send(found, count, MPI_INT, 0, range, MPI_COMM_WORLD);
    }
}

/* Gives a worker the range `next`, or sends it home when there is none; returns the one after. */
static int give(int worker, int next, int ranges)
{
    MPI_Send(&next, next < ranges, MPI_INT, worker, next, MPI_COMM_WORLD);
    return next < ranges ? next + 1 : next;
}

/* Takes one result from whoever has one, adds its primes to *sum and their number to *primes;
 * returns who it was. */
static int take(long long *sum, int *primes)
{
    MPI_Status status;
    int count;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    int *found = malloc(((size_t)count + 1) * sizeof *found);
    if (!found)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Recv(found, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++) {
        /* A result that was not of its range would be a mix-up of messages. */
        if (found[i] / RANGE != status.MPI_TAG)
            MPI_Abort(MPI_COMM_WORLD, 4);
        *sum += found[i];
    }
    *primes += count;
    free(found);
    return status.MPI_SOURCE;
}

static int master(int workers, int limit)
{
    int ranges = (limit + RANGE - 1) / RANGE, next = 0, primes = 0, own[RANGE];
    long long sum = 0, expected = 0;
    for (int i = 1; i <= workers; i++)
        next = give(i, next, ranges);
    for (int busy = next; busy > 0; busy--) {
        int before = next, worker = take(&sum, &primes);
        next = give(worker, next, ranges);
        busy += next > before;
    }
    for (int r = 0; r < ranges; r++) {
        int count = search(r, limit, own);
        for (int i = 0; i < count; i++)
            expected += own[i];
        if (workers == 0)
            primes += count;
    }
    if (workers == 0)
        sum = expected;
    printf("%d primes below %d, their sum %lld: %s; %d ranges, %d workers\n", primes, limit, sum,
           sum == expected ? "as a serial run" : "WRONG", ranges, workers);
    return sum != expected;
}

int main(int argc, char **argv)
{
    int rank, size, code = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int limit = argc > 1 ? atoi(argv[1]) : 20000;
    if (rank == 0)
        code = master(size - 1, limit);
    else
        work(limit);
    MPI_Finalize();
    return code;
}
