/* SPDX-License-Identifier: MIT */
/* Blocks with gaps, which all ranks of a full cluster cannot pack at once: coll_gaps [ints of a
 * block]. Nonblocking forms, as these send messages between ranks of one cluster, too. */
#include "check.h"

static int me, size, n; /* ints of a block: every second one counts */
static int *send, *recv;
static MPI_Datatype gaps;

static int value(int from, int to, int i)
{
    return from * 10007 + to * 131 + i;
}

/* send: a block for each rank, or one for all; recv: nothing. */
static void ready(int one)
{
    for (int r = 0; r < size; r++)
        for (int i = 0; i < n; i++) {
            send[r * n + i] = value(me, one ? -1 : r, i);
            recv[r * n + i] = -1;
        }
}

/* Block r of recv came from `from`, gaps are as they were. */
static void check(int r, int from, int to)
{
    for (int i = 0; i < n; i++)
        CHECK_EQ(recv[r * n + i], i % 2 ? -1 : value(from, to, i));
}

static void finish(MPI_Request *q)
{
    MPI_Wait(q, MPI_STATUS_IGNORE);
}

static void all_to_all(void)
{
    MPI_Request q;
    ready(0);
    MPI_Ialltoall(send, 1, gaps, recv, 1, gaps, MPI_COMM_WORLD, &q);
    finish(&q);
    for (int r = 0; r < size; r++)
        check(r, r, me);
    ready(1);
    MPI_Iallgather(send, 1, gaps, recv, 1, gaps, MPI_COMM_WORLD, &q);
    finish(&q);
    for (int r = 0; r < size; r++)
        check(r, r, -1);
}

static void rooted(int root)
{
    MPI_Request q;
    ready(1);
    MPI_Igather(send, 1, gaps, recv, 1, gaps, root, MPI_COMM_WORLD, &q);
    finish(&q);
    for (int r = 0; r < size && me == root; r++)
        check(r, r, -1);
    ready(0);
    MPI_Iscatter(send, 1, gaps, recv, 1, gaps, root, MPI_COMM_WORLD, &q);
    finish(&q);
    check(0, root, me);
    ready(1);
    MPI_Ibcast(me == root ? send : recv, 1, gaps, root, MPI_COMM_WORLD, &q);
    finish(&q);
    if (me != root)
        check(0, root, -1);
}

/* In place every block leaves before the one that takes its place arrives. */
static void in_place(void)
{
    MPI_Request q;
    ready(0);
    for (int i = 0; i < size * n; i++)
        recv[i] = i % n % 2 ? -1 : send[i];
    MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, recv, 1, gaps, MPI_COMM_WORLD, &q);
    finish(&q);
    for (int r = 0; r < size; r++)
        check(r, r, me);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    me = world_rank();
    size = world_size();
    n = (argc > 1 ? atoi(argv[1]) : 1000) / 2 * 2;
    send = malloc((size_t)(size * n) * sizeof *send);
    recv = malloc((size_t)(size * n) * sizeof *recv);
    MPI_Datatype every_second;
    MPI_Type_vector(n / 2, 1, 2, MPI_INT, &every_second);
    MPI_Type_create_resized(every_second, 0, n * (MPI_Aint)sizeof(int), &gaps);
    MPI_Type_commit(&gaps);
    MPI_Type_free(&every_second);
    all_to_all();
    rooted(0);
    rooted(size - 1);
    in_place();
    MPI_Type_free(&gaps);
    free(send);
    free(recv);
    MPI_Finalize();
    return 0;
}
