/* SPDX-License-Identifier: MIT */
/* Where nothing interrupts a rank, its helper sees to what comes: messages and nonblocking
 * collectives become complete although their ranks call MPI no more until they see the result. A
 * rank that gets none waits for ever. */
#include <sched.h>
#include <string.h>

#include "check.h"

enum { BYTES = 1 << 20, NUMBERS = 20000, ROUNDS = 5 };

static int rank, ranks;

/* Computes, or nearly: what it waits for is written by the process itself, in another thread. */
static void until(const volatile char *byte, char value)
{
    while (*byte != value)
        sched_yield();
}

static void exchange(int round)
{
    static char in[BYTES], out[BYTES];
    MPI_Request q[2];
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    memset(in, 0, BYTES);
    memset(out, 100 + round, BYTES);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(in, BYTES, MPI_CHAR, left, 0, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(out, BYTES, MPI_CHAR, right, 0, MPI_COMM_WORLD, &q[1]);
    for (int i = 0; i < BYTES; i++)
        until(&in[i], (char)(100 + round));
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

/* Runs on the helper, and may ask MPI all the same. */
static void add(void *a, void *b, int *n, MPI_Datatype *type)
{
    const int *more = a;
    int *sum = b, size;
    MPI_Type_size(*type, &size);
    CHECK_EQ(size, (int)sizeof(int));
    for (int i = 0; i < *n; i++)
        sum[i] += more[i];
}

static void reduce(int round, MPI_Op op)
{
    static int mine[NUMBERS], sum[NUMBERS];
    char first;
    int all = 0;
    MPI_Request q[2];
    for (int i = 0; i < ranks; i++)
        all += i + round + 1;
    memcpy(&first, &all, 1);
    for (int i = 0; i < NUMBERS; i++) {
        mine[i] = rank + round + 1;
        sum[i] = -1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iallreduce(mine, sum, NUMBERS, MPI_INT, op, MPI_COMM_WORLD, &q[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &q[1]);
    for (int i = 0; i < NUMBERS; i++)
        until((const char *)&sum[i], first);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    for (int i = 0; i < NUMBERS; i++)
        CHECK_EQ(sum[i], all);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Op op;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Op_create(add, 1, &op);
    for (int round = 0; round < ROUNDS; round++) {
        exchange(round);
        reduce(round, MPI_SUM);
        reduce(round, op);
    }
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
