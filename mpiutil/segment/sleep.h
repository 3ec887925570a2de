/* SPDX-License-Identifier: MIT */
/* How a rank waits for what others write to memory that clusters share, and how those tell it.
 *
 * Who waits looks for a while, lets others run, then counts itself among those that sleep and looks
 * once more; who writes looks for sleepers afterwards, and tells their clusters. All of that is in
 * one order (seq_cst), so one of the two sees the other. Who sleeps watches one word, so that it is
 * woken for what it waits for alone.
 *
 * Where cores look again by themselves (k_info.naps) who writes for a blocking call has no fence
 * in between (s->relaxed), for which it would wait as long as its line takes, and both may miss the
 * other. So who goes to sleep looks on for longer than that takes; should it ever take longer, it
 * finds the word when its core has napped. Who does not sleep there, but computes, or sleeps for
 * something else, must be told: so the places of nonblocking calls are not relaxed. */
#ifndef MPIUTIL_SEGMENT_SLEEP_H
#define MPIUTIL_SEGMENT_SLEEP_H

#include "segment/cluster.h"

typedef _Atomic uint32_t mpu_word;

/* What a rank sleeps for, as who writes tells those alone whom it may concern: what other leaders
 * do, the data of a multicast, or room for it. */
enum mpu_sleeps_for { MPU_FOR_LEADERS, MPU_FOR_DATA, MPU_FOR_ROOM, MPU_SLEEPS_FOR };

struct mpu_await;

/* One thing that ranks wait for. */
struct mpu_awaited {
    enum mpu_sleeps_for reason;
    /* The word that must change before it can have come; NULL: it has come. */
    mpu_word *(*pending)(struct mpu_await *a);
    /* Whether a wait that is cancelled may end without; NULL: yes. */
    bool (*may_leave)(struct mpu_await *a);
    /* Before the rank sleeps: tells what others may wait for meanwhile. NULL: nothing. */
    void (*before)(struct mpu_await *a);
};

struct mpu_await {
    struct mpu_segment *segment;
    struct mpu_rank *rank;
    struct mpu_visit *visit; /* asked whether it is cancelled; `left` is filled in */
    const struct mpu_awaited *awaited;

    mpu_word *word; /* it sleeps: the word that it watches, */
    uint32_t seen;  /* ... as long as that has this value; filled in */
};

/* Looks whether `seen` for as long as is best before a rank goes to sleep, handles what comes and
 * lets others run meanwhile. False: in vain. */
bool mpu_look_on(struct mpu_rank *r, bool (*seen)(void *arg), void *arg);

/* Waits until nothing is pending. False: it left. */
bool mpu_await_word(struct mpu_await *a);

/* The parts of a sleep. The rank counts itself among those that sleep for it, or no longer; has the
 * kernel watch the word, as long as that does not change. */
void mpu_await_begin(struct mpu_await *a);
void mpu_await_end(struct mpu_await *a);
void mpu_await_watch(struct mpu_await *a, mpu_word *word, struct k_watch *w);

/* After words were written: tells the clusters of those that sleep for it. */
void mpu_tell(const struct mpu_segment *s, const struct mpu_rank *r, enum mpu_sleeps_for reason);

#endif
