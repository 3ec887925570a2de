// SPDX-License-Identifier: MIT
// C++ hears of a full cluster by an exception, and its containers give back what they had. Values
// that compilers keep per thread stay the rank's.
#include <mpi.h>

#include <cstdio>
#include <new>
#include <vector>

static thread_local int mine = -1;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, failures = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank;
    for (int i = 0; rank == 0 && i < 100; i++) {
        std::vector<char> half(1u << 20, 'a');
        bool thrown = false;
        try {
            std::vector<char> more(1u << 21);
            failures += more[5] == 0;
        } catch (const std::bad_alloc &) {
            thrown = true;
        }
        failures += !thrown || half[1 << 19] != 'a';
    }
    MPI_Barrier(MPI_COMM_WORLD);
    failures += mine != rank;
    if (failures != 0)
        std::printf("rank %d: %d failures\n", rank, failures);
    MPI_Finalize();
    return failures != 0;
}
