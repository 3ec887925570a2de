/* SPDX-License-Identifier: MIT */
/* Defect 2 of the ancestor: receives from any source failed, and the status repeated what was
 * asked for instead of what came. */
#include "check.h"

#define ROUNDS 3

static void send_all(int rank)
{
    for (int i = 0; i < ROUNDS; i++) {
        int words[40] = {rank, i};
        int n = 2 + (rank + i) % 39; /* eager and rendezvous */
        MPI_Send(words, n, MPI_INT, 0, 100 * rank + i, MPI_COMM_WORLD);
    }
}

static void take_any(int size)
{
    int seen[ROUNDS] = {0};
    for (int k = 0; k < (size - 1) * ROUNDS; k++) {
        int words[40] = {-1, -1}, n = -1;
        MPI_Status s = {.MPI_SOURCE = -99, .MPI_TAG = -99, .MPI_ERROR = 4711};
        CHECK_EQ(MPI_Recv(words, 40, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s),
                 MPI_SUCCESS);
        CHECK_EQ(s.MPI_SOURCE, words[0]);
        CHECK_EQ(s.MPI_TAG, 100 * words[0] + words[1]);
        CHECK_EQ(s.MPI_ERROR, 4711);
        MPI_Get_count(&s, MPI_INT, &n);
        CHECK_EQ(n, 2 + (words[0] + words[1]) % 39);
        MPI_Get_count(&s, MPI_BYTE, &n);
        CHECK_EQ(n, 4 * (2 + (words[0] + words[1]) % 39));
        seen[words[1]]++;
    }
    for (int i = 0; i < ROUNDS; i++)
        CHECK_EQ(seen[i], size - 1);
}

/* One of the two wild. */
static void half_wild(int rank, int size)
{
    int word = rank;
    if (rank) {
        MPI_Request q;
        MPI_Isend(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &q);
        MPI_Send(&word, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        return;
    }
    for (int k = 1; k < size; k++) {
        MPI_Status s;
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &s);
        CHECK_EQ(s.MPI_TAG, 8);
        CHECK_EQ(s.MPI_SOURCE, word);
    }
    for (int k = size - 1; k > 0; k--) {
        MPI_Status s;
        MPI_Recv(&word, 1, MPI_INT, k, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
        CHECK_EQ(s.MPI_TAG, 7);
        CHECK_EQ(word, k);
    }
}

static void nobody(void)
{
    int n = -1;
    MPI_Status s = {.MPI_ERROR = 4711};
    CHECK_EQ(MPI_Recv(&n, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &s), MPI_SUCCESS);
    CHECK_EQ(s.MPI_SOURCE, MPI_PROC_NULL);
    CHECK_EQ(s.MPI_TAG, MPI_ANY_TAG);
    CHECK_EQ(s.MPI_ERROR, 4711);
    MPI_Get_count(&s, MPI_INT, &n);
    CHECK_EQ(n, 0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    if (rank)
        send_all(rank);
    else
        take_any(size);
    MPI_Barrier(MPI_COMM_WORLD);
    half_wild(rank, size);
    nobody();
    MPI_Finalize();
    return 0;
}
