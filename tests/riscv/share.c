/* SPDX-License-Identifier: MIT */
/* Ranks that share a core in user mode send to each other all the time, while ticks come anywhere:
 * what libmpi keeps for neighbours without a lock is never found half changed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 200, TAGS = 3 };

static void wrong(int me, int round, int from, int got)
{
    printf("rank %d, round %d: %d from %d\n", me, round, got, from);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Each sends to each other one, of changing tags, and takes what comes in any order. */
static void exchange(int me, int n, int round)
{
    MPI_Request sent[16];
    int data[16], count = 0;
    for (int to = 0; to < n; to++)
        if (to != me) {
            data[to] = round * n + me;
            MPI_Isend(&data[to], 1, MPI_INT, to, round % TAGS, MPI_COMM_WORLD, &sent[count++]);
        }
    for (int i = 0; i < n - 1; i++) {
        MPI_Status s;
        int got = -1;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, round % TAGS, MPI_COMM_WORLD, &s);
        if (got % n != s.MPI_SOURCE || got / n % TAGS != round % TAGS)
            wrong(me, round, s.MPI_SOURCE, got);
    }
    MPI_Waitall(count, sent, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int me, n, sum, rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; i < rounds; i++) {
        exchange(me, n, i);
        MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (sum != n * (n - 1) / 2)
            wrong(me, i, -1, sum);
    }
    MPI_Finalize();
    return 0;
}
