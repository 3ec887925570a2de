// SPDX-License-Identifier: MIT
// The streams of C++ are variables of a library that live in the program, and hold addresses of
// themselves. Each rank has its own, as good as new, whatever ranks that began before did with
// theirs.
#include <mpi.h>

#include <iostream>
#include <string>

static const int WORDS = 40; // a stream has room for 8, then it makes more

static int first[WORDS];

static void grow(std::ostream &out, int *index, int value)
{
    for (int i = 0; i < WORDS; i++) {
        index[i] = std::ios_base::xalloc();
        out.iword(index[i]) = value + i;
    }
}

static const bool grown = (grow(std::cout, first, 7), true);

int main(int argc, char **argv)
{
    int rank, last[WORDS], failures = 0;
    failures += !grown || std::cout.precision() != 6 || std::cerr.tie() != &std::cout;
    std::cout.precision(12);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    grow(std::cout, last, 100 * rank);
    grow(std::cerr, last, 100 * rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < WORDS; i++)
        failures += std::cout.iword(first[i]) != 7 + i || std::cerr.iword(last[i]) != 100 * rank + i;
    std::ios::sync_with_stdio(false);
    std::cout << "rank ";
    std::cerr << "error of ";
    MPI_Barrier(MPI_COMM_WORLD); // the others write between the halves of a line
    std::cout << rank << std::endl;
    std::cerr << rank << std::endl;
    MPI_Finalize();
    return failures != 0;
}
