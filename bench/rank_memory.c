/* SPDX-License-Identifier: MIT */
/* What memory ranks that share a process take, all of it: MPI's, the program's variables, the
 * system's. Prints two lines "KB beside stacks, KB of stacks": when all ranks have started, and
 * when each has sent 4 bytes to each. Two numbers of ranks tell what one rank takes. Linux.
 * A barrier parts the rounds of messages: what is left is what ranks know of each other. Without
 * it a rank whose neighbour has not run yet leaves messages unreceived, as many as the order in
 * which ranks run brings about. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

struct memory {
    long beside, stacks;
};

enum { STACK = 4 << 20 }; /* address space that only mappings of stacks have */

/* Pages that were written to: those of files that were only read are there once for all, and how
 * many of them are this process's depends on who else has them (Linux before 6.0 does not tell them
 * apart). A page that n processes or mappings share counts for 1/n. The ranks' stacks lie in one
 * mapping without a name, or in a few, where the system put another one between: the only large
 * ones. */
static struct memory measure(void)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    struct memory m = {0, 0};
    char line[512];
    int stack = 0;
    long kb, all = 0;
    unsigned long from, to, file_number;

    if (!file) {
        fprintf(stderr, "rank_memory: /proc/self/smaps cannot be read\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(1);
    }
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%lx-%lx %*s %*s %*s %lu", &from, &to, &file_number) == 3)
            stack = to - from >= STACK && !file_number;
        else if (sscanf(line, "Pss: %ld kB", &kb) == 1)
            *(stack ? &m.stacks : &m.beside) += all = kb;
        else if (sscanf(line, "Pss_Dirty: %ld kB", &kb) == 1)
            *(stack ? &m.stacks : &m.beside) -= all - kb;
    fclose(file);
    return m;
}

static void all_pairs(int rank, int ranks)
{
    for (int i = 1; i < ranks; i++) {
        int out = rank, in = -1, to = (rank + i) % ranks, from = (rank + ranks - i) % ranks;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Sendrecv(&out, 1, MPI_INT, to, 0, &in, 1, MPI_INT, from, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (in != from) {
            fprintf(stderr, "rank_memory: rank %d got %d from rank %d\n", rank, in, from);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int traffic = 0; traffic < 2; traffic++) {
        if (traffic)
            all_pairs(rank, ranks);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == ranks - 1) {
            struct memory m = measure();
            printf("%ld %ld\n", m.beside, m.stacks);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
