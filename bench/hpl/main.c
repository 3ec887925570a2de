/* SPDX-License-Identifier: MIT */
/* HPL alone, with HPCC's functions: xhpl [N [NB]]. The grid is as square as the number of ranks
 * allows. HPL reads its parameters from a file of the working folder and writes what it did to
 * another one; both are made in a folder that is removed at the end, and the result is one line. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <unistd.h>

#include <hpl.h>

#define IN  "hpccinf.txt"
#define OUT "hpccoutf.txt"

int HPL_main(int argc, char **argv, HPL_RuntimeData *data, int *failed);
int HPCC_Defaults(void);

/* HPCC's own parameters, for want of a file. */
int HPCC_Defaults(void)
{
    fprintf(stderr, "hpl: " IN " cannot be read\n");
    return MPI_Abort(MPI_COMM_WORLD, 1);
}

/* What the file says beside the sizes: ho-2015 gives none of it, so as in HPL's own example. */
static void write_parameters(FILE *f, int n, int nb, int rows, int columns)
{
    static const struct {
        const char *value, *what;
    } rest[] = {{"16.0", "threshold"},
                {"1", "number of panel factorizations"},
                {"2", "panel factorization: right"},
                {"1", "number of recursive stopping criteria"},
                {"4", "recursive stopping criterion"},
                {"1", "number of panels in recursion"},
                {"2", "panels in recursion"},
                {"1", "number of recursive panel factorizations"},
                {"1", "recursive panel factorization: Crout"},
                {"1", "number of broadcasts"},
                {"1", "broadcast: modified ring"},
                {"1", "number of lookahead depths"},
                {"0", "lookahead depth"},
                {"2", "swap: mixed"},
                {"64", "swapping threshold"},
                {"0", "L1 transposed"},
                {"0", "U transposed"},
                {"1", "equilibration"},
                {"8", "alignment of memory in doubles"}};
    fprintf(f,
            "HPL\nfor one run\n" OUT "\n6 device\n1 number of Ns\n%d N\n1 number of NBs\n%d NB\n"
            "0 ranks by rows\n1 number of grids\n%d P\n%d Q\n",
            n, nb, rows, columns);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        fprintf(f, "%s %s\n", rest[i].value, rest[i].what);
}

/* Rank 0 makes the folder. Ranks may share a process, and its working folder with it. */
static void enter(char *folder, int n, int nb, int rows, int columns)
{
    FILE *f = mkdtemp(folder) && chdir(folder) == 0 ? fopen(IN, "w") : NULL;
    if (!f) {
        fprintf(stderr, "hpl: %s: cannot be made\n", folder);
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(1);
    }
    write_parameters(f, n, nb, rows, columns);
    fclose(f);
}

static void leave(const char *folder)
{
    remove(IN);
    remove(OUT);
    if (chdir("/") == 0)
        rmdir(folder);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/hpl.XXXXXX";
    HPL_RuntimeData data;
    int failed = 0, rank, size, rows = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i * i <= size; i++)
        rows = size % i == 0 ? i : rows;
    int n = argc > 1 ? atoi(argv[1]) : 1250, nb = argc > 2 ? atoi(argv[2]) : 32;
    if (rank == 0)
        enter(folder, n, nb, rows, size / rows);
    MPI_Barrier(MPI_COMM_WORLD);
    HPL_main(argc, argv, &data, &failed);
    if (rank == 0) {
        leave(folder);
        printf("hpl: N %d, NB %d, %d x %d, residual %s; MPI, %d ranks, %.4f GFLOPS; %.6f s\n", n,
               nb, rows, size / rows, failed ? "failed" : "passed", size, data.Gflops, data.time);
    }
    MPI_Finalize();
    return failed;
}
