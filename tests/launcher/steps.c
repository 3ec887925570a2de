/* SPDX-License-Identifier: MIT */
/* steps HOW N: four ranks meet N times, each time after one of them has worked 2 ms at 400 MHz. */
#include <stdlib.h>

#include <mpi.h>

static int one = 1, sum;

static void reduce_then_barrier(MPI_Request r[])
{
    (void)r;
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void scan(MPI_Request r[])
{
    (void)r;
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void exscan(MPI_Request r[])
{
    (void)r;
    MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void ibarrier(MPI_Request r[])
{
    MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
}

static void iallreduce(MPI_Request r[])
{
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[1]);
}

static void ireduce_and_ibarrier(MPI_Request r[])
{
    MPI_Ireduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &r[1]);
}

static void ibcast(MPI_Request r[])
{
    MPI_Ibcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[0]);
}

static const struct {
    void (*meet)(MPI_Request r[]);
    int late; /* who works */
} steps[] = {{reduce_then_barrier, 3},  {scan, 0},  {exscan, 0}, {ibarrier, 2}, {iallreduce, 1},
             {ireduce_and_ibarrier, 3}, {ibcast, 0}};

int main(int argc, char **argv)
{
    int rank, how = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < atoi(argv[2]); i++) {
        MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Pcontrol(MPIX_PCONTROL_WORK, rank == steps[how].late ? 800e3 : 0.0);
        steps[how].meet(r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
