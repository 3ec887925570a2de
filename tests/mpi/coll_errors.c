/* SPDX-License-Identifier: MIT */
/* Wrong arguments of collectives have their error class; amounts of data that do not fit end in an
 * error on the rank concerned, and all ranks go on. */
#include "choose.h"
#include "coll.h"

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

#define FAILS(call, want) CHECK_EQ(class_of(call), want)

static void arguments(void)
{
    int in[4] = {0}, out[64], n = world_size(), counts[64] = {0}, bad[64], starts[64] = {0};
    MPI_Datatype type, none = MPI_DATATYPE_NULL;
    MPI_Request q;
    MPI_Comm world = MPI_COMM_WORLD;
    for (int i = 0; i < 64; i++)
        bad[i] = -1;
    MPI_Type_contiguous(2, MPI_INT, &type);
    FAILS(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
    FAILS(MPI_Bcast(in, 1, MPI_INT, n, world), MPI_ERR_ROOT);
    FAILS(MPI_Bcast(in, 1, MPI_INT, MPI_ROOT, world), MPI_ERR_ROOT);
    FAILS(MPI_Bcast(in, -1, MPI_INT, 0, world), MPI_ERR_COUNT);
    FAILS(MPI_Bcast(in, 1, none, 0, world), MPI_ERR_TYPE);
    FAILS(MPI_Bcast(in, 1, type, 0, world), MPI_ERR_TYPE);
    FAILS(MPI_Bcast(NULL, 1, MPI_INT, 0, world), MPI_ERR_BUFFER);
    FAILS(MPI_Ibcast(in, 1, MPI_INT, 0, world, NULL), MPI_ERR_ARG);
    FAILS(MPI_Bcast_init(in, 1, MPI_INT, -5, world, MPI_INFO_NULL, &q), MPI_ERR_ROOT);
    FAILS(MPI_Allreduce(in, in, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER);
    FAILS(MPI_Allreduce(in, out, 1, MPI_INT, MPI_OP_NULL, world), MPI_ERR_OP);
    FAILS(MPI_Allreduce(in, out, 1, MPI_FLOAT, MPI_BAND, world), MPI_ERR_OP);
    FAILS(MPI_Iallreduce(in, out, 1, MPI_INT, MPI_REPLACE, world, &q), MPI_ERR_OP);
    FAILS(MPI_Scan(in, out, -1, MPI_INT, MPI_SUM, world), MPI_ERR_COUNT);
    FAILS(MPI_Allgatherv(in, 1, MPI_INT, out, bad, starts, MPI_INT, world), MPI_ERR_COUNT);
    FAILS(MPI_Allgatherv(in, 1, MPI_INT, out, NULL, starts, MPI_INT, world), MPI_ERR_ARG);
    FAILS(MPI_Alltoallv(in, counts, NULL, MPI_INT, out, counts, starts, MPI_INT, world),
          MPI_ERR_ARG);
    FAILS(MPI_Alltoallw(in, counts, starts, NULL, out, counts, starts, NULL, world), MPI_ERR_ARG);
    FAILS(MPI_Reduce_scatter(in, out, bad, MPI_INT, MPI_SUM, world), MPI_ERR_COUNT);
    FAILS(MPI_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, world), MPI_ERR_TOPOLOGY);
    MPI_Type_free(&type);
}

/* Memory that is sent from and received into, on every rank. */
static void overlaps(void)
{
    int all[66] = {0}, counts[64], starts[64], n = world_size(), me = world_rank();
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Datatype gaps;
    for (int i = 0; i < 64; i++) {
        counts[i] = 1;
        starts[i] = i;
    }
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    FAILS(MPI_Allgather(all, 1, MPI_INT, all, 1, MPI_INT, world), MPI_ERR_BUFFER);
    FAILS(MPI_Allgather(all + n - 1, 1, MPI_INT, all, 1, MPI_INT, world), MPI_ERR_BUFFER);
    FAILS(MPI_Allgatherv(all + n - 1, 1, MPI_INT, all, counts, starts, MPI_INT, world),
          MPI_ERR_BUFFER);
    FAILS(MPI_Alltoall(all + 1, 2, MPI_INT, all, 2, MPI_INT, world), MPI_ERR_BUFFER);
    FAILS(MPI_Alltoallv(all, counts, starts, MPI_INT, all, counts, starts, MPI_INT, world),
          MPI_ERR_BUFFER);
    FAILS(MPI_Scan(all, (char *)all + 3, 1, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER);
    FAILS(MPI_Allreduce(all, all, 4, MPI_INT, MPI_SUM, world), MPI_ERR_BUFFER);
    FAILS(
        MPI_Sendrecv(all, 2, MPI_INT, me, 0, all + 1, 2, MPI_INT, me, 0, world, MPI_STATUS_IGNORE),
        MPI_ERR_BUFFER);
    FAILS(MPI_Sendrecv(all, 1, gaps, me, 0, all, 1, gaps, me, 0, world, MPI_STATUS_IGNORE),
          MPI_ERR_BUFFER);
    /* side by side, in the gaps of the other, nothing, and nobody */
    FAILS(
        MPI_Sendrecv(all, 1, MPI_INT, me, 0, all + 1, 1, MPI_INT, me, 0, world, MPI_STATUS_IGNORE),
        MPI_SUCCESS);
    FAILS(MPI_Sendrecv(all, 1, gaps, me, 0, all + 1, 1, gaps, me, 0, world, MPI_STATUS_IGNORE),
          MPI_SUCCESS);
    FAILS(MPI_Sendrecv(all, 1, MPI_INT, me, 0, all, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF,
                       MPI_STATUS_IGNORE),
          me ? MPI_ERR_RANK : MPI_SUCCESS);
    if (!me)
        FAILS(MPI_Recv(all, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE), MPI_SUCCESS);
    FAILS(MPI_Allgather(all, 0, MPI_INT, all, 0, MPI_INT, world), MPI_SUCCESS);
    FAILS(MPI_Allgather(all + n, 1, MPI_INT, all, 1, MPI_INT, world), MPI_SUCCESS);
    MPI_Type_free(&gaps);
}

/* A root that sends more, or less, than the others expect. */
static void amounts(void)
{
    int buf[8] = {0}, me = world_rank(), all[64 * 2];
    if (world_size() < 2)
        return;
    int rc = MPI_Bcast(buf, me ? 2 : 4, MPI_INT, 0, MPI_COMM_WORLD);
    if (me) /* or it learned from another one that ranks disagree */
        CHECK(class_of(rc) == MPI_ERR_TRUNCATE || class_of(rc) == MPI_ERR_OTHER);
    else /* the root sees what others want only in its own cluster */
        CHECK(class_of(rc) == MPI_SUCCESS || class_of(rc) == MPI_ERR_COUNT ||
              class_of(rc) == MPI_ERR_OTHER);
    MPI_Barrier(MPI_COMM_WORLD);
    rc = MPI_Gatherv(buf, me ? 1 : 2, MPI_INT, all, (int[64]){2, 2, 2, 2}, (int[64]){0, 2, 4, 6},
                     MPI_INT, 0, MPI_COMM_WORLD);
    CHECK_EQ(class_of(rc), me ? MPI_SUCCESS : MPI_ERR_COUNT);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A root's own amount is that of all, and those of its blocks another one. */
static void own_amounts(void)
{
    int few[1] = {0}, many[64 * 4] = {0}, root = !world_rank();
    if (world_size() < 2)
        return;
    choose("scatter.algorithm", "scatter-binomial");
    choose("gather.algorithm", "gather-binomial");
    int class =
        class_of(MPI_Scatter(many, root ? 4 : 0, MPI_INT, few, 1, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK(class == MPI_ERR_TRUNCATE || class == MPI_ERR_OTHER);
    MPI_Barrier(MPI_COMM_WORLD);
    class = class_of(MPI_Gather(few, 1, MPI_INT, many, root ? 4 : 0, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK_EQ(class, root ? MPI_ERR_COUNT : MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* One rank has no place for the request, or no info: the others are told. */
static void unmade(void)
{
    MPI_Request q = MPI_REQUEST_NULL;
    MPI_Comm world = MPI_COMM_WORLD;
    int last = world_rank() == world_size() - 1;
    int class = class_of(MPI_Ibarrier(world, last ? NULL : &q));
    CHECK_EQ(class, last ? MPI_ERR_ARG : MPI_SUCCESS);
    if (!last)
        FAILS(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    MPI_Barrier(world); /* of failures in a row the last one is told */
    class = class_of(MPI_Barrier_init(world, last ? (MPI_Info)MPI_COMM_NULL : MPI_INFO_NULL, &q));
    CHECK_EQ(class, last ? MPI_ERR_INFO : MPI_SUCCESS);
    if (!last) {
        MPI_Start(&q);
        FAILS(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_ERR_INFO);
        MPI_Request_free(&q);
    }
    MPI_Barrier(world);
    MPI_Ibarrier(world, &q);
    FAILS(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* Rank 0 gets nothing from an Exscan, and needs no buffer that is its own. */
static void insignificant(void)
{
    int me = world_rank(), in = me + 1, out = -1, sum = me * (me + 1) / 2;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request q;
    FAILS(MPI_Exscan(&in, me ? &out : NULL, 1, MPI_INT, MPI_SUM, world), MPI_SUCCESS);
    CHECK(!me || out == sum);
    FAILS(MPI_Exscan(&in, me ? &out : &in, 1, MPI_INT, MPI_SUM, world), MPI_SUCCESS);
    CHECK(in == me + 1);
    out = -1;
    FAILS(MPI_Iexscan(&in, me ? &out : NULL, 1, MPI_INT, MPI_SUM, world, &q), MPI_SUCCESS);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    CHECK(!me || out == sum);
}

/* All give far more than they want; what comes next is whole. */
static void surplus(void)
{
    enum { MOST = 6000 };
    static int given[MOST];
    int all[64], n = world_size(), me = world_rank();
    for (int turn = 0; turn < 4; turn++) {
        for (int i = 0; i < MOST; i++)
            given[i] = -1;
        int class = class_of(MPI_Allgather(given, MOST, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
        CHECK(class == MPI_ERR_TRUNCATE || class == MPI_ERR_OTHER);
        given[0] = me * 10 + turn;
        FAILS(MPI_Allgather(given, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD), MPI_SUCCESS);
        for (int i = 0; i < n; i++)
            CHECK_EQ(all[i], i * 10 + turn);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    arguments();
    overlaps();
    amounts();
    surplus();
    unmade();
    insignificant();
    own_amounts();
    MPI_Finalize();
    return 0;
}
