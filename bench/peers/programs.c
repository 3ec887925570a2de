/* SPDX-License-Identifier: MIT */
/* Whole programs: the time from the barrier behind their preparation to the end of their last
 * step, on the slowest rank. Before it a few steps on all ranks must come to what one rank alone
 * comes to; after it each program checks what the whole run came to. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"
#include "programs/programs.h"

enum {
    RUNS = 3,   /* that are measured */
    SHORT = 20, /* a short run has a SHORTth of the steps */
    LINE = 64,  /* where memory begins, so that all libraries compute with the same */
};

static const struct program *const program[] = {&program_md,      &program_adi, &program_ssor,
                                                &program_stencil, &program_cg,  &program_sort,
                                                &program_bfs};

enum { PROGRAMS = sizeof program / sizeof *program };

void programs_must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "peers: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 4);
    exit(4);
}

void *programs_memory(size_t n)
{
    size_t lines = n / LINE + 1;
    void *memory = aligned_alloc(LINE, lines * LINE);

    programs_must(memory != NULL, "no memory for a program");
    return memset(memory, 0, lines * LINE);
}

MPI_Comm programs_grid(MPI_Comm comm, int dimensions, int *parts, int *at, bool periodic)
{
    int ranks, rank, around[3] = {periodic, periodic, periodic};
    MPI_Comm grid;

    MPI_Comm_size(comm, &ranks);
    for (int d = 0; d < dimensions; d++)
        parts[d] = 0;
    MPI_Dims_create(ranks, dimensions, parts);
    MPI_Cart_create(comm, dimensions, parts, around, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, dimensions, at);
    return grid;
}

MPI_Comm programs_square(MPI_Comm comm, int side, int *first, int *size, int *low, int *high)
{
    int parts[2], at[2];
    MPI_Comm grid = programs_grid(comm, 2, parts, at, false);

    for (int d = 0; d < 2; d++) {
        first[d] = programs_cut(side, parts[d], at[d]);
        size[d] = programs_cut(side, parts[d], at[d] + 1) - first[d];
        MPI_Cart_shift(grid, d, 1, &low[d], &high[d]);
    }
    return grid;
}

/* Runs a program and checks it. Returns seconds of this rank. */
static double run(const struct program *of, MPI_Comm comm, int steps, double *result)
{
    void *problem = of->make(comm);

    MPI_Barrier(comm);
    double start = MPI_Wtime();
    of->run(problem, steps);
    double end = MPI_Wtime();
    const char *wrong = of->wrong(problem, result);
    if (wrong)
        fprintf(stderr, "peers: %s: %s\n", of->name, wrong);
    programs_must(!wrong, "a program came out wrong");
    of->release(problem);
    return end - start;
}

/* All ranks together come to what one of them comes to, but for the rounding of sums. */
static void compare(const struct peers *p, const struct program *of, int steps)
{
    double together, alone;

    run(of, MPI_COMM_WORLD, steps, &together);
    if (p->rank == 0) {
        run(of, MPI_COMM_SELF, steps, &alone);
        programs_must(fabs(together - alone) <= 1e-9 * fabs(alone),
                      "a program's result depends on the number of ranks");
    }
}

static void measure(const struct peers *p, const struct program *of, size_t percent)
{
    int steps = (int)((size_t)of->steps * percent / 100);
    double taken[RUNS], result;

    compare(p, of, of->steps / SHORT);
    for (int i = 0; i < RUNS; i++) {
        double mine = run(of, MPI_COMM_WORLD, steps > 0 ? steps : 1, &result);
        MPI_Allreduce(&mine, &taken[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    peers_tell(p, of->name, percent, taken, RUNS);
}

void peers_programs(struct peers *p)
{
    for (int k = 0; k < PROGRAMS; k++)
        for (int i = 0; i < p->sizes; i++) {
            const struct program *of = program[k];
            double each = of->suits(p->ranks) ? of->bytes / p->ranks : HUGE_VAL;
            if (peers_wanted(p, of->name, p->size[i], each))
                measure(p, of, p->size[i]);
        }
}
