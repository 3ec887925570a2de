/* SPDX-License-Identifier: MIT */
/* The calls of the job's ranks, as the layer in front of MPI's functions recorded them
 * (launcher/profile.h). All that --profile, --trace and --report say of ranks is made of these. */
#ifndef LAUNCHER_RECORDS_H
#define LAUNCHER_RECORDS_H

#include <stdbool.h>

#include <launcher/profile.h>

#include "plan.h"

extern struct profile_rank *records_rank; /* records_ranks of them */
extern int records_ranks;

/* Makes the records of the plan's ranks and tells the processes that are started from now on where
 * they are. -1, or an exit code. */
int records_create(const struct plan *plan);

/* The job has ended; on machine linux its clock says `now` nanoseconds. From here on: */
void records_settle(uint64_t now);

/* Calls from places for which there was no room. */
uint64_t records_unplaced(void);

/* So many ticks in seconds; the machine's time in seconds when the ticks' clock said `at`. */
double records_seconds(uint64_t ticks);
double records_time(uint64_t at);

/* Number of the first call of a rank that its ring still holds; the last one is the one before
 * records_rank[rank].recorded. */
uint64_t records_first(int rank);
const struct profile_record *records_at(int rank, uint64_t i);

/* The rank's call that had not ended when the job did; it counts until then. NULL: there is none.
 * Of several threads' the latest. */
const struct profile_record *records_open(int rank);

/* When the rank's first call that is held began, or its MPI_Init had ended, if all are; when it
 * called MPI_Finalize, or its last call ended. */
uint64_t records_begin(int rank);
uint64_t records_end(int rank);

/* Names of what a record's numbers say; of a communicator without one its number, until the next
 * call. */
const char *records_function(int rank, const struct profile_record *r);

/* Did it ask whether something is there, in vain or with nothing to show for it? */
bool records_asks(int rank, const struct profile_record *r);

/* Does the call take a message that came in it? MPI_Probe only looks. */
bool records_takes(int rank, const struct profile_record *call);
const char *records_comm(int rank, uint32_t comm);

/* Where a message began: at its sender when the send did, at its receiver when the receive did. */
struct records_part {
    uint64_t id, at;
    int rank;
    const struct profile_record *record;
};
/* Finds all that are held, for these two, which answer NULL for those that are not: by the number
 * of the message. False: no memory. Until records_release. */
bool records_index(void);
const struct records_part *records_sent(uint64_t id);
const struct records_part *records_asked(uint64_t id);
void records_release(void);

#endif
