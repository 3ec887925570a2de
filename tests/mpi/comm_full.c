/* SPDX-License-Identifier: MIT */
/* One rank has no memory left for a communicator: all ranks of the call have the same error, go on
 * together, and the same call succeeds when there is memory again. */
#include <string.h>

#include "check.h"
#include "full.h"

static MPI_Comm inter, half, part;
static MPI_Group everybody;
static int rank, size;

static int dup(MPI_Comm *made)
{
    return MPI_Comm_dup(MPI_COMM_WORLD, made);
}

static int split(MPI_Comm *made)
{
    return MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, made);
}

static int create(MPI_Comm *made)
{
    return MPI_Comm_create(half, everybody, made);
}

static int cart(MPI_Comm *made)
{
    int dims[] = {size}, periods[] = {1};
    return MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, made);
}

static int merge(MPI_Comm *made)
{
    return MPI_Intercomm_merge(inter, rank % 2, made);
}

static int dup_inter(MPI_Comm *made)
{
    return MPI_Comm_dup(inter, made);
}

static int idup(MPI_Comm *made)
{
    MPI_Request request;
    int rc = MPI_Comm_idup(half, made, &request);
    if (rc == MPI_SUCCESS)
        rc = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rc != MPI_SUCCESS)
        *made = MPI_COMM_NULL;
    return rc;
}

static int intercomm(MPI_Comm *made)
{
    return MPI_Intercomm_create(part, 0, half, !(rank % 2), 7, made);
}

static int graph(MPI_Comm *made)
{
    static const int indx[] = {1, 2}, edges[] = {1, 0};
    int rc = MPI_Graph_create(half, 2, indx, edges, 0, made);
    return rank < 2 || rc != MPI_SUCCESS ? rc : MPI_Comm_dup(MPI_COMM_SELF, made);
}

static int adjacent(MPI_Comm *made)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    return MPI_Dist_graph_create_adjacent(half, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                          MPI_UNWEIGHTED, MPI_INFO_NULL, 0, made);
}

static const struct {
    const char *name;
    int (*make)(MPI_Comm *made);
} ways[] = {{"dup", dup},
            {"split", split},
            {"create", create},
            {"cart", cart},
            {"merge", merge},
            {"dup_inter", dup_inter},
            {"intercomm", intercomm},
            {"graph", graph},
            {"adjacent", adjacent},
            {"idup", idup}};

int main(int argc, char **argv)
{
    MPI_Comm made;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &half);
    MPI_Comm_group(half, &everybody);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, !(rank % 2), 0, &inter);
    for (unsigned w = 0; w < sizeof ways / sizeof ways[0]; w++)
        for (int poor = 0; poor < size; poor += size - 1) {
            if (argc > 1 && strcmp(argv[1], ways[w].name) != 0)
                continue;
            MPI_Barrier(MPI_COMM_WORLD);
            struct piece *all = rank == poor ? take_all() : NULL;
            CHECK_EQ(ways[w].make(&made), MPI_ERR_NO_MEM);
            CHECK(made == MPI_COMM_NULL);
            give_all(all);
            MPI_Barrier(MPI_COMM_WORLD);
            CHECK_EQ(ways[w].make(&made), MPI_SUCCESS);
            MPI_Barrier(made);
            MPI_Comm_free(&made);
        }
    MPI_Group_free(&everybody);
    MPI_Comm_free(&half);
    MPI_Comm_free(&part);
    MPI_Comm_free(&inter);
    MPI_Finalize();
    return 0;
}
