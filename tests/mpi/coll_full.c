/* SPDX-License-Identifier: MIT */
/* A cluster has no memory left when a short collective comes, the first of its communicator or a
 * later one: nobody waits for ranks that could not take part, an operation that needs all fails on
 * all or on none, and with memory the next one has its result. */
#include "check.h"
#include "full.h"

static int rank, size, data[64], places[64], result[64];

static int barrier(MPI_Comm c)
{
    return MPI_Barrier(c);
}

static int allreduce(MPI_Comm c)
{
    return MPI_Allreduce(data, result, 1, MPI_INT, MPI_SUM, c);
}

static int allgather(MPI_Comm c)
{
    return MPI_Allgather(data, 1, MPI_INT, result, 1, MPI_INT, c);
}

static int alltoall(MPI_Comm c)
{
    return MPI_Alltoall(data, 1, MPI_INT, result, 1, MPI_INT, c);
}

static int reduce(MPI_Comm c)
{
    return MPI_Reduce(data, result, 1, MPI_INT, MPI_SUM, size - 1, c);
}

static int scan(MPI_Comm c)
{
    return MPI_Scan(data, result, 1, MPI_INT, MPI_SUM, c);
}

static int exscan(MPI_Comm c)
{
    return MPI_Exscan(data, result, 1, MPI_INT, MPI_SUM, c);
}

static int bcast(MPI_Comm c)
{
    result[0] = rank == 0 ? size : 0;
    return MPI_Bcast(result, 1, MPI_INT, 0, c);
}

static int end(int rc, MPI_Request *request)
{
    return rc == MPI_SUCCESS ? MPI_Wait(request, MPI_STATUS_IGNORE) : rc;
}

static int ibarrier(MPI_Comm c)
{
    MPI_Request request;
    return end(MPI_Ibarrier(c, &request), &request);
}

static int iallreduce(MPI_Comm c)
{
    MPI_Request request;
    return end(MPI_Iallreduce(data, result, 1, MPI_INT, MPI_SUM, c, &request), &request);
}

/* Whose arrays of counts are copied. */
static int ialltoallv(MPI_Comm c)
{
    MPI_Request request;
    return end(
        MPI_Ialltoallv(data, data, places, MPI_INT, result, data, places, MPI_INT, c, &request),
        &request);
}

static const struct {
    int (*does)(MPI_Comm c);
    int needs_all; /* if one rank has an error, each has */
} operations[] = {{barrier, 1},   {ibarrier, 1}, {allreduce, 1},  {iallreduce, 1},
                  {allgather, 1}, {alltoall, 1}, {ialltoallv, 1}, {reduce, 0},
                  {scan, 0},      {exscan, 0},   {bcast, 0}};

#define OPERATIONS (int)(sizeof operations / sizeof operations[0])

/* What rank `rank` has of operation i if each gives ones, and the root of the broadcast its size;
 * -1: nothing. */
static int expected(int i)
{
    int of_all[] = {
        -1,  -1, size, size, 1, 1, 1, rank == size - 1 ? size : -1, rank + 1, rank ? rank : -1,
        size};
    return of_all[i];
}

static void check_result(int i)
{
    if (expected(i) >= 0)
        CHECK_EQ(result[0], expected(i));
}

static void try(int i, int poor, int met)
{
    MPI_Comm c;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    if (met)
        operations[i].does(c);
    struct piece *all = rank == poor ? take_all() : NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    int rc = operations[i].does(c), most;
    CHECK(rc == MPI_SUCCESS || rc == MPI_ERR_NO_MEM);
    if (rc == MPI_SUCCESS)
        check_result(i);
    give_all(all);
    MPI_Allreduce(&rc, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (operations[i].needs_all)
        CHECK_EQ(rc != MPI_SUCCESS, most != MPI_SUCCESS);
    CHECK_EQ(operations[i].does(c), MPI_SUCCESS);
    check_result(i);
    MPI_Comm_free(&c);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    rank = world_rank();
    size = world_size();
    for (int i = 0; i < size; i++)
        data[i] = 1, places[i] = i;
    /* What these need on all ranks is there, as they have met. */
    for (int i = 0; i < OPERATIONS; i++)
        operations[i].does(MPI_COMM_WORLD);
    for (int i = 0; i < OPERATIONS; i++)
        for (int poor = 0; poor < size; poor += size - 1)
            for (int met = 0; met < 2; met++)
                try(i, poor, met);
    MPI_Finalize();
    return 0;
}
