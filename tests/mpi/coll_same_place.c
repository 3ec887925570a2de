/* SPDX-License-Identifier: MIT */
/* Communicators that meet, one after the other, at the same place: of one rank of each process, and
 * of all ranks, with data of any values and up to more than is given there. What one left there the
 * next one does not take for its own. A rank is late, so that others sleep. */
#include "check.h"
#include "draw.h"

enum { TURNS = 60, CALLS = 12, MOST = 2000 };

static unsigned int common = 1;

/* All ranks draw alike. */
static unsigned int word(void)
{
    return draw(&common, 1u << 16) << 16 | draw(&common, 1u << 16);
}

static void reduce(MPI_Comm comm)
{
    static unsigned int in[MOST], out[MOST];
    int n = 1 + (int)draw(&common, MOST);
    for (int i = 0; i < n; i++)
        in[i] = word();
    CHECK_EQ(MPI_Allreduce(in, out, n, MPI_UNSIGNED, MPI_BOR, comm), MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        CHECK_EQ(out[i], in[i]);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, turn % 2 ? rank % 2 : 0, 0, &comm);
        double late = MPI_Wtime() + (rank == turn % 4 ? 0.001 : 0);
        while (MPI_Wtime() < late) {
        }
        for (int i = 0; i < CALLS; i++)
            reduce(comm);
        MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return 0;
}
