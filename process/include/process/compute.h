/* SPDX-License-Identifier: MIT */
/* What a rank's own computation takes in virtual time: docs/compute.md. */
#ifndef IMAGE_COMPUTE_H
#define IMAGE_COMPUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image;
struct image_rank;

enum image_compute {
    IMAGE_COMPUTE_UNSAID, /* the image decides by what its programs are */
    IMAGE_COUNTED,
    IMAGE_MEASURED,
    IMAGE_ANNOTATED,
    IMAGE_NONE,
    IMAGE_COMPUTES
};

/* By enum image_compute; that of UNSAID is "". */
extern const char *const image_compute_names[IMAGE_COMPUTES];

/* What a rank has computed. `calls` is 1 before and after its main. */
struct image_computed {
    int calls;       /* of MPI that it is in, one in the other: it computes while there is none */
    uint64_t milli;  /* thousandths of a cycle that were not charged yet */
    double part;     /* of a cycle, that the program told and was not charged for yet */
    uint64_t cycles; /* charged so far, but for what functions did that MPI called */
    struct {         /* code that nothing counts, as samples found it: uncounted.c */
        uint64_t ns;
        int seen;
        uintptr_t at; /* the last one */
    } sampled;
};

/* A way to know how much a rank has computed. */
struct image_gauge {
    /* Once, before the first rank runs: from now on calls of MPI must go by image_threads_enter.
     * False with one line in why if it cannot be. NULL: not in a program that is linked so. */
    bool (*begin)(struct image *im, char *why, size_t size);
    /* Rank r's main begins and resume follows: what it has computed before is nobody's. NULL:
     * nothing to do. */
    void (*start)(struct image_rank *r);
    /* Rank r, the calling one, computes from now on. NULL: nothing to do. */
    void (*resume)(struct image_rank *r);
    /* Thousandths of a cycle that rank r, the calling one, has computed since this was last asked
     * for it, or since it resumed. */
    uint64_t (*take)(struct image_rank *r);
    /* How much of that a rank keeps for its next call, because it is not worth an event of its own;
     * NULL: less than a cycle. */
    uint64_t (*grain)(void);
    /* Writes what is to be said of the whole job, one line. */
    void (*tell)(char *text, size_t size);
};
extern const struct image_gauge image_counted, image_measured;

/* In virtual time, once, when the programs are loaded and no rank runs yet: decides im->compute if
 * nothing was said. -B_EINVAL with one line in why. */
int image_compute_begin(struct image *im, char *why, size_t size);
void image_compute_end(void);

/* The calling rank's main begins, and is over, whatever calls it has jumped out of. */
void image_compute_start(void);
void image_compute_finish(void);

/* The calling rank begins a call that lets time pass, and comes back from it. What it
 * computed up to here is charged by `enter`, so others may run meanwhile. `leave` gets what `enter`
 * gave: the rank, or NULL on a thread that is none and where nothing is charged. */
struct image_rank *image_compute_enter(void);
void image_compute_leave(struct image_rank *r);

/* MPI calls a function of the calling rank's program, and it has come back: what it computes is
 * charged at its next call, or when it comes back. The one gives what the other is to be given. */
int image_compute_begin_callback(void);
void image_compute_end_callback(int was);

/* Cycles that the calling rank has computed and was not charged for yet. No other rank runs. */
uint64_t image_compute_pending(void);

/* What the calling rank's work of so many cycles takes: image.faster. Parts of a cycle are kept for
 * the next time. */
uint64_t image_compute_scaled(double cycles);

/* Cycles charged so far. */
uint64_t image_compute_cycles(void);

/* For the layer of mpiexec --profile: seconds that the calling rank has been charged so far for
 * what it computed between its calls. */
double image_computed(void);

/* Writes what the times of the job hold of its computation, one line without its end; true: also
 * to be said when nobody asked for statistics. */
bool image_compute_tell(char *text, size_t size);

/* Do all programs of the job name one of these functions (NULL terminated) of a library? */
bool image_programs_call(const struct image *im, const char *const *names);

/* Where address 0 of the program that this process was started as is. */
uintptr_t image_own_base(void);

/* Is code at this address, which rank r runs, counted? */
bool image_is_counted(const struct image_rank *r, uintptr_t at);
/* Was every program of the job built to be counted? If not, *which is one that was not. */
bool image_programs_count(const struct image *im, const char **which);

/* A clock of this computer's in nanoseconds, whatever the program's are. */
uint64_t image_host_ns(int clock);

#endif
