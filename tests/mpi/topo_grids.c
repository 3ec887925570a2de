/* SPDX-License-Identifier: MIT */
/* Topologies: grids against arithmetic on coordinates, graphs against their lists. */
#include "check.h"

/* Balanced and never increasing; what is given stays. */
static void dims_create(void)
{
    static const struct {
        int n, k, given[4], want[4];
    } cases[] = {{6, 2, {0, 0}, {3, 2}},
                 {7, 2, {0, 0}, {7, 1}},
                 {6, 3, {0, 3, 0}, {2, 3, 1}},
                 {12, 3, {0, 0, 0}, {3, 2, 2}},
                 {192, 3, {0, 0, 0}, {8, 6, 4}},
                 {16, 3, {0, 0, 0}, {4, 2, 2}},
                 {1, 4, {0, 0, 0, 0}, {1, 1, 1, 1}},
                 {36, 2, {0, 0}, {6, 6}},
                 {2147483647, 2, {0, 0}, {2147483647, 1}},
                 {720720, 2, {0, 0}, {858, 840}},
                 {7488, 3, {0, 0, 0}, {26, 18, 16}}, /* 24 x 24 x 13 is less balanced */
                 {5040, 3, {0, 0, 0}, {21, 16, 15}},
                 {2095133040, 4, {0, 0, 0, 0}, {221, 216, 210, 209}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int dims[4];
        for (int j = 0; j < 4; j++)
            dims[j] = cases[i].given[j];
        CHECK_EQ(MPI_Dims_create(cases[i].n, cases[i].k, dims), MPI_SUCCESS);
        for (int j = 0; j < cases[i].k; j++)
            CHECK_EQ(dims[j], cases[i].want[j]);
    }
}

/* A two-dimensional grid of the first a * b ranks; rows are periodic. */
static void grid(int a, int b, int rank)
{
    int dims[2] = {a, b}, periods[2] = {0, 3}, got[2], wrap[2], coords[2], n, kind;
    MPI_Comm cart, row, point, dup;
    CHECK_EQ(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart), MPI_SUCCESS);
    CHECK_EQ(cart != MPI_COMM_NULL, rank < a * b);
    if (cart == MPI_COMM_NULL)
        return;
    MPI_Topo_test(cart, &kind);
    CHECK_EQ(kind, MPI_CART);
    MPI_Cartdim_get(cart, &n);
    CHECK_EQ(n, 2);
    MPI_Cart_get(cart, 2, got, wrap, coords);
    CHECK(got[0] == a && got[1] == b && wrap[0] == 0 && wrap[1] == 1);
    CHECK(coords[0] == rank / b && coords[1] == rank % b);
    for (int r = 0; r < a * b; r++) {
        int back = -1;
        MPI_Cart_coords(cart, r, 2, got);
        CHECK(got[0] == r / b && got[1] == r % b);
        got[1] += 5 * b * (r % 3 - 1);
        MPI_Cart_rank(cart, got, &back);
        CHECK_EQ(back, r);
    }
    for (int disp = -3; disp <= 3; disp++) {
        int from, to, down = coords[0] + disp, up = coords[0] - disp;
        MPI_Cart_shift(cart, 0, disp, &from, &to);
        CHECK_EQ(to, down < 0 || down >= a ? MPI_PROC_NULL : down * b + coords[1]);
        CHECK_EQ(from, up < 0 || up >= a ? MPI_PROC_NULL : up * b + coords[1]);
        MPI_Cart_shift(cart, 1, disp, &from, &to);
        CHECK_EQ(to, coords[0] * b + (coords[1] + disp + 3 * b) % b);
        CHECK_EQ(from, coords[0] * b + (coords[1] - disp + 3 * b) % b);
    }
    MPI_Cart_sub(cart, (int[]){0, 1}, &row);
    MPI_Comm_rank(row, &n);
    CHECK_EQ(n, coords[1]);
    MPI_Cart_get(row, 1, got, wrap, &n);
    CHECK(got[0] == b && wrap[0] == 1 && n == coords[1]);
    MPI_Cart_sub(cart, (int[]){0, 0}, &point);
    MPI_Comm_size(point, &n);
    CHECK_EQ(n, 1);
    MPI_Cartdim_get(point, &n);
    CHECK_EQ(n, 0);
    MPI_Comm_dup(row, &dup);
    MPI_Cartdim_get(dup, &n);
    CHECK_EQ(n, 1);
    MPI_Comm_free(&row);
    MPI_Comm_free(&point);
    MPI_Comm_free(&cart);
    MPI_Cart_shift(dup, 0, 1, &n, got);
    CHECK_EQ(got[0], (coords[1] + 1) % b);
    MPI_Comm_free(&dup);
}

/* Node i has i + 1 neighbours: 0, 1, ..., i. */
static void graph(int rank, int size)
{
    int index[64], edges[64 * 65 / 2], got[64 * 65 / 2], n = 0, m, nodes = size > 1 ? size - 1 : 1;
    MPI_Comm comm;
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j <= i; j++)
            edges[n++] = j;
        index[i] = n;
    }
    MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 0, &comm);
    CHECK_EQ(comm != MPI_COMM_NULL, rank < nodes);
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Topo_test(comm, &m);
    CHECK_EQ(m, MPI_GRAPH);
    MPI_Graphdims_get(comm, &m, &got[0]);
    CHECK(m == nodes && got[0] == n);
    MPI_Graph_get(comm, nodes, n, index, got);
    for (int i = 0; i < n; i++)
        CHECK_EQ(got[i], edges[i]);
    for (int r = 0; r < nodes; r++) {
        MPI_Graph_neighbors_count(comm, r, &m);
        CHECK_EQ(m, r + 1);
        MPI_Graph_neighbors(comm, r, 64, got);
        for (int j = 0; j <= r; j++)
            CHECK_EQ(got[j], j);
    }
    MPI_Graph_map(comm, 1, (int[]){0}, NULL, &m);
    CHECK_EQ(m, rank == 0 ? 0 : MPI_UNDEFINED);
    MPI_Comm_free(&comm);
}

/* Everyone sends to the next d ranks; the graph is given where it is, and by rank 0 alone. */
static void check_ring(MPI_Comm comm, int rank, int size, int d, int sorted)
{
    int in, out, weighted, from[8], to[8], from_w[8], to_w[8], found = 0;
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    CHECK(in == d && out == d && weighted);
    MPI_Dist_graph_neighbors(comm, d, from, from_w, d, to, to_w);
    for (int i = 0; i < d; i++) {
        CHECK_EQ(to[i], (rank + i + 1) % size);
        CHECK_EQ(to_w[i], 10 * rank + i);
        for (int j = 0; j < d; j++)
            if (from[j] == (rank + 8 * size - i - 1) % size && from_w[j] == 10 * from[j] + i)
                found += sorted ? i == j : 1;
    }
    CHECK_EQ(found, d);
}

static void dist_graph(int rank, int size, int d)
{
    int from[8], to[8], from_w[8], to_w[8], one = rank, n = rank ? 0 : size;
    int *all = malloc((size_t)size * 8 * 4 * sizeof(int)), kind, in, out, weighted;
    MPI_Comm comm;
    for (int i = 0; i < d; i++) {
        to[i] = (rank + i + 1) % size;
        to_w[i] = 10 * rank + i;
        from[i] = (rank + 8 * size - i - 1) % size;
        from_w[i] = 10 * from[i] + i;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, d, from, from_w, d, to, to_w, MPI_INFO_NULL, 0,
                                   &comm);
    MPI_Topo_test(comm, &kind);
    CHECK_EQ(kind, MPI_DIST_GRAPH);
    check_ring(comm, rank, size, d, 1);
    MPI_Comm_free(&comm);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &one, &d, to, to_w, MPI_INFO_NULL, 0, &comm);
    check_ring(comm, rank, size, d, 0);
    MPI_Comm_free(&comm);
    int *degrees = all + size, *there = degrees + size, *weights = there + size * d;
    for (int r = 0; r < n; r++) {
        all[r] = r;
        degrees[r] = d;
        for (int i = 0; i < d; i++) {
            there[r * d + i] = (r + i + 1) % size;
            weights[r * d + i] = 10 * r + i;
        }
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, n, all, degrees, there, n ? weights : MPI_WEIGHTS_EMPTY,
                          MPI_INFO_NULL, 0, &comm);
    check_ring(comm, rank, size, d, 0);
    MPI_Comm_free(&comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    CHECK(in == 0 && out == 0 && weighted == 0);
    MPI_Comm_free(&comm);
    free(all);
}

static void wrong(int size)
{
    MPI_Comm comm;
    int n, dims[2] = {size + 1, 1}, periods[2] = {0, 0}, back[2] = {2, 1};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Dims_create(6, 2, (int[]){4, 0}), MPI_ERR_DIMS);
    CHECK_EQ(MPI_Dims_create(6, 2, (int[]){2, 2}), MPI_ERR_DIMS);
    CHECK_EQ(MPI_Dims_create(0, 2, dims), MPI_ERR_DIMS);
    CHECK_EQ(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm), MPI_ERR_DIMS);
    CHECK_EQ(MPI_Cart_create(MPI_COMM_WORLD, 2, periods, periods, 0, &comm), MPI_ERR_DIMS);
    CHECK_EQ(MPI_Cart_create(MPI_COMM_WORLD, -1, dims, periods, 0, &comm), MPI_ERR_DIMS);
    CHECK_EQ(MPI_Cart_create(MPI_COMM_WORLD, 1, NULL, periods, 0, &comm), MPI_ERR_ARG);
    CHECK_EQ(MPI_Cartdim_get(MPI_COMM_WORLD, &n), MPI_ERR_TOPOLOGY);
    CHECK_EQ(MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &n, &n), MPI_ERR_TOPOLOGY);
    CHECK_EQ(MPI_Graph_neighbors_count(MPI_COMM_WORLD, 0, &n), MPI_ERR_TOPOLOGY);
    CHECK_EQ(MPI_Graph_create(MPI_COMM_WORLD, 2, back, NULL, 0, &comm), MPI_ERR_ARG);
    CHECK_EQ(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &size, &n, &n, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &comm),
             MPI_ERR_RANK);
    n = 0;
    CHECK_EQ(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &n, NULL, 0, NULL, MPI_WEIGHTS_EMPTY,
                                            MPI_INFO_NULL, 0, &comm),
             MPI_ERR_ARG);
    dims[0] = 1;
    MPI_Cart_create(MPI_COMM_SELF, 2, dims, periods, 0, &comm);
    CHECK_EQ(MPI_Cart_shift(comm, 2, 1, &n, &n), MPI_ERR_DIMS);
    CHECK_EQ(MPI_Cart_rank(comm, back, &n), MPI_ERR_ARG);
    CHECK_EQ(MPI_Cart_coords(comm, 1, 2, back), MPI_ERR_RANK);
    CHECK_EQ(MPI_Cart_coords(comm, 0, 1, back), MPI_ERR_ARG);
    CHECK_EQ(MPI_Graphdims_get(comm, &n, &n), MPI_ERR_TOPOLOGY);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size(), status;
    MPI_Topo_test(MPI_COMM_WORLD, &status);
    CHECK_EQ(status, MPI_UNDEFINED);
    dims_create();
    grid(1, size, rank);
    grid(size, 1, rank);
    if (size >= 4)
        grid(2, size / 2, rank);
    graph(rank, size);
    dist_graph(rank, size, size < 4 ? 1 : 3);
    wrong(size);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
