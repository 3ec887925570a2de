/* SPDX-License-Identifier: MIT */
/* What the user asked mpiexec for. */
#ifndef LAUNCHER_OPTIONS_H
#define LAUNCHER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <svc/spawn.h>

/* Exit codes of mpiexec's own, beside those of the program (128+s: ended by signal s). */
enum {
    EXIT_USAGE = 2,     /* the command line or the environment makes no sense */
    EXIT_TIMEOUT = 124, /* --timeout */
    EXIT_CANNOT_RUN = 126,
    EXIT_NO_PROGRAM = 127
};

#define RANKS_MAX 1000000 /* of a job */

/* The parts of the computer that a process can be bound to, the smallest first. */
enum part { PART_NONE, PART_THREAD, PART_CORE, PART_L2, PART_L3, PART_NUMA, PART_SOCKET, PART_ALL };

/* One of the programs that make up a job ("a : b" on the command line). */
struct app {
    int ranks;        /* of MPI_COMM_WORLD; 0 until -n says it, and for the I/O rank alone */
    bool io;          /* the rank beside MPI_COMM_WORLD runs it */
    const char *wdir; /* NULL: where mpiexec was started */
    const char *path; /* folders to look for the program in, separated by colons, or NULL */
    char **env;       /* NAME=VALUE that only this program gets, `envs` of them, each NAME once */
    int envs;
    char **command; /* program and its arguments, NULL terminated */
};

struct request {
    struct app *app; /* `apps` of them, in the order of ranks */
    int apps;
    int ranks; /* of all programs, in MPI_COMM_WORLD */
    bool io;   /* one more, on an I/O cluster; it runs the last program */
    const char *machine;
    enum svc_map map;
    int per_cluster;    /* 0: as many as the machine takes by default */
    int per_node;       /* 0: not said; a node is a cluster in virtual time, else this computer */
    int universe;       /* MPI_UNIVERSE_SIZE; 0: the number of ranks; -1: unknown */
    double timeout;     /* seconds of wall time, 0: none */
    const char *output; /* pattern of the files for standard output and error, NULL: mpiexec's */
    const char *errors;
    const char *config;      /* file with the programs, NULL: they are on the command line */
    const char *config_file; /* the same while what it says is read */
    char **config_words, *config_buffer; /* what it said, */
    int *config_lines;                   /* ... and in which line each word */
    bool label, stats, profile, verbose, codes;
    const char *report, *against; /* files, or NULL */
    char *sweep;                  /* --sweep: KEY=VALUES, or NULL; */
    const char *chart;            /* ... the file of its chart, or NULL; */
    char *table;                  /* ... that of the table beside it, or NULL */
    char *own_trace;              /* what a trace without a name is for, as "--report FILE"; */
    char *trace_to;               /* ... the pipe or device that gets it when it is whole; */
    int own_file;                 /* ... its descriptor. NULL, NULL: the trace has a name */
    bool prove;                   /* the profile's prediction, by a second run */
    bool parallel;                /* QEMU: a thread for each hart */
    bool services;  /* memory servers; on machine linux those of names and semaphores, too */
    bool alone;     /* no two ranks on a processor */
    bool bound;     /* --bind-to was given */
    enum part bind; /* to what each process is bound */
    enum part by;   /* consecutive processes go to consecutive parts of this kind */
    int width;      /* of these parts for each process */
    const char
        *virtual_only; /* an option that was given and only makes sense in virtual time, or NULL */
};

/* Fills *r from the command line. Options that are the program's or the machine's environment (-x,
 * --check, --seed, ...) go straight into this process's environment, which the ranks inherit.
 * Returns -1 to go on, or the exit code to end with, everything said already. What *r points to
 * lives as long as mpiexec. */
int options_parse(struct request *r, int argc, char **argv);

/* Gives back what options_parse took, whatever it answered. */
void options_free(struct request *r);

/* Prints "mpiexec: ", the formatted line and a line end on standard error. */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

/* From now on the place in a file stands before what is complained of. NULL: no more. */
void complain_of(const char *file, int line);

/* The shortest of `names` (NULL terminated) that begins with `word`, or the one that differs least
 * from it. NULL: none is near. */
const char *suggest(const char *word, const char *const *names);

/* An option of another launcher: its names without dashes, how many words after it are its own if
 * it is passed over (REFUSED: it is not), and what is so here, or does the same (NULL: nothing to
 * say). */
enum { FOREIGN_NAMES = 7, REFUSED = -1 };
struct foreign {
    const char *names[FOREIGN_NAMES];
    int values;
    const char *here;
};

/* The option of another launcher that has this name, NULL if there is none. */
const struct foreign *foreign(const char *name);

/* The words of a configuration file (MPI 5.0, 11.5): a line per program, '#' begins a comment, a
 * backslash at the end joins lines, quotes as in a shell; the lines come joined by ":". NULL after
 * a complaint. The list is NULL terminated; it, *buffer, where the words are, and *lines, the
 * numbers of theirs and of the list's end, are to be freed. */
char **config_words(const char *path, char **buffer, int **lines);

#endif
