/* SPDX-License-Identifier: MIT */
/* Forms in shared memory (segment_forms.c): inside a cluster through its memory, between clusters
 * by the leaders. For blocking operations of few bytes. */
#ifndef MPI_COLL_SEGMENT_H
#define MPI_COLL_SEGMENT_H

#include <base/link.h>
#include <mpiutil/segment.h>

#include "coll/kind.h"

extern const struct mpi_coll_algorithm mpi_coll_barrier_segment, mpi_coll_bcast_segment,
    mpi_coll_reduce_segment, mpi_coll_allreduce_segment;

/* Broadcasts between clusters (multicast.c), where every rank reads what all gave (segment_all.c),
 * and long data (segment_long.c). By another algorithm (mpi_coll_otherwise) where the machine has
 * no place for one more communicator. */
extern const struct mpi_coll_algorithm mpi_coll_allgather_segment, mpi_coll_alltoall_segment,
    mpi_coll_scan_segment, mpi_coll_exscan_segment;
extern B_IF_LINKED const struct mpi_coll_algorithm mpi_coll_bcast_multicast,
    mpi_coll_allgather_long, mpi_coll_alltoall_long, mpi_coll_reduce_long, mpi_coll_allreduce_long,
    mpi_coll_scan_long, mpi_coll_exscan_long;

/* By one rank of each cluster (clusters.c). */
extern const struct mpi_coll_algorithm mpi_coll_allgather_clusters;

/* Whether what is gathered is so few bytes that doubling is best. A round of it, k = 0, 1 .. while
 * 2^k < size: before it, acc holds what the ranks me .. me + 2^k - 1 of `on` gave, `bytes` each;
 * they double by getting those of me + 2^k on. (Bruck and others, 1997.) */
bool mpi_coll_allgather_few(const struct mpi_coll *c);
int mpi_coll_double(struct mpi_coll *c, const struct mpu_comm *on, int k, uint64_t bytes);

struct mpi_elements mpi_coll_allgather_own(const struct mpi_coll *c); /* what the rank gives */
struct mpi_elements mpi_coll_alltoall_out(const struct mpi_coll *c, int to);

/* What algorithms that meet are made of (segment.c). visit: what the rank says; whether its wait
 * is cancelled is asked at once (c->segment.visit.left). break: the rank has left, or another one
 * says something else: an error is noted, and all are told. join: false: no memory for a segment,
 * noted as an error. meet: arrives, waits; true: the rank closes the meeting, and releases; then
 * an error is noted if the ranks of the cluster called different operations. may_leave: who learns
 * that others called something else leaves without a release (c->segment.visit.left), an error is
 * noted. agreed: after the release: did all call the same? False: noted as an error. */
struct mpu_visit *mpi_segment_visit(struct mpi_coll *c, bool (*cancelled)(void *coll));
void mpi_segment_break(struct mpi_coll *c, const struct mpu_outcome *o);
bool mpi_segment_join(struct mpi_coll *c);
bool mpi_segment_meet(struct mpi_coll *c, bool may_leave);
void mpi_segment_release(struct mpi_coll *c);
bool mpi_segment_agreed(struct mpi_coll *c);

/* Which of the blocking ones on its communicator it is. */
static inline uint32_t mpi_segment_number(const struct mpi_coll *c)
{
    return c->comm->collectives[0] - 1;
}

static inline struct mpu_segment *mpi_coll_segment(const struct mpi_coll *c)
{
    return c->comm->segment;
}

/* What is reduced, or broadcast: the count and type of each rank's. */
static inline const struct mpi_side *mpi_segment_side(const struct mpi_coll *c)
{
    return c->recv.type ? &c->recv : &c->send;
}

/* Where the leader, or the root, writes the next result, mpi_coll_limit(MPU_TUNE_SEGMENT_LIMIT)
 * bytes. */
static inline uint8_t *mpi_segment_next(const struct mpi_coll *c)
{
    return mpu_segment_next(mpi_coll_segment(c))->bytes;
}

/* What a form does between clusters that share memory, and at the end. */
struct mpi_segment_form {
    /* Those of which clusters the rank needs, if each leader closes for itself. NULL: all. */
    void (*needs)(const struct mpi_coll *c, int *first, int *end);
    uint32_t head;                                 /* bytes that it gives in front of the data */
    void (*give)(struct mpi_coll *c, uint8_t *to); /* writes what the leader gives. NULL: nothing */
    void (*combine)(struct mpi_coll *c);           /* who closes the leaders' meeting. Or NULL */
    void (*bring)(struct mpi_coll *c);             /* each leader, to mpi_segment_next. Or NULL */
    void (*take)(struct mpi_coll *c);              /* all, if all said the same. Or NULL */
};

/* After mpi_segment_meet, and the part of who closes the meeting: the leaders meet, and the rest is
 * mpi_segment_finish: those of the cluster are released, and all take the result. True: the leaders
 * go on by messages, in rounds; the last one is followed by mpi_segment_finish. */
bool mpi_segment_end(struct mpi_coll *c, const struct mpi_segment_form *f);
void mpi_segment_finish(struct mpi_coll *c, void (*take)(struct mpi_coll *c));

/* Whether ranks that are processes of their own should meet in shared memory; most bytes of a
 * result, or of what the ranks of a cluster give together, for which all should. */
bool mpi_segment_shared(const struct mpi_coll *c);
uint64_t mpi_segment_limit(const struct mpi_coll *c);

#endif
