/* SPDX-License-Identifier: MIT */
/* Nonblocking operations go on while their ranks compute: where time is virtual (argument: cycles
 * per second) nearly nothing is left to wait for afterwards, and computing takes little longer. */
#include <string.h>

#include "check.h"

enum { BYTES = 1 << 20, NUMBERS = 4096 };

static char *out, *in;
static int rank, ranks;
static double sent[NUMBERS], sum[NUMBERS];

static void start_exchange(MPI_Request q[2])
{
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    memset(out, rank + 1, BYTES);
    MPI_Irecv(in, BYTES, MPI_CHAR, left, 3, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(out, BYTES, MPI_CHAR, right, 3, MPI_COMM_WORLD, &q[1]);
}

static void check_exchange(void)
{
    int left = (rank + ranks - 1) % ranks;
    for (int i = 0; i < BYTES; i++)
        CHECK(in[i] == (char)(left + 1));
}

static void start_sum(MPI_Request q[2])
{
    for (int i = 0; i < NUMBERS; i++)
        sent[i] = rank + i;
    MPI_Iallreduce(sent, sum, NUMBERS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &q[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &q[1]);
}

static void check_sum(void)
{
    for (int i = 0; i < NUMBERS; i++)
        CHECK_EQ(sum[i], (double)ranks * i + ranks * (ranks - 1) / 2.0);
}

/* Seconds that a rank computes, and that it waits after it. */
static void hide(void (*start)(MPI_Request q[2]), void (*check)(void), double hz)
{
    const double cycles = 8e6;
    MPI_Request q[2];
    MPI_Barrier(MPI_COMM_WORLD);
    start(q);
    double begin = MPI_Wtime();
    MPI_Pcontrol(MPIX_PCONTROL_WORK, cycles);
    double computed = MPI_Wtime();
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    double end = MPI_Wtime();
    check();
    if (hz > 0) {
        double work = cycles / hz;
        CHECK(computed - begin >= work && computed - begin < 1.25 * work);
        CHECK(end - computed < work / 100);
    }
}

/* An operation that works: what it interrupts must not be entered again. */
static void add(void *a, void *b, int *n, MPI_Datatype *type)
{
    const double *more = a;
    double *total = b;
    (void)type;
    MPI_Pcontrol(MPIX_PCONTROL_WORK, 20000.0);
    for (int i = 0; i < *n; i++)
        total[i] += more[i];
}

static void check_working_operation(void)
{
    enum { FEW = 8, AT_ONCE = 4 };
    double mine[FEW], all[AT_ONCE + 1][FEW];
    MPI_Request q[AT_ONCE];
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < FEW; i++)
        mine[i] = rank * i;
    for (int i = 0; i < AT_ONCE; i++)
        MPI_Iallreduce(mine, all[i], FEW, MPI_DOUBLE, op, MPI_COMM_WORLD, &q[i]);
    MPI_Pcontrol(MPIX_PCONTROL_WORK, 50000.0);
    MPI_Allreduce(mine, all[AT_ONCE], FEW, MPI_DOUBLE, op, MPI_COMM_WORLD);
    MPI_Waitall(AT_ONCE, q, MPI_STATUSES_IGNORE);
    for (int i = 0; i <= AT_ONCE; i++)
        for (int k = 0; k < FEW; k++)
            CHECK_EQ(all[i][k], k * ranks * (ranks - 1) / 2.0);
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double hz = argc > 1 ? atof(argv[1]) : 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    out = malloc(BYTES);
    in = malloc(BYTES);
    for (int i = 0; i < 2; i++) {
        hide(start_exchange, check_exchange, hz);
        hide(start_sum, check_sum, hz);
        check_working_operation();
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
