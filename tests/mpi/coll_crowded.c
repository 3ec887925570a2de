/* SPDX-License-Identifier: MIT */
/* More communicators than the machine has places for in shared memory: those that come too late
 * get the same results by other ways. */
#include "check.h"

enum { COMMS = 40, MOST = 32 };

static void check_comm(MPI_Comm comm)
{
    int size, me, out[MOST], in[MOST], one, got = -1;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &me);
    CHECK(size <= MOST);
    for (int i = 0; i < size; i++)
        out[i] = me * MOST + i;
    CHECK(MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm) == MPI_SUCCESS);
    for (int i = 0; i < size; i++)
        CHECK_EQ(in[i], i * MOST + me);
    one = me + 1;
    CHECK(MPI_Allgather(&one, 1, MPI_INT, in, 1, MPI_INT, comm) == MPI_SUCCESS);
    for (int i = 0; i < size; i++)
        CHECK_EQ(in[i], i + 1);
    CHECK(MPI_Scan(&one, &got, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    CHECK_EQ(got, (me + 1) * (me + 2) / 2);
    CHECK(MPI_Exscan(&one, &got, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    if (me > 0)
        CHECK_EQ(got, me * (me + 1) / 2);
    CHECK(MPI_Allreduce(&one, &got, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    CHECK_EQ(got, size * (size + 1) / 2);
    one = me == size - 1 ? 77 : 0;
    CHECK(MPI_Bcast(&one, 1, MPI_INT, size - 1, comm) == MPI_SUCCESS);
    CHECK_EQ(one, 77);
}

int main(int argc, char **argv)
{
    MPI_Comm comm[COMMS];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < COMMS; i++)
        CHECK(MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? -world_rank() : 0, &comm[i]) ==
              MPI_SUCCESS);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < COMMS; i++)
            check_comm(comm[i]);
    for (int i = 0; i < COMMS; i++)
        CHECK(MPI_Comm_free(&comm[i]) == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
