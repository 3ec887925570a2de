/* SPDX-License-Identifier: MIT */
/* Ranks meet for collectives while other things go on: a rank that waits in one takes messages,
 * helps operations under way, and is met by others in communicators that come and go; results of
 * all sizes, roots and operations are right, and the same everywhere. */
#include <string.h>

#include "check.h"

#define ROUNDS 40
#define MOST   300 /* elements */

/* Rank 0 waits in the barrier for whom it must help first. */
static void helps(void)
{
    int n = world_size(), me = world_rank(), in = -1, one = 1, sum = 0;
    MPI_Request q;
    for (int i = 0; i < ROUNDS; i++) {
        if (me == 0)
            MPI_Irecv(&in, 1, MPI_INT, n - 1, i, MPI_COMM_WORLD, &q);
        if (me == n - 1 && n > 1)
            MPI_Ssend(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        else if (me == 0 && n == 1)
            MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        if (me == 0) {
            MPI_Wait(&q, MPI_STATUS_IGNORE);
            CHECK_EQ(in, i);
        }
        MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q);
        if (me % 2)
            MPI_Wait(&q, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        CHECK_EQ(sum, n);
    }
}

/* Nobody leaves a barrier before the last has come; halves of the ranks go at their own pace. */
static void paces(void)
{
    int n = world_size(), me = world_rank(), half_size;
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    MPI_Comm_size(half, &half_size);
    for (int i = 0; i < ROUNDS; i++) {
        int late = i % n, told = -1;
        for (int k = 0; k < i % 7 * (1 + me % 2); k++)
            MPI_Barrier(half);
        if (me == late)
            for (int to = 0; to < n; to++)
                MPI_Send(&i, 1, MPI_INT, to, 77, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        int flag;
        MPI_Iprobe(late, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(&told, 1, MPI_INT, late, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQ(told, i);
        int sum = 0;
        MPI_Allreduce(&half_size, &sum, 1, MPI_INT, MPI_SUM, half);
        CHECK_EQ(sum, half_size * half_size);
    }
    MPI_Comm_free(&half);
}

/* Communicators that are freed right after a meeting, while others may still leave it. */
static void come_and_go(void)
{
    int n = world_size();
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm c;
        int one = 1, sum = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
        MPI_Barrier(c);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c);
        CHECK_EQ(sum, n);
        MPI_Barrier(c);
        MPI_Comm_free(&c);
    }
}

static double operand(int rank, int i)
{
    return 1.0 / (3 + rank * 7 + i) + rank * 1e6;
}

/* Sums of reals: the same bits on all ranks, each time, and for count elements as for one. */
static void reals(int count)
{
    int n = world_size(), me = world_rank();
    static double in[MOST], out[MOST], again[MOST], first[MOST];
    for (int i = 0; i < count; i++)
        in[i] = operand(me, i);
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    memcpy(again, in, sizeof in);
    MPI_Allreduce(MPI_IN_PLACE, again, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    memcpy(first, out, sizeof out);
    MPI_Bcast(first, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int r = 0; r < n; r++)
            sum += operand(r, i);
        CHECK(out[i] > sum * (1 - 1e-12) && out[i] < sum * (1 + 1e-12));
        CHECK(memcmp(&out[i], &first[i], sizeof out[i]) == 0);
        CHECK(memcmp(&out[i], &again[i], sizeof out[i]) == 0);
    }
}

/* From and to each root, of every size on both sides of the limits. */
static void roots(int count)
{
    int n = world_size(), me = world_rank();
    static int in[MOST], out[MOST];
    for (int root = 0; root < n; root++) {
        for (int i = 0; i < count; i++) {
            in[i] = me * 1000 + i;
            out[i] = me == root ? root * 77 + i : -1;
        }
        MPI_Bcast(out, count, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++) {
            CHECK_EQ(out[i], root * 77 + i);
            out[i] = me == root ? in[i] : -1;
        }
        MPI_Reduce(me == root ? MPI_IN_PLACE : in, out, count, MPI_INT, MPI_SUM, root,
                   MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            CHECK_EQ(out[i], me == root ? n * (n - 1) / 2 * 1000 + n * i : -1);
        MPI_Reduce(in, out, count, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            CHECK_EQ(out[i], me == root ? (n - 1) * 1000 + i : -1);
    }
}

/* Parts of a vector, in place too, where the parts differ in length. */
static void parts(int count)
{
    int n = world_size(), me = world_rank(), total = 0, before = 0, counts[256];
    static int in[MOST + 256], out[MOST + 256];
    for (int r = 0; r < n; r++) {
        counts[r] = count / n + r % 2;
        before += r < me ? counts[r] : 0;
        total += counts[r];
    }
    for (int i = 0; i < total; i++)
        in[i] = me + i;
    MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(MPI_IN_PLACE, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < counts[me]; i++) {
        CHECK_EQ(out[i], n * (n - 1) / 2 + n * (before + i));
        CHECK_EQ(in[i], out[i]);
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, 2, 4, 5, 8, 9, 63, 64, 65, 128, 129, MOST};
    MPI_Init(&argc, &argv);
    helps();
    paces();
    come_and_go();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        reals(sizes[i]);
        roots(sizes[i]);
        parts(sizes[i]);
    }
    MPI_Finalize();
    return 0;
}
