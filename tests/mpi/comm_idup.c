/* SPDX-License-Identifier: MIT */
/* MPI_Comm_idup: goes on while its ranks do other things, several at once, in another order of
 * waiting on each rank; a communicator freed while messages are under way. */
#include "check.h"

#define MANY 20

static void ring(MPI_Comm comm, int number)
{
    int rank, size, got = -1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int to = (rank + 1) % size, from = (rank + size - 1) % size, mine = rank * 100 + number;
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, from, 0, comm, &request);
    MPI_Send(&mine, 1, MPI_INT, to, 0, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQ(got, from * 100 + number);
}

/* The last rank joins only after it heard from rank 0, who has called already. */
static void late(int rank, int size)
{
    MPI_Comm comm;
    MPI_Request request;
    int word = 1;
    if (rank == size - 1 && size > 1)
        MPI_Recv(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request), MPI_SUCCESS);
    if (rank == 0 && size > 1)
        MPI_Send(&word, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(request == MPI_REQUEST_NULL);
    ring(comm, 7);
    MPI_Comm_free(&comm);
}

static void several(int rank)
{
    MPI_Comm comm[MANY], nested;
    MPI_Request request[MANY];
    for (int i = 0; i < MANY; i++)
        MPI_Comm_idup(MPI_COMM_WORLD, &comm[i], &request[i]);
    MPI_Comm_dup(MPI_COMM_WORLD, &nested); /* between them */
    for (int i = 0; i < MANY; i++) {
        int at = rank % 2 ? i : MANY - 1 - i;
        MPI_Wait(&request[at], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < MANY; i++)
        ring(comm[i], i);
    ring(nested, MANY);
    for (int i = 0; i < MANY; i++)
        MPI_Comm_free(&comm[i]);
    MPI_Comm_free(&nested);
}

static void inter(int rank, int size)
{
    MPI_Comm half, there, dup;
    MPI_Request request;
    int low = rank < size / 2, n, got = -1, mine = rank, result;
    MPI_Comm_split(MPI_COMM_WORLD, low, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? size / 2 : 0, 0, &there);
    MPI_Comm_idup(there, &dup, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_compare(there, dup, &result);
    CHECK_EQ(result, MPI_CONGRUENT);
    MPI_Comm_rank(dup, &n);
    if (n == 0) { /* the first ranks */
        MPI_Send(&mine, 1, MPI_INT, 0, 0, dup);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, dup, MPI_STATUS_IGNORE);
        CHECK_EQ(got, low ? size / 2 : 0);
    }
    MPI_Comm_free(&dup);
    MPI_Comm_free(&there);
    MPI_Comm_free(&half);
}

/* Freed while a receive is posted: it completes as usual. */
static void freed(int rank, int size)
{
    MPI_Comm comm, stale, other;
    MPI_Request request;
    int got = -1, from = (rank + size - 1) % size;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(&got, 1, MPI_INT, from, 0, comm, &request);
    stale = comm;
    if (rank == 0) { /* sends before it frees */
        MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, comm);
        MPI_Comm_free(&comm);
    } else {
        MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, comm);
        MPI_Comm_free(&comm);
    }
    MPI_Comm_dup(MPI_COMM_SELF, &other); /* must not take its memory */
    CHECK(other != stale || got == from);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQ(got, from);
    MPI_Comm_free(&other);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    late(rank, size);
    several(rank);
    if (size > 1)
        inter(rank, size);
    freed(rank, size);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm comm;
    MPI_Request request;
    CHECK_EQ(MPI_Comm_idup(MPI_COMM_NULL, &comm, &request), MPI_ERR_COMM);
    CHECK_EQ(MPI_Comm_idup(MPI_COMM_WORLD, NULL, &request), MPI_ERR_ARG);
    CHECK_EQ(MPI_Comm_idup(MPI_COMM_WORLD, &comm, NULL), MPI_ERR_ARG);
    CHECK_EQ(MPI_Comm_idup_with_info(MPI_COMM_WORLD, (MPI_Info)MPI_COMM_WORLD, &comm, &request),
             MPI_ERR_INFO);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
