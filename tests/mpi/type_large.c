/* SPDX-License-Identifier: MIT */
/* Data with gaps, too large to be packed in the memory that a cluster has: it travels in parts. All
 * pairs of layouts: type_large [bytes]. */
#include <stdbool.h>

#include "check.h"

#define BLOCK 3

/* Every second int of a block of 6, `n` of them; contents by number. */
static MPI_Datatype vector(int n)
{
    MPI_Datatype t;
    MPI_Type_vector(n / BLOCK, BLOCK, 2 * BLOCK, MPI_INT, &t);
    MPI_Type_commit(&t);
    return t;
}

static int *place(int *buf, int i, bool gaps)
{
    return gaps ? &buf[i / BLOCK * 2 * BLOCK + i % BLOCK] : &buf[i];
}

static void pass(int n, bool from_gaps, bool to_gaps, int part)
{
    int rank = world_rank(), got;
    MPI_Datatype t = vector(n);
    int *buf = malloc((size_t)n * 2 * sizeof *buf);
    MPI_Status s;
    for (int i = 0; i < 2 * n; i++)
        buf[i] = -1;
    if (rank == 0) {
        for (int i = 0; i < n; i++)
            *place(buf, i, from_gaps) = i * 7 + part;
        MPI_Send(buf, from_gaps ? 1 : n, from_gaps ? t : MPI_INT, 1, part, MPI_COMM_WORLD);
    } else {
        MPI_Recv(buf, to_gaps ? 1 : n, to_gaps ? t : MPI_INT, 0, part, MPI_COMM_WORLD, &s);
        MPI_Get_count(&s, MPI_INT, &got);
        CHECK_EQ(got, n);
        for (int i = 0; i < n; i++)
            CHECK_EQ(*place(buf, i, to_gaps), i * 7 + part);
        if (to_gaps)
            CHECK_EQ(buf[BLOCK], -1);
    }
    free(buf);
    MPI_Type_free(&t);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = (argc > 1 ? atoi(argv[1]) : 1200000) / (int)sizeof(int) / BLOCK * BLOCK, part = 0;
    if (world_rank() < 2)
        for (int k = 0; k < 4; k++)
            for (int m = BLOCK; m <= n; m = m < n && m * 40 > n ? n : m * 40)
                pass(m, k & 1, k & 2, part++);
    MPI_Finalize();
    return 0;
}
