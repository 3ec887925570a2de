/* SPDX-License-Identifier: MIT */
/* steps HOW N: four ranks meet N times, each time after one of them has worked 2 ms at 400 MHz. */
#include <stdbool.h>
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

/* Rank 3 gets it from rank 2, and is the only one that waits for that. */
static void bcast(MPI_Request r[])
{
    (void)r;
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void neighbors(MPI_Request r[])
{
    static MPI_Comm ring = MPI_COMM_NULL;
    int size = 4, periodic = 1, from[2];
    (void)r;
    if (ring == MPI_COMM_NULL)
        MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Neighbor_allgather(&one, 1, MPI_INT, from, 1, MPI_INT, ring);
}

static void planned(MPI_Request r[])
{
    static MPI_Request plan = MPI_REQUEST_NULL;
    (void)r;
    if (plan == MPI_REQUEST_NULL)
        MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &plan);
    MPI_Start(&plan);
    MPI_Wait(&plan, MPI_STATUS_IGNORE);
    MPI_Wait(&plan, MPI_STATUS_IGNORE); /* which is not started, so this is over at once */
}

/* Ranks 0 and 2 are a group, 1 and 3 another one. */
static void between(MPI_Request r[])
{
    static MPI_Comm both = MPI_COMM_NULL;
    MPI_Comm half;
    int rank;
    (void)r;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (both == MPI_COMM_NULL) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    }
    if (rank == 1)
        MPI_Send(&one, 1, MPI_INT, 0, 0, both);
    else if (rank == 0)
        MPI_Recv(&sum, 1, MPI_INT, 0, 0, both, MPI_STATUS_IGNORE);
    MPI_Barrier(both);
}

/* From rank 1 to all others, who receive with a request that they test, or probe for it. */
static void send_to_all(void)
{
    for (int to = 0; to < 4; to++)
        if (to != 1)
            MPI_Send(&one, 1, MPI_INT, to, 7, MPI_COMM_WORLD);
}

static bool is_sender(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        send_to_all();
    return rank == 1;
}

static void test(MPI_Request r[])
{
    int done = is_sender();
    if (!done)
        MPI_Irecv(&sum, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &r[0]);
    while (!done)
        MPI_Test(&r[0], &done, MPI_STATUS_IGNORE);
}

static void probe(MPI_Request r[])
{
    int done = is_sender(), receives = !done;
    (void)r;
    while (!done)
        MPI_Iprobe(1, 7, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    if (receives)
        MPI_Recv(&sum, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ibarrier_and_test(MPI_Request r[])
{
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
    while (!done)
        MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE);
}

/* Round a ring, of which each rank knows both neighbours, or does not say from whom. */
static void exchange(MPI_Request r[], bool any)
{
    static char out[8192], in[8192];
    int rank, size = (int)sizeof out;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isendrecv(out, size, MPI_CHAR, (rank + 1) % 4, 5, in, size, MPI_CHAR,
                  any ? MPI_ANY_SOURCE : (rank + 3) % 4, 5, MPI_COMM_WORLD, &r[0]);
}

static void ring(MPI_Request r[])
{
    exchange(r, false);
}

static void ring_of_any(MPI_Request r[])
{
    exchange(r, true);
}

static const struct {
    void (*meet)(MPI_Request r[]);
    int late; /* who works */
} steps[] = {{reduce_then_barrier, 3},
             {scan, 0},
             {exscan, 0},
             {ibarrier, 2},
             {iallreduce, 1},
             {ireduce_and_ibarrier, 3},
             {ibcast, 0},
             {test, 1},
             {probe, 1},
             {ibarrier_and_test, 2},
             {bcast, 2},
             {neighbors, 1},
             {planned, 2},
             {between, 1},
             {ring, 2},
             {ring_of_any, 1}};

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
