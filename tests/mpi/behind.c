/* SPDX-License-Identifier: MIT */
/* A rank that is very far behind, or takes messages in an order far from that in which they were
 * sent: all is done in the end, and each of so many things takes about as long as each of a few.
 * behind [how many count as a thousand]. */
#include "check.h"

static int rank, other, thousand = 1000;

/* Rank 0 needs nobody in a scan. */
static void scans(void)
{
    for (int i = 0; i < 100 * thousand; i++) {
        double mine = rank + i, sum = -1;
        MPI_Scan(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        CHECK_EQ(sum, rank ? 2 * i + 1 : i);
    }
}

static void operations_under_way(void)
{
    int n = 16 * thousand;
    MPI_Request *q = malloc((size_t)n * sizeof *q);
    int *in = malloc((size_t)n * sizeof *in), *out = malloc((size_t)n * sizeof *out);
    for (int i = 0; i < n; i++) {
        in[i] = rank + i;
        MPI_Iallreduce(&in[i], &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q[i]);
    }
    MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++)
        CHECK_EQ(out[i], 2 * i + 1);
    free(q);
    free(in);
    free(out);
}

/* Far more than there are cells for: most are held by their sender. */
static void sends(int n, int bytes, int step)
{
    MPI_Request *q = malloc((size_t)n * sizeof *q);
    unsigned char *buf = malloc((size_t)n * (size_t)bytes);
    for (int i = 0; rank == 0 && i < n; i++) {
        fill(buf + (size_t)i * (size_t)bytes, bytes, 0, i);
        MPI_Isend(buf + (size_t)i * (size_t)bytes, bytes, MPI_BYTE, other, i, MPI_COMM_WORLD,
                  &q[i]);
    }
    for (int k = 0; rank == 1 && k < n; k++) {
        int i = step > 0 ? k : n - 1 - k;
        MPI_Recv(buf, bytes, MPI_BYTE, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_filled(buf, bytes, 0, i);
    }
    if (rank == 0)
        MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
    free(q);
    free(buf);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    rank = world_rank();
    other = 1 - rank;
    thousand = argc > 1 ? atoi(argv[1]) : thousand;
    CHECK_EQ(world_size(), 2);
    scans();
    operations_under_way();
    sends(8 * thousand, 1, -1);
    sends(8 * thousand, 8192, 1);
    sends(thousand, 65536, -1);
    MPI_Finalize();
    return 0;
}
