/* SPDX-License-Identifier: MIT */
/* Programs that are wrong: the argument chooses how. What the job says and how it ends is
 * checked by the caller. */
#include <string.h>

#include "check.h"

static void fatal(int rank)
{
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
    MPI_Recv(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void abort_job(int rank)
{
    if (rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 42);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void no_finalize(int rank)
{
    if (rank == 1)
        exit(0);
}

static void deadlock(int rank)
{
    if (rank == 1)
        MPI_Recv(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A rank does not take part: nobody can know that it will not. */
static void alone(int rank)
{
    int word = 0, sum;
    if (rank == 1)
        MPI_Recv(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* The same, but it is in MPI_Finalize. */
static void early(int rank)
{
    if (rank != 1)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void self_large(int rank)
{
    char buf[200] = {0};
    MPI_Send(buf, sizeof buf, MPI_BYTE, rank, 3, MPI_COMM_WORLD);
}

static void unsupported(int rank)
{
    (void)rank;
    MPI_File_delete("none", MPI_INFO_NULL);
}

static void truncated(int rank)
{
    long words[100] = {0};
    if (rank == 0)
        MPI_Send(words, 100, MPI_LONG, 1, 4, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(words, 10, MPI_LONG, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void truncated_of_two(int rank)
{
    long words[10] = {0};
    MPI_Request q[2];
    if (rank == 0) {
        MPI_Send(words, 1, MPI_LONG, 1, 3, MPI_COMM_WORLD);
        MPI_Send(words, 10, MPI_LONG, 1, 4, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Irecv(words, 1, MPI_LONG, 0, 3, MPI_COMM_WORLD, &q[0]);
        MPI_Irecv(words + 1, 5, MPI_LONG, 0, 4, MPI_COMM_WORLD, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
}

static void crossed(int rank)
{
    int word = 0, sum;
    MPI_Request q[2];
    if (rank == 1)
        MPI_Ibarrier(MPI_COMM_WORLD, &q[0]);
    MPI_Iallreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q[rank == 1]);
    if (rank != 1)
        MPI_Ibarrier(MPI_COMM_WORLD, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

/* Whose call is the same tells of another one's. */
static void told(int rank)
{
    int word = 0, sum, done = 0;
    MPI_Request q;
    if (rank == 0)
        MPI_Ibarrier(MPI_COMM_WORLD, &q);
    else
        MPI_Iallreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q);
    while (!done)
        MPI_Test(&q, &done, MPI_STATUS_IGNORE);
}

static const struct {
    const char *name;
    void (*run)(int rank);
} ways[] = {{"fatal", fatal},
            {"abort", abort_job},
            {"no-finalize", no_finalize},
            {"deadlock", deadlock},
            {"self-large", self_large},
            {"unsupported", unsupported},
            {"truncated", truncated},
            {"truncated-of-two", truncated_of_two},
            {"alone", alone},
            {"early", early},
            {"crossed", crossed},
            {"told", told}};

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "before") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Init(&argc, &argv);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (argc > 1 && strcmp(argv[1], ways[i].name) == 0)
            ways[i].run(world_rank());
    MPI_Finalize();
    if (argc > 1 && strcmp(argv[1], "after") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
