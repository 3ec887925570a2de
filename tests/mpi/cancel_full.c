/* SPDX-License-Identifier: MIT */
/* Sends that are taken back while there is no memory left for messages: each ends, cancelled,
 * whatever its receiver does, and the others arrive. Rank 0 sends to rank 1, beside it in its
 * cluster where there are clusters. */
#include "check.h"

enum { SHORTS = 3000, LONG = 8192, SPARE = 64 << 10, BLOCKS = 64 };

/* Most of what a rank may have, where that is little. What is left is for the library. */
static int take(void **block)
{
    int n = 0;
    while (n < BLOCKS && (block[n] = malloc(SPARE)))
        n++;
    for (int spare = 0; n > 0 && spare < 2 && n < BLOCKS; spare++)
        free(block[--n]);
    return n;
}

/* A message that rank 1 never asks for is sent, and taken back. */
static void cancel(int rank, int bytes, int tag)
{
    static unsigned char buf[LONG];
    MPI_Request q;
    MPI_Status s;
    int cancelled, received = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        fill(buf, bytes, 0, tag);
        MPI_Issend(buf, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &q);
        MPI_Cancel(&q);
        MPI_Wait(&q, &s);
        MPI_Test_cancelled(&s, &cancelled);
        CHECK_EQ(cancelled, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Iprobe(0, tag, MPI_COMM_WORLD, &received, MPI_STATUS_IGNORE);
    CHECK_EQ(received, 0);
}

/* Messages lie at rank 1 until there is no cell left for one more. */
static void behind_many(int rank)
{
    static int value[SHORTS], got;
    static MPI_Request q[SHORTS];
    for (int i = 0; i < SHORTS && rank == 0; i++) {
        value[i] = i;
        MPI_Isend(&value[i], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &q[i]);
    }
    cancel(rank, LONG, 4);
    for (int i = 0; i < SHORTS && rank == 1; i++) {
        MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQ(got, i);
    }
    if (rank == 0)
        MPI_Waitall(SHORTS, q, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    static void *block[BLOCKS];
    MPI_Init(&argc, &argv);
    int rank = world_rank();
    behind_many(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    int blocks = take(block);
    cancel(rank, 8, 1);
    cancel(rank, LONG, 2);
    while (blocks > 0)
        free(block[--blocks]);
    MPI_Finalize();
    return 0;
}
