/* SPDX-License-Identifier: MIT */
/* Channels: where the ranks of a communicator meet for operations that do not wait. Processes of
 * one rank each, which share memory, have beside the place where their blocking operations meet
 * (segment.h) some more of the same kind, each for one operation at a time; so there may be as many
 * under way as there are channels. Those that are more wait for the one before them in their
 * channel.
 *
 *     begin, write what it gives -> arrive -> [wait] -> came -> read what all gave, or the result
 *
 * The wait is that of a flow (flow.h): what follows is its next step. Nobody needs the rank to go
 * on once it has arrived, so it is not helped while it computes, but for one that others wait
 * behind. Multicasts (multicast.h), for which nobody meets, have one more place.
 *
 * Operations have numbers, as all ranks count them. Where one did not end well, some know it before
 * others: so at a meeting there may be ranks that are at different numbers, and it ends for all of
 * them without a result, which tells those numbers. Those that are behind give up their operation,
 * the others arrive again. On the rank's thread; no function waits for more than that a rank that
 * runs has compared all signatures. */
#ifndef MPIUTIL_CHANNEL_H
#define MPIUTIL_CHANNEL_H

#include <base/link.h>
#include <mpiutil/flow.h>
#include <mpiutil/segment.h>

/* Of a communicator. */
#define MPU_CHANNELS 16

struct mpu_channel;

/* Whether ranks that live in so many clusters have any: the same answer in the whole job, but for
 * want of a place (mpu_channel_has_place), about which all ranks of a segment agree. */
bool mpu_channels_may_be(const struct mpu_rank *r, int clusters);
bool mpu_channel_has_place(const struct mpu_segment *s);

/* What they take of the board, behind the meetings of leaders; what both take. */
B_IF_LINKED size_t mpu_channels_bytes(int clusters, int ranks);
static inline size_t mpu_meetings_bytes(int clusters, int ranks)
{
    return mpu_leaders_bytes(clusters, ranks) +
           (mpu_channels_bytes ? mpu_channels_bytes(clusters, ranks) : 0);
}

/* The channels of the segment's communicator; to be freed before the segment is left. NULL: no
 * memory. The one with this number; what its nonblocking multicasts go through (multicast.h). */
struct mpu_channels;
struct mpu_channels *mpu_channels_make(struct mpu_rank *r, struct mpu_segment *s);
void mpu_channels_free(struct mpu_channels *all);
struct mpu_channel *mpu_channel_of(struct mpu_channels *all, int number);
struct mpu_caster *mpu_channels_caster(struct mpu_channels *all);

/* What mpu_leaders_alike, _given, _result, _outcome and _release take. */
struct mpu_segment *mpu_channel_segment(struct mpu_channel *c);

/* Where the rank writes what it gives, as mpu_leaders_begin says. v->signature.number: of the
 * operation, higher than those before it there. */
void *mpu_channel_begin(struct mpu_channel *c, struct mpu_visit *v);

/* In a step of the flow that goes on when the others are there. True: this rank is the last one,
 * and closes the meeting (mpu_leaders_release); it waits for nothing. v stays as it is until
 * then. */
bool mpu_channel_arrive(struct mpu_channel *c, struct mpu_visit *v);

/* After the wait: whether the rank closes the meeting for itself, else the outcome is there. */
bool mpu_channel_came(struct mpu_channel *c);

/* The rank, which has arrived and may wait, is there no more: its operation was broken. */
void mpu_channel_leave(struct mpu_channel *c);

/* Others wait behind the operation: the wait must end while the program computes, too. */
void mpu_channel_hurry(struct mpu_channel *c);

#endif
