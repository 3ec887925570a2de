/* SPDX-License-Identifier: MIT */
/* Broadcasts in a row, from roots and of lengths that all ranks draw alike, while each comes late
 * now and then, so that roots run far ahead of those who read, and these find much at once. Between
 * them few or many other collectives; data with gaps; broadcasts of which a rank expects another
 * amount, or another root; communicators that come and go. coll_bcast [turns]. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "late.h"

enum { MOST = 700 * 1024, RANKS = 16 };

static unsigned int common = 1, own;
static int rank, size;
static bool alone; /* in its process, the last rank is */
static unsigned char data[2 * MOST];

/* Around the lengths at which data goes another way, short ones more often. */
static int draw_length(void)
{
    static const int lengths[] = {0,    1,    8,    24,    25,    128,   1047,   1048,
                                  1049, 4096, 9000, 65535, 65536, 65537, 131072, 700001};
    return lengths[draw(&common, draw(&common, 8) ? 9 : 16)];
}

static unsigned char value(int turn, int i)
{
    return (unsigned char)(turn * 7 + i + i / 251);
}

/* Every step-th byte is data. */
static void bcast(MPI_Comm comm, MPI_Datatype gaps, int turn)
{
    int n = draw_length(), root = (int)draw(&common, (unsigned int)size);
    bool spread = draw(&common, 4) == 0 && draw(&own, 2);
    int step = spread ? 2 : 1;
    memset(data, 255, (size_t)(n * step));
    for (int i = 0; rank == root && i < n; i++)
        data[i * step] = value(turn, i);
    come_late(&own, 128, 8);
    CHECK_EQ(MPI_Bcast(data, n, spread ? gaps : MPI_CHAR, root, comm), MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        CHECK_EQ(data[i * step], value(turn, i));
    for (int i = 0; spread && i < n; i++)
        CHECK_EQ(data[i * step + 1], 255);
}

/* So many calls of others, after which entries have other numbers. */
static void other(MPI_Comm comm)
{
    int one = 1, sum = 0;
    for (unsigned int i = draw(&common, 40); i > 0; i--)
        if (draw(&common, 2))
            MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, (int)i % size, comm);
        else
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
}

static void find_out_who_is_alone(void)
{
    long pid = (long)getpid(), all[RANKS];
    CHECK(size <= RANKS);
    CHECK_EQ(MPI_Allgather(&pid, 1, MPI_LONG, all, 1, MPI_LONG, MPI_COMM_WORLD), MPI_SUCCESS);
    alone = true;
    for (int i = 0; i < size - 1; i++)
        alone &= all[i] != all[size - 1];
}

/* The last rank expects another amount, or takes itself for the root: it has an error, and the
 * others have one or what was sent. Not two roots in a process: both would write to the same place
 * before they learn of each other, which is no harm but which a sanitizer reports. */
static void differ(MPI_Comm comm)
{
    int n = 1 + draw_length(), root = (int)draw(&common, (unsigned int)size - 1);
    bool odd = rank == size - 1, amount = draw(&common, 2) || !alone;
    int rc =
        MPI_Bcast(data, odd && amount ? n / 2 : n, MPI_CHAR, odd && !amount ? rank : root, comm);
    CHECK(!odd || !amount || rc != MPI_SUCCESS);
    MPI_Barrier(comm);
}

int main(int argc, char **argv)
{
    MPI_Datatype gaps;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_resized(MPI_CHAR, 0, 2, &gaps);
    MPI_Type_commit(&gaps);
    find_out_who_is_alone();
    int turns = argc > 1 ? atoi(argv[1]) : 20;
    own = (unsigned int)rank + 1;
    for (int turn = 0; turn < turns; turn++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        for (int i = 0; i < 100; i++) {
            bcast(comm, gaps, turn + i);
            if (draw(&common, 16) == 0)
                other(comm);
            if (size > 1 && draw(&common, 32) == 0)
                differ(comm);
        }
        MPI_Comm_free(&comm);
    }
    MPI_Type_free(&gaps);
    MPI_Finalize();
    return 0;
}
