/* SPDX-License-Identifier: MIT */
/* crossed WAY [SECONDS]: some ranks call a blocking collective and others one that is not, and all
 * wait. Those that come later do so after so long. A rank that waits for nobody goes on, to where
 * those who wait for it are missed. The job ends with an error. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"

#define LONG 20000

static int in[8 * LONG], out[8 * LONG];

static int wait_for(MPI_Request *q)
{
    return MPI_Wait(q, MPI_STATUS_IGNORE);
}

static void barrier(int later)
{
    MPI_Request q;
    if (later)
        MPI_Ibarrier(MPI_COMM_WORLD, &q), wait_for(&q);
    else
        MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(int later)
{
    MPI_Request q;
    if (later)
        MPI_Ibcast(in, 100, MPI_INT, 0, MPI_COMM_WORLD, &q), wait_for(&q);
    else
        MPI_Bcast(in, 100, MPI_INT, 0, MPI_COMM_WORLD);
}

static void reduce(int later)
{
    MPI_Request q;
    if (later)
        MPI_Ireduce(in, out, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &q), wait_for(&q);
    else
        MPI_Reduce(in, out, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void gather(int later)
{
    MPI_Request q;
    if (later)
        MPI_Igather(in, 1, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_WORLD, &q), wait_for(&q);
    else
        MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void scan(int later)
{
    MPI_Request q;
    if (later)
        MPI_Iscan(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q), wait_for(&q);
    else
        MPI_Scan(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void allreduce(int later)
{
    MPI_Request q;
    if (later)
        MPI_Iallreduce(in, out, LONG, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q), wait_for(&q);
    else
        MPI_Allreduce(in, out, LONG, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void persistent(int later)
{
    MPI_Request q[2];
    int at;
    if (!later) {
        MPI_Alltoall(in, 10, MPI_INT, out, 10, MPI_INT, MPI_COMM_WORLD);
        return;
    }
    MPI_Alltoall_init(in, 10, MPI_INT, out, 10, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
    MPI_Irecv(&at, 1, MPI_INT, world_rank(), 0, MPI_COMM_WORLD, &q[1]);
    MPI_Start(&q[0]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

static void dup(int later)
{
    MPI_Request q;
    MPI_Comm made;
    if (later)
        MPI_Ibarrier(MPI_COMM_WORLD, &q), wait_for(&q);
    else
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
}

static const struct {
    const char *name;
    void (*run)(int later);
} ways[] = {
    {"barrier", barrier}, {"bcast", bcast},         {"reduce", reduce}, {"gather", gather},
    {"scan", scan},       {"allreduce", allreduce}, {"dup", dup},       {"persistent", persistent}};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    CHECK(argc > 2);
    int late = world_rank() % 3 == 1, turned = strchr(argv[1], '-') != NULL;
    long ms = (long)(atof(argv[2]) * 1000);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (strncmp(argv[1], ways[i].name, strcspn(argv[1], "-")) != 0)
            continue;
        if (late)
            nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
        ways[i].run(late != turned);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
