/* SPDX-License-Identifier: MIT */
/* Ranks meet for collectives while other things go on: a rank that waits in one takes messages,
 * helps operations under way, and is met by others in communicators that come and go; results of
 * all sizes, roots and operations are right, and the same everywhere; who asks for something else
 * than the others is noticed, with `to-root` also where messages go to a root. */
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

/* Communicators that are freed right after a meeting, while others may still leave it. Their
 * handles lead nowhere then. */
static void come_and_go(void)
{
    int n = world_size();
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm c, stale;
        int one = 1, sum = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
        MPI_Barrier(c);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c);
        CHECK_EQ(sum, n);
        MPI_Barrier(c);
        stale = c;
        MPI_Comm_free(&c);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        CHECK_EQ(MPI_Barrier(stale), MPI_ERR_COMM);
        CHECK_EQ(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, stale), MPI_ERR_COMM);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    }
}

/* Calls in a row that differ in one word each; what is given and what comes lie side by side. */
static void words(void)
{
    int n = world_size(), me = world_rank();
    for (int i = 0; i < ROUNDS; i++) {
        int whole[6] = {me, me + 1, 0, 0, 7, 7};
        float real[2] = {(float)me / 4, -1};
        MPI_Allreduce(&whole[0], &whole[2], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK_EQ(whole[2], n * (n - 1) / 2);
        MPI_Allreduce(&real[0], &real[1], 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        CHECK(real[1] == (float)(n * (n - 1)) / 8);
        MPI_Allreduce(&whole[0], &whole[2], 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        CHECK_EQ(whole[2], n - 1);
        CHECK_EQ(whole[3], 0);
        MPI_Allreduce(&whole[0], &whole[2], 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        CHECK_EQ(whole[3], n);
        MPI_Reduce(&whole[0], &whole[4], 1, MPI_INT, MPI_MAX, i % n, MPI_COMM_WORLD);
        CHECK_EQ(whole[4], me == i % n ? n - 1 : 7);
        MPI_Reduce(&whole[0], &whole[5], 1, MPI_INT, MPI_MAX, (i + 1) % n, MPI_COMM_WORLD);
        CHECK_EQ(whole[5], me == (i + 1) % n ? n - 1 : 7);
        MPI_Bcast(&whole[0], 1, MPI_INT, i % n, MPI_COMM_WORLD);
        CHECK_EQ(whole[0], i % n);
        MPI_Bcast(&whole[0], 2, MPI_INT, i % n, MPI_COMM_WORLD);
        CHECK_EQ(whole[1], i % n + 1);
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

/* One that is neither the first nor the last of its core, if there are many, differs in a word. */
static int differs_in(int word, int one)
{
    static const MPI_Datatype types[] = {MPI_INT, MPI_FLOAT};
    static const MPI_Op ops[] = {MPI_SUM, MPI_MAX};
    int in[2] = {0, 0}, out[MOST] = {0}, counts[] = {1, 2};
    switch (word) {
    case 0:
        return MPI_Allreduce(in, out, 1, types[one], MPI_SUM, MPI_COMM_WORLD);
    case 1:
        return MPI_Allreduce(in, out, 1, MPI_INT, ops[one], MPI_COMM_WORLD);
    case 2:
        return MPI_Allreduce(in, out, counts[one], MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    case 3:
        return MPI_Reduce(in, out, 1, MPI_INT, MPI_SUM, one, MPI_COMM_WORLD);
    case 4:
        return MPI_Bcast(in, 1, MPI_INT, one, MPI_COMM_WORLD);
    default:
        return MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, one, MPI_COMM_WORLD);
    }
}

/* Between clusters it may be the call after that one which tells. */
static void one_differs(int words)
{
    int n = world_size(), me = world_rank(), failed, any;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int word = 0; word < words && n > 2; word++) {
        failed = differs_in(word, me == n / 2 + 1) != MPI_SUCCESS;
        failed |= MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS;
        CHECK_EQ(MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD), MPI_SUCCESS);
        CHECK_EQ(any, 1);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, 2, 4, 5, 8, 9, 63, 64, 65, 128, 129, MOST};
    MPI_Init(&argc, &argv);
    helps();
    paces();
    come_and_go();
    words();
    one_differs(argc > 1 ? 6 : 5);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        reals(sizes[i]);
        roots(sizes[i]);
        parts(sizes[i]);
    }
    MPI_Finalize();
    return 0;
}
