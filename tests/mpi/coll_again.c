/* SPDX-License-Identifier: MIT */
/* A communicator made after another one was freed has its place, where ranks meet: nothing of what
 * the one before did there is left. The collectives that end one and begin the next are of every
 * kind of way, and their numbers overlap. */
#include "coll.h"

#define LONG 3000 /* elements of a vector that goes by messages */

static void shortly(MPI_Comm comm, int n)
{
    int me, value;
    MPI_Comm_rank(comm, &me);
    value = me == n % world_size() ? n : -1;
    MPI_Bcast(&value, 1, MPI_INT, n % world_size(), comm);
    CHECK_EQ(value, n);
}

static void at_length(MPI_Comm comm, int n)
{
    static int given[LONG], sum[LONG];
    for (int i = 0; i < LONG; i++)
        given[i] = n + i;
    MPI_Allreduce(given, sum, LONG, MPI_INT, MPI_SUM, comm);
    CHECK_EQ(sum[LONG - 1], world_size() * (n + LONG - 1));
}

static void to_one(MPI_Comm comm, int n)
{
    int me, all[64] = {0};
    MPI_Comm_rank(comm, &me);
    MPI_Gather(&n, 1, MPI_INT, all, 1, MPI_INT, 0, comm);
    CHECK_EQ(all[world_size() - 1], me == 0 ? n : 0);
}

int main(int argc, char **argv)
{
    static void (*const op[])(MPI_Comm comm, int n) = {shortly, at_length, to_one};
    MPI_Init(&argc, &argv);
    CHECK(world_size() <= 64);
    for (int i = 0; i < 81; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int n = 0, k = i; n < 4; n++, k /= 3)
            op[k % 3](comm, n);
        MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return 0;
}
