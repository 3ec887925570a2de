/* SPDX-License-Identifier: MIT */
/* Ranks that wait for each other for ever: stuck CASE. */
#include <mpi.h>
#include <stdbool.h>
#include <string.h>

/* Rank 1 waits for one of two messages, of which none comes, but a third one. */
static void either(int rank)
{
    int x[2] = {0}, which;
    MPI_Request two[2];
    if (rank == 0)
        MPI_Send(x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&x[i], 1, MPI_INT, 1 - rank, 4 + i, MPI_COMM_WORLD, &two[i]);
    if (rank == 1)
        MPI_Waitany(2, two, &which, MPI_STATUS_IGNORE);
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
}

/* Rank 0 waits for rank 2 or 3, and they for it. */
static void named(int rank)
{
    int x[2] = {0}, which;
    MPI_Request two[2];
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&x[i], 1, MPI_INT, rank == 0 ? 2 + i : 0, 4, MPI_COMM_WORLD, &two[i]);
    if (rank == 0)
        MPI_Waitany(2, two, &which, MPI_STATUS_IGNORE);
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
}

/* Rank 1 does not come where rank 0 makes a communicator. */
static void duplicate(int rank)
{
    MPI_Comm made;
    int x;
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
}

/* Ranks of each parity ask each other, or each rank asks itself, again and again. */
static void polls(int rank, const char *what)
{
    MPI_Comm half, asked;
    MPI_Request request;
    MPI_Message message;
    int x, found = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_set_name(half, "half");
    asked = strcmp(what, "self") == 0 ? MPI_COMM_SELF : half;
    if (strcmp(what, "test") == 0)
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 6, half, &request);
    while (!found)
        if (strcmp(what, "test") == 0)
            MPI_Test(&request, &found, MPI_STATUS_IGNORE);
        else if (strcmp(what, "improbe") == 0)
            MPI_Improbe(MPI_ANY_SOURCE, 6, asked, &found, &message, MPI_STATUS_IGNORE);
        else
            MPI_Iprobe(MPI_ANY_SOURCE, 6, asked, &found, MPI_STATUS_IGNORE);
}

/* Ranks wait for a message of one of two communicators, or ask for it again and again; a message is
 * there, of another tag. */
static void several(int rank)
{
    int x[2] = {0}, which, found = 0;
    MPI_Comm other;
    MPI_Request two[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Irecv(&x[0], 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_SELF, &two[0]);
    MPI_Irecv(&x[1], 1, MPI_INT, 1 - rank, 5, other, &two[1]);
    if (rank == 1)
        MPI_Send(x, 1, MPI_INT, 0, 6, other);
    else
        MPI_Waitany(2, two, &which, MPI_STATUS_IGNORE);
    while (!found)
        MPI_Testany(2, two, &which, &found, MPI_STATUS_IGNORE);
}

/* What the ranks wait for is a message of an intercommunicator, a copy or a part of the first. */
static void between(int rank, const char *what)
{
    MPI_Comm first, made;
    int x;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 1, &first);
    if (strcmp(what, "split") == 0)
        MPI_Comm_split(first, 0, 0, &made);
    else
        MPI_Comm_dup(first, &made);
    MPI_Recv(&x, 1, MPI_INT, 0, 8, made, MPI_STATUS_IGNORE);
}

/* Nobody waits for ever. */
static void collectives(bool nonblocking)
{
    int x = 1, sum;
    MPI_Request request;
    for (;;) {
        if (nonblocking) {
            MPI_Ibarrier(MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "either") == 0)
        either(rank);
    else if (argc > 1 && strcmp(argv[1], "named") == 0)
        named(rank);
    else if (argc > 1 && strcmp(argv[1], "several") == 0)
        several(rank);
    else if (argc > 1 && strncmp(argv[1], "between-", 8) == 0)
        between(rank, argv[1] + 8);
    else if (argc > 1 && strncmp(argv[1], "poll-", 5) == 0)
        polls(rank, argv[1] + 5);
    else if (argc > 1 && strncmp(argv[1], "collectives", 11) == 0)
        collectives(argv[1][11] != '\0');
    else
        duplicate(rank);
    MPI_Finalize();
    return 0;
}
