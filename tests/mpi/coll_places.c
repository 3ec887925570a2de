/* SPDX-License-Identifier: MIT */
/* Collectives whose data lies anywhere: relative to MPI_BOTTOM, by displacements or by types. */
#include "check.h"

enum { N = 3 };

static void prepare(int *out, int *in)
{
    int size = world_size(), rank = world_rank();
    for (int i = 0; i < size * N; i++) {
        out[i] = rank * 1000 + i;
        in[i] = -1;
    }
}

static void check_exchanged(const int *in)
{
    int size = world_size(), rank = world_rank();
    for (int i = 0; i < size; i++)
        for (int k = 0; k < N; k++)
            CHECK_EQ(in[i * N + k], i * 1000 + rank * N + k);
}

static MPI_Datatype at(int *data)
{
    MPI_Datatype t;
    MPI_Aint address;
    MPI_Get_address(data, &address);
    MPI_Type_create_hindexed_block(1, N, &address, MPI_INT, &t);
    MPI_Type_commit(&t);
    return t;
}

static void by_types(int *out, int *in)
{
    int size = world_size();
    int *ones = malloc((size_t)size * sizeof *ones), *zeros = calloc((size_t)size, sizeof *zeros);
    MPI_Datatype *from = malloc((size_t)size * sizeof *from);
    MPI_Datatype *to = malloc((size_t)size * sizeof *to);
    for (int i = 0; i < size; i++) {
        ones[i] = 1;
        from[i] = at(out + i * N);
        to[i] = at(in + i * N);
    }
    prepare(out, in);
    CHECK_EQ(
        MPI_Alltoallw(MPI_BOTTOM, ones, zeros, from, MPI_BOTTOM, ones, zeros, to, MPI_COMM_WORLD),
        MPI_SUCCESS);
    check_exchanged(in);
    for (int i = 0; i < size; i++) {
        MPI_Type_free(&from[i]);
        MPI_Type_free(&to[i]);
    }
    free(ones);
    free(zeros);
    free(from);
    free(to);
}

/* A ring of all: a neighbour on each side, blocks at absolute displacements. */
static void by_displacements(int *out, int *in)
{
    int size = world_size();
    MPI_Comm ring;
    int ring_size[1] = {size}, periodic[1] = {1}, counts[2] = {N, N}, down, up;
    MPI_Aint from[2], to[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    CHECK_EQ(MPI_Cart_create(MPI_COMM_WORLD, 1, ring_size, periodic, 0, &ring), MPI_SUCCESS);
    MPI_Cart_shift(ring, 0, 1, &down, &up);
    for (int i = 0; i < 2; i++) {
        MPI_Get_address(out + i * N, &from[i]);
        MPI_Get_address(in + i * N, &to[i]);
    }
    prepare(out, in);
    CHECK_EQ(MPI_Neighbor_alltoallw(MPI_BOTTOM, counts, from, types, MPI_BOTTOM, counts, to, types,
                                    ring),
             MPI_SUCCESS);
    for (int k = 0; k < N; k++) {
        CHECK_EQ(in[k], down * 1000 + N + k);
        CHECK_EQ(in[N + k], up * 1000 + k);
    }
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int size = world_size(), rank = world_rank();
    int n = size < 2 ? 2 : size;
    int *out = malloc((size_t)(n * N) * sizeof *out), *in = malloc((size_t)(n * N) * sizeof *in);
    by_types(out, in);
    for (int i = size * N; i < n * N; i++)
        out[i] = rank * 1000 + i;
    by_displacements(out, in);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
