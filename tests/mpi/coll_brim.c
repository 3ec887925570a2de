/* SPDX-License-Identifier: MIT */
/* Allgather, Scan, Exscan and Reduce_scatter_block of a few bytes more and less than a segment has
 * room for, on several communicators, whose segments follow each other: none is written beyond its
 * end. */
#include "check.h"

enum { COMMS = 6, MOST = 256, LONGEST = 80 };

static int me, size;

static void check_allgather(MPI_Comm comm, int count)
{
    static unsigned char out[LONGEST], in[MOST * LONGEST];
    for (int i = 0; i < count; i++)
        out[i] = (unsigned char)(me + i);
    CHECK(MPI_Allgather(out, count, MPI_BYTE, in, count, MPI_BYTE, comm) == MPI_SUCCESS);
    for (int i = 0; i < size * count; i++)
        CHECK_EQ(in[i], (unsigned char)(i / count + i % count));
}

static void check_vectors(MPI_Comm comm, int count)
{
    static unsigned int out[MOST * LONGEST], in[LONGEST];
    unsigned int ranks = (unsigned int)size, before = (unsigned int)(me * (me - 1) / 2);
    unsigned int all = ranks * (ranks - 1) / 2;
    for (int i = 0; i < size * count; i++)
        out[i] = (unsigned int)(me + i);
    CHECK(MPI_Scan(out, in, count, MPI_UNSIGNED, MPI_SUM, comm) == MPI_SUCCESS);
    for (unsigned int i = 0; i < (unsigned int)count; i++)
        CHECK_EQ(in[i], before + (unsigned int)me + ((unsigned int)me + 1) * i);
    CHECK(MPI_Exscan(out, in, count, MPI_UNSIGNED, MPI_SUM, comm) == MPI_SUCCESS);
    for (unsigned int i = 0; me > 0 && i < (unsigned int)count; i++)
        CHECK_EQ(in[i], before + (unsigned int)me * i);
    CHECK(MPI_Reduce_scatter_block(out, in, count, MPI_UNSIGNED, MPI_SUM, comm) == MPI_SUCCESS);
    for (unsigned int i = 0; i < (unsigned int)count; i++)
        CHECK_EQ(in[i], all + ranks * ((unsigned int)(me * count) + i));
}

int main(int argc, char **argv)
{
    MPI_Comm comm[COMMS];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    CHECK(size <= MOST);
    for (int i = 0; i < COMMS; i++)
        CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]) == MPI_SUCCESS);
    for (int i = 0; i < COMMS; i++)
        CHECK(MPI_Barrier(comm[i]) == MPI_SUCCESS);
    for (int count = 0; count <= LONGEST; count += count < 4 ? 1 : size > 20 ? 12 : 3)
        for (int i = 0; i < COMMS; i++) {
            check_allgather(comm[i], count);
            check_vectors(comm[i], count);
        }
    for (int i = 0; i < COMMS; i++)
        CHECK(MPI_Comm_free(&comm[i]) == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
