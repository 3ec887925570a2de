/* SPDX-License-Identifier: MIT */
/* Held sends: flow control of messages that are only announced. docs/matching.md. Rank's thread
 * only. */
#ifndef MPIUTIL_PROTOCOL_HOLD_H
#define MPIUTIL_PROTOCOL_HOLD_H

#include "rank/rank.h"

/* Sender ------------------------------------------------------------------------------------- */

/* What holds sends to that rank, if any are held, or may be again; else NULL. */
struct mpu_hold *mpu_hold_some(const struct mpu_rank *r, int world);

/* A send that is about to leave: true, it is held, because others before it are; it counts as sent
 * by rendezvous. Not a lazy one: its copy will be. */
bool mpu_hold_behind(struct mpu_rank *r, struct mpu_request *q);

/* A send is about to be announced: true, it is held, because as many are as may be, or because
 * others before it are. */
bool mpu_hold_full(struct mpu_rank *r, struct mpu_request *q);

/* It is announced, as the answer to a WANT or in order; true: its header must say that no more may
 * be. _left: it waits for its receiver no more. */
bool mpu_hold_announced(struct mpu_rank *r, struct mpu_request *q, bool found);
void mpu_hold_left(struct mpu_rank *r, struct mpu_request *q);

/* Announces held sends, as far as it is allowed and the outbox takes it. */
void mpu_hold_next(struct mpu_rank *r);

/* A held one is taken out; false: it is not held. */
bool mpu_hold_cancel(struct mpu_rank *r, struct mpu_request *q);

/* Messages of the receiver; all own the arrival. */
void mpu_hold_wanted(struct mpu_rank *r, struct mpu_arrival *a);
void mpu_hold_refused(struct mpu_rank *r, struct mpu_arrival *a);

/* Receiver ----------------------------------------------------------------------------------- */

/* An announcement that nobody matched says that its sender may hold others. */
void mpu_want_more(struct mpu_rank *r, int from);

/* With such senders: a receive was posted that nothing matched, or a probe of messages from this
 * one (or MPU_ANY) found nothing. */
void mpu_want_missed(struct mpu_rank *r);
void mpu_want_probed(struct mpu_rank *r, int from);

/* Asks for what posted receives want, as far as the outbox takes it. */
void mpu_want_next(struct mpu_rank *r);

/* Messages of the sender; all own the arrival. */
void mpu_want_found(struct mpu_rank *r, struct mpu_arrival *a);
void mpu_want_over(struct mpu_rank *r, struct mpu_arrival *a);

#endif
