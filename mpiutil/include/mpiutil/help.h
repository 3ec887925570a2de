/* SPDX-License-Identifier: MIT */
/* Help: on a machine where nothing interrupts a rank that computes, a thread of the image may do in
 * its place what cannot wait until the program calls MPI again. It is needed only while something
 * of that kind is under way: a long message, or a flow (flow.h). docs/matching.md, While a rank
 * computes. */
#ifndef MPIUTIL_HELP_H
#define MPIUTIL_HELP_H

#include <stdbool.h>
#include <stdint.h>

struct mpu_rank;

/* What is kept of a rank that can be helped, by who is in its place. */
struct mpu_help {
    uint64_t above; /* bytes; the image sets it */
    bool asked;     /* a message of more was not done once it was started, or a flow has begun; it
                       may be over by now. The image takes it back */
    bool helping;   /* in mpu_help_give */
    int flows;      /* that run */
    int barred;     /* mpu_help_bar */
};

/* Image: from now on the rank can be helped. On its own thread, once, before it starts anything; *h
 * stays where it is. */
void mpu_help_from(struct mpu_rank *r, struct mpu_help *h);

/* Image: whether any is under way, so that help makes sense, and nothing bars it. In the rank's
 * place, between calls. */
bool mpu_help_needed(const struct mpu_rank *r);

/* Image, in the rank's place: handles all that has happened, the network included. Nothing between
 * mpu_stop and mpu_start. _pending: something has happened that is not handled. Never wait. */
void mpu_help_give(struct mpu_rank *r);
bool mpu_help_pending(const struct mpu_rank *r);

/* Is the caller in mpu_help_give? Then it must not call functions of the program. */
bool mpu_helping(const struct mpu_rank *r);

/* No help is given from a call with 1 until one with -1: a function of the program runs inside MPI,
 * and may call MPI again. */
void mpu_help_bar(struct mpu_rank *r, int more);

#endif
