/* SPDX-License-Identifier: MIT */
/* The recorded job (records.h) once more on paper: predict.c goes through it, turns.c says who gets
 * which message. Times are ticks of the records' clock. */
#ifndef LAUNCHER_REPLAY_H
#define LAUNCHER_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"

struct event {
    double at;       /* as it was, then as the last replay has it */
    uint64_t number; /* of the rank's record */
    int rank;
    int before; /* events of its rank at this time before it: a call begins as another one ends */
    bool ends;
    bool in_vain; /* it asked for what a later call got, and takes no time */
    bool passed;  /* it begins after such a one: what was computed before it may be needed or not */
};

/* A collective: who must have come, and when they did, as it was and as it would be. */
struct meeting {
    uint64_t id;
    double all_old, all, root_old, root;
};

struct replay {
    struct event *event;
    size_t events;
    double **begin; /* of each rank's records: the new time */
    double *now;    /* of each rank: the new time up to which it has come, */
    uint64_t *was;  /* ... which was this one */
    struct meeting *meeting;
    size_t meetings;
    const struct records_part **
        *turn;      /* of each rank's records: the send that it gets; NULL: its own */
    uint64_t *some; /* of each rank: the number of its last call, if that got several messages of
                     * which each would have done; UINT64_MAX: it did not */
    int rank;
    double factor;
    double part; /* of the rank's time between calls, in which it computed */
    bool idles;
};

/* When the call of the rank that began at that time would begin; < 0: it is not known. */
double replay_begin_of(const struct replay *p, int rank, uint64_t at);

/* Puts the events in the order of their times. */
void replay_sort(struct replay *p);

/* From the times of the last replay: which messages ranks get in the next one, and the order of its
 * events. False: no rank may choose, another replay would be the same. */
bool replay_choose(struct replay *p);

#endif
