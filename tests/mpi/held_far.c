/* SPDX-License-Identifier: MIT */
/* All ranks but one have so many sends under way that the receiver's cluster has no room for their
 * headers, and the receiver takes them in the reverse order; then, fewer, from anybody. */
#include "check.h"

enum { SENDS = 800, FEW = 60, BYTES = 2048 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    static int buf[BYTES / sizeof(int)], in[BYTES / sizeof(int)];
    static MPI_Request q[SENDS];
    buf[0] = rank;
    for (int round = 0; round < 2; round++) {
        int sends = round ? FEW : SENDS;
        for (int i = 0; rank > 0 && i < sends; i++)
            MPI_Isend(buf, BYTES, MPI_BYTE, 0, i, MPI_COMM_WORLD, &q[i]);
        for (int i = sends; rank == 0 && i-- > 0;)
            for (int k = 1; k < ranks; k++) {
                MPI_Status s;
                MPI_Recv(in, BYTES, MPI_BYTE, round ? MPI_ANY_SOURCE : k, i, MPI_COMM_WORLD, &s);
                CHECK(in[0] == s.MPI_SOURCE && (round || s.MPI_SOURCE == k));
            }
        if (rank > 0)
            MPI_Waitall(sends, q, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
