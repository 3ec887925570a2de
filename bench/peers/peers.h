/* SPDX-License-Identifier: MIT */
/* One program, built with each library's own mpicc, so that what is compared is the library and
 * nothing else: plain MPI, and the clock is MPI_Wtime. bench/peers/job.py starts it.
 *
 *     peers version
 *     peers PART[:SERIES,...] SECONDS BYTES,BYTES,... MEMORY [SERIES:BYTES,...]
 *
 * The first prints what the library says of itself (MPI_Get_library_version). The second
 * measures every series of a part ("latency", "barrier") at every size, or those that the first
 * argument names. A point takes about SECONDS. Points whose buffers would need more than MEMORY
 * bytes on all ranks together are passed over.
 * SERIES:BYTES leaves that point out: it went on too long before, or is known already.
 *
 * Rank 0 prints, each on a line of its own and at once,
 *     begin,SERIES,BYTES           the point is being measured
 *     point,SERIES,BYTES,SECONDS   the median of its samples
 *     skip,SERIES,BYTES            it would need too much memory, or cannot be cut for the ranks
 *     end                          all was measured
 * A result that is wrong ends the job by MPI_Abort, with a line on standard error. */
#ifndef PEERS_H
#define PEERS_H

#include <stdbool.h>
#include <stddef.h>

#include <mpi.h>

enum { PEERS_SIZES = 32 }; /* most sizes in a command line */

struct peers {
    int rank, ranks;
    double seconds;    /* what a point may take */
    double memory;     /* bytes of all ranks' buffers */
    const char *only;  /* SERIES,...; NULL: all */
    const char *leave; /* SERIES:BYTES,... */
    size_t size[PEERS_SIZES];
    int sizes;
};

/* Does something `times` times in a row. Every rank calls it, those that have no part in it too. */
typedef void peers_batch(void *arg, int times);

/* Measures one point and prints it: seconds of one repetition, times `scale`. All ranks start
 * together and the time is that of the slowest. Collective. */
void peers_point(const struct peers *p, const char *series, size_t bytes, peers_batch *batch,
                 void *arg, double scale);

/* Prints a point that was measured otherwise: the median of n samples, which are sorted. */
void peers_tell(const struct peers *p, const char *series, size_t bytes, double *taken, int n);

/* Begins a point, before its memory is taken. False if it is to be left out: because p->only or
 * p->leave says so, or because each rank would need `each` bytes and that is too much. The same on
 * all ranks. */
bool peers_wanted(const struct peers *p, const char *series, size_t bytes, double each);

/* n bytes and at least one, filled with ones as doubles; ends the job if there are none. */
void *peers_memory(size_t n);

/* Ends the job unless `right`: what of a series came out wrong. */
void peers_check(bool right, const char *series, size_t bytes);

/* The parts. Collective. */
void peers_pair(struct peers *p);
void peers_coll(struct peers *p);
void peers_icoll(struct peers *p);
void peers_types(struct peers *p);
void peers_overlap(struct peers *p);
void peers_programs(struct peers *p);

#endif
