/* SPDX-License-Identifier: MIT */
/* Progress: a rank has one bell, and handles whatever rang it. Functions run on the rank's thread,
 * those marked "core" on any thread of its core. */
#ifndef MPIUTIL_PROGRESS_H
#define MPIUTIL_PROGRESS_H

#include <base/link.h>
#include <sys/k_crowd.h>
#include <sys/k_thread.h>

#include "request/request.h"

/* Whether anything has happened that was not handled. */
bool mpu_news(const struct mpu_rank *r);

/* The rank waits until its bell is rung, or, unless it is NULL, the crowd released. */
void mpu_rest(struct mpu_rank *r, struct k_crowd *crowd);

/* Looks whether `seen` as long as the port says that a core which waits should, lets others of the
 * core run meanwhile, and handles what comes. False: in vain. */
bool mpu_look(struct mpu_rank *r, bool (*seen)(void *arg), void *arg);

/* Waits that stand (segment/standing.h), of a rank with MPU_STANDS in its notices: has those go on
 * whose end has come. _rest: looks for that as long as a rank does that is to sleep; false: nothing
 * came, and it may. Only linked where there are any. */
B_IF_LINKED void mpu_standing_look(struct mpu_rank *r);
B_IF_LINKED bool mpu_standing_rest(struct mpu_rank *r);

/* An alarm came from another cluster; owns the arrival. */
void mpu_alarm_arrived(struct mpu_rank *r, struct mpu_arrival *a);

#endif
