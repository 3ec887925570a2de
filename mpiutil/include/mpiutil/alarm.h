/* SPDX-License-Identifier: MIT */
/* Alarms: a collective operation that cannot end well is made known to all that take part, so that
 * nobody waits for what nobody sends. Queries are the same, but say only what a rank that has
 * waited for long has called. docs/collectives.md. Rank's thread only. */
#ifndef MPIUTIL_ALARM_H
#define MPIUTIL_ALARM_H

#include <stdbool.h>
#include <stdint.h>

#include <mpiutil/message.h>

#define MPU_ALARM_CALL 72

/* Of the operations `first` to `last` of the communicator with this context. */
struct mpu_alarm {
    uint32_t context;
    uint32_t first, last;
    int rank;                                 /* in the communicator, of who raised it */
    bool asks;                                /* a query */
    _Alignas(8) uint8_t call[MPU_ALARM_CALL]; /* what that one called; libmpi/coll/call.h */
};

/* Makes an alarm known in the calling rank's cluster, and wakes all other ranks there. The last few
 * are kept; of queries that say the same the first. Never waits. */
void mpu_alarm_raise(struct mpu_rank *r, const struct mpu_alarm *a);

/* Tells it to the members of c in other clusters, from number *next on, as far as messages leave
 * without waiting; true: all are told. Else the rank is woken when the next one may leave. */
bool mpu_alarm_tell(struct mpu_rank *r, const struct mpu_alarm *a, const struct mpu_comm *c,
                    int *next);

/* Tells it to one world rank, which is another one; false: not now. */
bool mpu_alarm_tell_one(struct mpu_rank *r, const struct mpu_alarm *a, int world);

/* Forgets the queries, or all, that are of no other operations than first to last of the
 * communicator with this context: they are over, and their numbers will be those of others. */
void mpu_alarms_forget(struct mpu_rank *r, uint32_t context, uint32_t first, uint32_t last,
                       bool queries_alone);

/* How many were raised in this cluster so far. Costs a load. */
uint32_t mpu_alarms(const struct mpu_rank *r);

/* The newest one that fits; false: there is none. `fits` must not wait. */
bool mpu_alarm_find(struct mpu_rank *r, bool (*fits)(const struct mpu_alarm *a, const void *arg),
                    const void *arg, struct mpu_alarm *found);

#endif
