/* SPDX-License-Identifier: MIT */
/* Many collectives at once: they do not mix, complete in any order, go on while the rank waits for
 * something else, outlive the handles of what they use; persistent ones start again. */
#include "coll.h"

#define MANY 40

/* Broadcasts of every root, reductions and barriers are under way together, and are waited for from
 * the last to the first; messages of the program and blocking collectives go on in between. */
static void together(void)
{
    int n = world_size(), me = world_rank(), value[MANY], sum[MANY], token = me;
    MPI_Request bcast[MANY], reduce[MANY], barrier;
    for (int i = 0; i < MANY; i++) {
        value[i] = me == i % n ? 1000 + i : -1;
        MPI_Ibcast(&value[i], 1, MPI_INT, i % n, MPI_COMM_WORLD, &bcast[i]);
        MPI_Iallreduce(&token, &sum[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &reduce[i]);
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    int all = 0, from = -1;
    MPI_Allreduce(&token, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_EQ(all, n - 1);
    MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, 3, &from, 1, MPI_INT, (me + n - 1) % n, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(from, (me + n - 1) % n);
    for (int i = MANY - 1; i >= 0; i--) {
        MPI_Wait(&reduce[i], MPI_STATUS_IGNORE);
        CHECK_EQ(sum[i], n * (n - 1) / 2);
    }
    MPI_Waitall(MANY, bcast, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(value[i], 1000 + i);
    int flag = 0;
    while (!flag)
        MPI_Test(&barrier, &flag, MPI_STATUS_IGNORE);
    CHECK(barrier == MPI_REQUEST_NULL);
}

/* A rank that waits in a receive passes a broadcast on, which the sender of that message needs. */
static void passes_on(void)
{
    int n = world_size(), me = world_rank(), value[4] = {0}, token = 0;
    MPI_Request q;
    if (me == 0)
        for (int i = 0; i < 4; i++)
            value[i] = 50 + i;
    MPI_Ibcast(value, 4, MPI_INT, 0, MPI_COMM_WORLD, &q);
    if (me + 1 < n)
        MPI_Recv(&token, 1, MPI_INT, me + 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    CHECK_EQ(value[3], 53);
    if (me)
        MPI_Send(&token, 1, MPI_INT, me - 1, 9, MPI_COMM_WORLD);
}

static void sum_ints(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* Communicator, type and operation are freed while they are in use. */
static void freed(void)
{
    int in[4] = {1, 2, 3, 4}, out[4] = {0}, n = world_size();
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request q;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(sum_ints, 1, &op);
    MPI_Iallreduce(in, out, 4, type, op, comm, &q);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    CHECK_EQ(out[3], 4 * n);
}

static void again(void)
{
    int n = world_size(), me = world_rank(), in = 0, out = 0, value = 0;
    MPI_Request q[3];
    MPI_Scan_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
    MPI_Bcast_init(&value, 1, MPI_INT, n - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &q[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &q[2]);
    for (int i = 0; i < 20; i++) {
        in = i;
        value = me == n - 1 ? i : -1;
        MPI_Startall(3, q);
        MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
        CHECK_EQ(out, i * (me + 1));
        CHECK_EQ(value, i);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&q[i]);
}

/* The root starts an operation before a blocking one, the others after it. MPI 5.0, 6.12, asks for
 * one order, but programs are used to it that either kind has an order of its own. */
static void in_two_orders(void)
{
    int n = world_size(), me = world_rank();
    for (int root = 0; root < n; root++) {
        int flag = me == root ? 11 : 13, all = 0, value = me == root ? root : -1;
        MPI_Request q;
        for (int turn = 0; turn < 2; turn++)
            if (turn == (me != root))
                MPI_Iallreduce(&flag, &all, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD, &q);
            else
                MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        CHECK_EQ(all, n > 1 ? 9 : 11);
        CHECK_EQ(value, root);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    in_two_orders();
    together();
    passes_on();
    freed();
    again();
    MPI_Finalize();
    return 0;
}
