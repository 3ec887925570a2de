/* SPDX-License-Identifier: MIT */
/* Credit: how many eager messages a rank may send ahead of the receives of a rank in another
 * cluster, so that no sender can fill the memory that the messages of others need.
 * docs/matching.md. Rank's thread only. */
#ifndef MPIUTIL_TRANSPORT_CREDIT_H
#define MPIUTIL_TRANSPORT_CREDIT_H

#include "rank/rank.h"

/* How many messages that it does not want yet a rank may have from another one: of a job with so
 * many ranks here, if the cluster has so many cells for them all; within bounds. */
int mpu_credit_window(const struct svc_job *job, int locals, size_t cells, int least, int most);

/* Sender: takes credit for n eager messages to rank `to`; false: so much is not left. */
bool mpu_credit_spend(struct mpu_rank *r, int to, int n);

/* Sender: takes what a message says that was consumed; false: more than was sent. */
bool mpu_credit_take(struct mpu_rank *r, const struct mpu_wire *w);

/* Receiver: n eager messages of rank `from` were consumed. Tells it once enough were. */
void mpu_credit_owe(struct mpu_rank *r, int from, int n);

/* Receiver: what to tell rank `to` along with a message; it is then told. */
uint8_t mpu_credit_give(struct mpu_rank *r, int to);

/* Receiver: tells the peers that are owed enough, as far as the outbox takes it. */
void mpu_credit_next(struct mpu_rank *r);

#endif
