/* SPDX-License-Identifier: MIT */
/* Matching: the posted receives and the unexpected messages of one rank. Owned by the rank's
 * core, so there is no lock. Pure data: docs/matching.md. */
#ifndef MPIUTIL_MATCH_H
#define MPIUTIL_MATCH_H

#include <mpiutil/message.h>

struct mpu_match {
    struct mpu_request *posted, **posted_end;
    struct mpu_arrival *unexpected, **unexpected_end;
    uint64_t compared;              /* envelopes compared so far */
    uint32_t waiting, waiting_most; /* unexpected messages now, and most so far */
};

void mpu_match_init(struct mpu_match *m);

/* The oldest posted receive that takes a message with this header, removed from its queue; NULL:
 * none. */
struct mpu_request *mpu_match_posted(struct mpu_match *m, const struct mpu_wire *w);

/* A message arrived: returns the oldest posted receive that takes it, removed from its queue; or
 * NULL, and the message is now the newest unexpected one. */
struct mpu_request *mpu_match_arrival(struct mpu_match *m, struct mpu_arrival *a);

/* A receive is asked for: returns the oldest unexpected message that it takes, removed; or NULL,
 * and the receive is now the newest posted one. */
struct mpu_arrival *mpu_match_receive(struct mpu_match *m, struct mpu_request *q);

/* The oldest unexpected message that a receive of `context`, source and tag (or MPU_ANY) would
 * take; NULL: none. With `take` it is removed, and no later receive finds it. */
struct mpu_arrival *mpu_match_probe(struct mpu_match *m, uint32_t context, int source, int tag,
                                    bool take);

/* Takes an unexpected message out; false: it is not in the queue. */
bool mpu_match_remove(struct mpu_match *m, struct mpu_arrival *a);

/* Takes a posted receive back; false: it is not in the queue. */
bool mpu_match_cancel(struct mpu_match *m, struct mpu_request *q);

#endif
