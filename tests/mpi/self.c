/* SPDX-License-Identifier: MIT */
/* Defect 5 of the ancestor: a send to oneself always deadlocked. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    unsigned char out[96], in[96];
    int rank = world_rank(), count;
    MPI_Status s;
    for (int n = 0; n < 50; n++) {
        int size = n % 97;
        fill(out, size, rank, n);
        MPI_Send(out, size, MPI_BYTE, rank, n, MPI_COMM_WORLD);
        MPI_Send(&n, 1, MPI_INT, 0, n, MPI_COMM_SELF);
    }
    for (int n = 49; n >= 0; n--) {
        int got = -1;
        MPI_Recv(in, 96, MPI_BYTE, MPI_ANY_SOURCE, n, MPI_COMM_WORLD, &s);
        MPI_Get_count(&s, MPI_BYTE, &count);
        CHECK_EQ(count, n % 97);
        CHECK_EQ(s.MPI_SOURCE, rank);
        check_filled(in, count, rank, n);
        MPI_Recv(&got, 1, MPI_INT, 0, n, MPI_COMM_SELF, &s);
        CHECK_EQ(got, n);
        CHECK_EQ(s.MPI_SOURCE, 0);
    }
    MPI_Finalize();
    return 0;
}
