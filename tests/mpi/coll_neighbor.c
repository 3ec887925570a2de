/* SPDX-License-Identifier: MIT */
/* Neighbourhood collectives: on grids with and without borders, also so narrow that a rank is its
 * own or twice the same neighbour, and on graphs with several arcs between the same ranks. */
#include "coll.h"

/* Element of rank r that goes out along direction d (0: down, 1: up, of each dimension). */
static int sent(int r, int d, int i)
{
    return r * 100 + d * 10 + i;
}

static void grid(enum form form, int rows, int columns, int wraps)
{
    int dims[2] = {rows, columns}, periods[2] = {wraps, wraps}, out[8], in[8], from[4], me;
    int counts[4] = {2, 2, 2, 2}, at[4] = {0, 2, 4, 6};
    MPI_Aint bytes[4] = {0, 8, 16, 24};
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    if (cart == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(cart, &me);
    for (int d = 0; d < 2; d++)
        MPI_Cart_shift(cart, d, 1, &from[2 * d], &from[2 * d + 1]);
    for (int i = 0; i < 8; i++)
        out[i] = sent(me, i / 2, i % 2);
    for (int variant = 0; variant < 5; variant++) {
        memset(in, 0, sizeof in);
        if (variant == 0)
            COLL(form, Neighbor_alltoall, Ineighbor_alltoall, out, 2, MPI_INT, in, 2, MPI_INT,
                 cart);
        else if (variant == 1)
            COLL(form, Neighbor_alltoallv, Ineighbor_alltoallv, out, counts, at, MPI_INT, in,
                 counts, at, MPI_INT, cart);
        else if (variant == 2)
            COLL(form, Neighbor_alltoallw, Ineighbor_alltoallw, out, counts, bytes, types, in,
                 counts, bytes, types, cart);
        else if (variant == 3)
            COLL(form, Neighbor_allgather, Ineighbor_allgather, out, 2, MPI_INT, in, 2, MPI_INT,
                 cart);
        else
            COLL(form, Neighbor_allgatherv, Ineighbor_allgatherv, out, 2, MPI_INT, in, counts, at,
                 MPI_INT, cart);
        for (int i = 0; i < 8; i++) {
            int d = variant < 3 ? (i / 2) ^ 1 : 0; /* from below comes what went up */
            CHECK_EQ(in[i], from[i / 2] == MPI_PROC_NULL ? 0 : sent(from[i / 2], d, i % 2));
        }
    }
    MPI_Comm_free(&cart);
}

/* Everyone sends twice to the next rank and once to the one after it. */
static void graph(enum form form)
{
    int n = world_size(), me = world_rank(), in[3];
    int to[3] = {(me + 1) % n, (me + 1) % n, (me + 2) % n};
    int from[3] = {(me + n - 1) % n, (me + n - 1) % n, (me + 2 * n - 2) % n};
    int out[3] = {sent(me, 0, 0), sent(me, 1, 0), sent(me, 2, 0)};
    int weights[3] = {1, 1, 1};
    MPI_Comm comm;
    if (n < 3)
        return;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, from, weights, 3, to, weights, MPI_INFO_NULL,
                                   0, &comm);
    COLL(form, Neighbor_alltoall, Ineighbor_alltoall, out, 1, MPI_INT, in, 1, MPI_INT, comm);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(in[i], sent(from[i], i, 0));
    COLL(form, Neighbor_allgather, Ineighbor_allgather, out, 1, MPI_INT, in, 1, MPI_INT, comm);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(in[i], sent(from[i], 0, 0));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = world_size();
    for (enum form form = BLOCKING; form < FORMS; form++) {
        for (int wraps = 0; wraps < 2; wraps++) {
            grid(form, 1, n, wraps);
            grid(form, n, 1, wraps);
            if (n > 1)
                grid(form, 2, n / 2, wraps);
        }
        graph(form);
    }
    MPI_Finalize();
    return 0;
}
