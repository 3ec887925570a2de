/* SPDX-License-Identifier: MIT */
/* mpiexec --profile. */
#ifndef LAUNCHER_PROFILE_PRINT_H
#define LAUNCHER_PROFILE_PRINT_H

#include <stdint.h>
#include <stdio.h>

#include <hal/site.h>
#include <launcher/profile.h>

/* A function, or a place of calls, over all ranks. Seconds of the machine. */
struct profile_sum {
    char name[PROFILE_NAME];
    struct hal_place place;
    uint64_t calls, bytes;
    double seconds, waited[PROFILE_CAUSES];
    double open;    /* in calls that had not ended when the job did, */
    int opened;     /* so many */
    double most;    /* of one rank */
    int rank;       /* that one */
    double longest; /* single wait, */
    int who;        /* for this rank */
};

/* Places of calls, those with most time first; how many. *sum is freed by the caller. */
int profile_sites(struct profile_sum **sum);

/* What the calls waited for most; its name, as "waiting for the sender". */
int profile_cause(const struct profile_sum *s);
const char *profile_cause_name(int cause);

/* Prints what the ranks have recorded (records.h). */
void profile_print(FILE *to);

#endif
