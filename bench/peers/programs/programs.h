/* SPDX-License-Identifier: MIT */
/* Small programs of the kinds that people run with MPI. Each solves the same problem on any number
 * of ranks, and can tell whether what came out is right. */
#ifndef PEERS_PROGRAMS_H
#define PEERS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

struct program {
    const char *name;
    int steps;                    /* of a whole run: what a step is tells each file */
    double bytes;                 /* memory of all ranks together, at most */
    bool (*suits)(int ranks);     /* can the problem be cut into so many parts? */
    void *(*make)(MPI_Comm comm); /* the problem before its first step */
    void (*run)(void *problem, int steps);
    const char *(*wrong)(void *problem, double *result); /* what is wrong after a run, or NULL;
                                    * result: a number that any number of ranks must come to */
    void (*release)(void *problem);
};

extern const struct program program_md, program_adi, program_ssor, program_stencil, program_cg,
    program_sort, program_bfs;

/* The first of n things that part i of `parts` holds; part i ends where part i + 1 begins. */
static inline int programs_cut(int n, int parts, int i)
{
    return (int)((int64_t)n * i / parts);
}

/* Random bits that depend on x alone, so that every rank can make any part of the same input
 * (the mixing function of SplitMix64). */
static inline uint64_t programs_random(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The same as a number from 0 to below 1. */
static inline double programs_fraction(uint64_t x)
{
    return (double)(programs_random(x) >> 11) * 0x1p-53;
}

/* n bytes of zeros, at the beginning of a cache line; ends the job if there are none. */
void *programs_memory(size_t n);

/* Ends the job unless `holds`. */
void programs_must(bool holds, const char *what);

/* The ranks of comm as a grid; periodic: in every dimension. */
MPI_Comm programs_grid(MPI_Comm comm, int dimensions, int *parts, int *at, bool periodic);

/* The same for a square of side * side points that is cut in both directions: of each the first
 * point of this rank, how many it has, and its neighbours, MPI_PROC_NULL at the rim. */
MPI_Comm programs_square(MPI_Comm comm, int side, int *first, int *size, int *low, int *high);

#endif
