/* SPDX-License-Identifier: MIT */
/* Some ranks are in MPI_Finalize where the others still call collectives: those have an error, each
 * time anew, and nobody waits for ever. early WAY SECONDS: those who come to MPI_Finalize too early
 * do so after so long. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"

#define LONG 20000

static int in[LONG], out[8 * LONG];

static int barrier(MPI_Comm on)
{
    return MPI_Barrier(on);
}

static int allreduce(MPI_Comm on)
{
    return MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, on);
}

static int allreduce_long(MPI_Comm on)
{
    return MPI_Allreduce(in, out, LONG, MPI_INT, MPI_SUM, on);
}

static int alltoall(MPI_Comm on)
{
    return MPI_Alltoall(in, 100, MPI_INT, out, 100, MPI_INT, on);
}

static int waits(MPI_Comm on)
{
    MPI_Request q;
    MPI_Ibarrier(on, &q);
    return MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static int starts(MPI_Comm on)
{
    MPI_Request q;
    MPI_Allgather_init(in, 1, MPI_INT, out, 1, MPI_INT, on, MPI_INFO_NULL, &q);
    MPI_Start(&q);
    int rc = MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Request_free(&q);
    return rc;
}

static const struct {
    const char *name;
    int (*run)(MPI_Comm on);
} ways[] = {{"barrier", barrier},   {"allreduce", allreduce}, {"allreduce-long", allreduce_long},
            {"alltoall", alltoall}, {"waits", waits},         {"starts", starts}};

static void pause_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    CHECK(argc > 2);
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    size_t way = 0;
    while (strcmp(ways[way].name, argv[1]) != 0)
        CHECK(++way < sizeof ways / sizeof ways[0]);
    CHECK_EQ(ways[way].run(MPI_COMM_WORLD), MPI_SUCCESS);
    if (world_rank() % 3 == 1) {
        pause_for(atof(argv[2]));
    } else {
        CHECK_EQ(ways[way].run(MPI_COMM_WORLD), MPI_ERR_OTHER);
        CHECK_EQ(ways[way].run(own), MPI_ERR_OTHER);
        CHECK_EQ(ways[way].run(MPI_COMM_WORLD), MPI_ERR_OTHER);
    }
    MPI_Finalize();
    return 0;
}
