/* SPDX-License-Identifier: MIT */
/* Messages to other clusters. Rank's thread only. mpu_post itself is in progress.h. */
#ifndef MPIUTIL_PROGRESS_POST_H
#define MPIUTIL_PROGRESS_POST_H

#include "rank/rank.h"

/* The mails of a rank, from its heap. -B_ENOMEM. */
int mpu_mails_init(struct mpu_rank *r);

/* Looks which messages have arrived: rank's outbox_busy, and whether one failed. */
void mpu_post_progress(struct mpu_rank *r);

/* No message is under way; else the bell rings when the next one has arrived. */
bool mpu_post_done(struct mpu_rank *r);

#endif
