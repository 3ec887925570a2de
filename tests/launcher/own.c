/* SPDX-License-Identifier: MIT */
/* Every rank has its own variables, also where ranks share a process: set before main, by
 * constructors, through pointers and functions, in the C library (getopt, rand, strtok). It is
 * called with: -a -bc -o 5 --long=x rest */
#include <dlfcn.h>
#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int counter = 7, zeros[5000];
static int *inside = &zeros[5];
static const char *const names[] = {"even", "odd"};
static _Alignas(256) int aligned;
static _Thread_local int of_thread = 9, *points = &zeros[5];
static int wrong;

static void count(int n)
{
    counter += n;
}

static void (*function)(int) = count;

__attribute__((constructor)) static void before(void)
{
    zeros[0] += 42;
}

static void after(void)
{
    fprintf(stderr, "after %d\n", counter);
}

static void expect(int yes, const char *what)
{
    if (yes)
        return;
    fprintf(stderr, "%s\n", what);
    wrong = 1;
}

static void options(int argc, char **argv)
{
    static const struct option longs[] = {{"long", required_argument, NULL, 'l'}, {0}};
    char seen[16] = "";
    for (int c; (c = getopt_long(argc, argv, "abco:", longs, NULL)) != -1;) {
        char letter[2] = {(char)c, '\0'};
        strcat(seen, letter);
        if (c == 'o')
            expect(strcmp(optarg, "5") == 0, "argument of -o");
        if (c == 'l')
            expect(strcmp(optarg, "x") == 0, "argument of --long");
    }
    expect(strcmp(seen, "abcol") == 0, "options");
    expect(optind == argc - 1 && strcmp(argv[optind], "rest") == 0, "what follows the options");
}

/* Who prints where a function is, or calls back by name, asks for this. */
static void addresses(void)
{
    Dl_info info;
    expect(dladdr(&counter, &info) != 0 && info.dli_fname && strstr(info.dli_fname, "/"),
           "the file of a variable");
    expect((size_t)((char *)&counter - (char *)info.dli_fbase) < 1 << 20, "where that begins");
}

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atexit(after);
    options(argc, argv);
    addresses();

    expect(zeros[0] == 42 && zeros[4999] == 0, "a constructor's");
    expect(((size_t)&aligned & 255) == 0, "alignment");
    expect(inside == &zeros[5], "a pointer into the program");
    function(rank);
    *inside = rank;
    expect(of_thread == 9 && points == inside, "a thread-local variable's beginning");
    of_thread += rank;
    meet();
    expect(of_thread == 9 + rank && *points == rank, "a thread-local variable");
    expect(counter == 7 + rank && zeros[5] == rank, names[rank & 1]);

    char text[] = "one two";
    srand(3);
    expect(strcmp(strtok(text, " "), "one") == 0, "strtok");
    int first = rand(), least, most;
    meet();
    int second = rand();
    expect(strcmp(strtok(NULL, " "), "two") == 0, "strtok, another rank between");
    MPI_Allreduce(&second, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&second, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect(first != second && least == most, "rand");
    MPI_Finalize();
    return wrong;
}
