/* SPDX-License-Identifier: MIT */
/* What the programs beside this file share: options, sizes, repetitions, lines. They print the
 * columns of the OSU micro-benchmarks, so that what reads those reads these. */
#ifndef OSU_H
#define OSU_H

#include <stdbool.h>
#include <stddef.h>

#include <mpi.h>

struct osu {
    int rank, ranks;
    const char *name;        /* first argument that is no option, or NULL */
    size_t least, most;      /* -m [LEAST:]MOST, bytes of a message */
    int iterations, skip;    /* -i, -x: measured and unmeasured repetitions; -1: by size */
    int window;              /* -W: messages in a row before an answer */
    int from, to;            /* -p FROM:TO, the ranks of osu_send */
    bool full;               /* -f: also minimum, maximum, iterations */
    bool row;                /* -r: collectives one after another, measured as a whole */
    struct osu_block *block; /* memory to be freed at the end */
};

/* Calls MPI_Init and reads the command line into *o, which holds the program's own sizes. Ends the
 * program after --help or a wrong argument, or if there are not `ranks` ranks (0: any number, -2:
 * any even number). `more` is the line of --help about the name, NULL if there is none. */
void osu_begin(struct osu *o, int argc, char **argv, int ranks, const char *more);

/* Ends MPI and the program with this code; rank 0 says why. For what all ranks see alike. */
_Noreturn void osu_leave(const struct osu *o, int code, const char *why, const char *what);

/* Repetitions for messages of n bytes. */
int osu_iterations(const struct osu *o, size_t n);
int osu_skip(const struct osu *o, size_t n);

/* The size after n: twice as much, 1 after 0. */
size_t osu_next(size_t n);

/* n bytes, filled; they are freed by osu_end. */
void *osu_memory(struct osu *o, size_t n);

/* Frees the memory, calls MPI_Finalize. */
void osu_end(struct osu *o);

/* Prints on rank 0 only. */
void osu_say(const struct osu *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "# OSU MPI <what> Test", then the names of the columns. */
void osu_title(const struct osu *o, const char *what, const char *columns);

/* One line of a table of latencies: mine in microseconds, of all ranks their average, and if
 * o->full their minimum and maximum. Collective. */
void osu_latency(const struct osu *o, size_t n, double mine, int iterations);

/* Cycles of a second where time is virtual; 0 where it is real and passes by itself. */
double osu_virtual_hz(void);

/* One line of a table of overlap: seconds of a repetition, with as much computation between start
 * and end as the communication takes alone. The computation does not enter MPI; where time is
 * virtual it is modelled work. */
struct osu_overlap {
    double overall, compute, pure;
};
#define OSU_OVERLAP_COLUMNS                                                                        \
    "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n"                                   \
    "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)"
void osu_overlap(const struct osu *o, size_t n, const struct osu_overlap *mine);

/* Measures it: start(arg, n, q) begins a communication with at most two requests. Collective. */
struct osu_overlap osu_measure_overlap(const struct osu *o, size_t n,
                                       void (*start)(void *arg, size_t n, MPI_Request *q),
                                       void *arg);

#endif
