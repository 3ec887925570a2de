/* SPDX-License-Identifier: MIT */
/* Reductions of pairs, between whose elements there are gaps, which stay as they were: in all
 * forms, with all roots, in place and not. */
#include "coll.h"

struct pair {
    double value;
    int place;
    int gap;
};

static MPI_Comm comm;
static int me, size, count;
static int operation; /* so that what one leaves behind is wrong for the next */

static struct pair given(int rank, int e)
{
    return (struct pair){(rank * 7 + e * 3 + operation) % 11 + operation, rank, -rank};
}

static struct pair largest(int e)
{
    struct pair most = given(0, e);
    for (int rank = 1; rank < size; rank++)
        if (given(rank, e).value > most.value)
            most = given(rank, e);
    return most;
}

/* In place the gaps are those of what is given. */
static struct pair *ready(struct pair *recv, int in_place)
{
    struct pair *send = malloc((size_t)(count + 1) * sizeof *send);
    operation++;
    for (int e = 0; e <= count; e++) {
        send[e] = given(me, e);
        recv[e] = (struct pair){-1, -1, UNTOUCHED};
        if (in_place)
            recv[e] = given(me, e);
    }
    return send;
}

static void check(struct pair *send, struct pair *recv, int n, int from, int in_place)
{
    for (int e = 0; e < n; e++) {
        struct pair most = largest(from + e);
        CHECK(recv[e].value == most.value && recv[e].place == most.place);
        CHECK_EQ(recv[e].gap, in_place ? -me : UNTOUCHED);
    }
    free(send);
}

static void reduce_all(enum form form, int root, int in_place)
{
    struct pair *recv = malloc((size_t)(count + 1) * sizeof *recv), *send;
    send = ready(recv, in_place);
    COLL(form, Allreduce, Iallreduce, in_place ? MPI_IN_PLACE : send, recv, count, MPI_DOUBLE_INT,
         MPI_MAXLOC, comm);
    check(send, recv, count, 0, in_place);
    int own = in_place && me == root;
    send = ready(recv, own);
    COLL(form, Reduce, Ireduce, own ? MPI_IN_PLACE : send, recv, count, MPI_DOUBLE_INT, MPI_MAXLOC,
         root, comm);
    check(send, recv, me == root ? count : 0, 0, own);
    send = ready(recv, 0);
    COLL(form, Scan, Iscan, send, recv, count, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    check(send, recv, me == size - 1 ? count : 0, 0, 0);
    int part = count / size;
    send = ready(recv, 0);
    COLL(form, Reduce_scatter_block, Ireduce_scatter_block, send, recv, part, MPI_DOUBLE_INT,
         MPI_MAXLOC, comm);
    check(send, recv, part, me * part, 0);
    free(recv);
}

static void test(MPI_Comm of)
{
    static const int counts[] = {0, 1, 2, 16, 100, 700};
    comm = of;
    operation = 0;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < FORMS; k++) {
            count = counts[i];
            for (int in_place = 0; in_place < 2; in_place++)
                reduce_all((enum form)k, (i + k) % size, in_place);
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    each_size(test);
    MPI_Finalize();
    return 0;
}
