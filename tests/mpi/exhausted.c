/* SPDX-License-Identifier: MIT */
/* Rank 1 keeps all memory of its cluster for itself, if there is an argument; rank 0 sends it
 * messages that it does not ask for, and then the one that it waits for. Those lie in its memory:
 * if there is none the one behind cannot come in, and the report says so. */
#include "check.h"
#include "full.h"

enum { MANY = 2000, UNASKED = 1, ASKED = 2, READY = 3 };

int main(int argc, char **argv)
{
    int rank, word = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&word, 1, MPI_INT, 1, READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < MANY; i++)
            MPI_Send(&i, 1, MPI_INT, 1, UNASKED, MPI_COMM_WORLD);
        MPI_Send(&word, 1, MPI_INT, 1, ASKED, MPI_COMM_WORLD);
    } else if (rank == 1) {
        if (argc > 1) {
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
            take_all();
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        }
        MPI_Send(&word, 1, MPI_INT, 0, READY, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, 0, ASKED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < MANY; i++) {
            MPI_Recv(&word, 1, MPI_INT, 0, UNASKED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(word == i);
        }
    }
    MPI_Finalize();
    return 0;
}
