/* SPDX-License-Identifier: MIT */
/* Forms in shared memory (segment_forms.c): inside a cluster through its memory, between clusters
 * by the leaders. For blocking operations of few bytes. */
#ifndef MPI_COLL_SEGMENT_H
#define MPI_COLL_SEGMENT_H

#include <mpiutil/segment.h>

#include "coll/kind.h"

extern const struct mpi_coll_algorithm mpi_coll_barrier_segment, mpi_coll_bcast_segment,
    mpi_coll_reduce_segment, mpi_coll_allreduce_segment;

/* What algorithms that meet are made of (segment.c). join: false: no memory for a segment, noted as
 * an error. meet: arrives, waits; true: the rank closes the meeting, and releases; then an error is
 * noted if the ranks of the cluster called different operations. may_leave: who is in doubt about
 * the operation leaves without a release (c->visit.left), an error is noted. agreed: after the
 * release: did all call the same? False: noted as an error. */
bool mpi_segment_join(struct mpi_coll *c);
bool mpi_segment_meet(struct mpi_coll *c, bool may_leave);
void mpi_segment_release(struct mpi_coll *c);
bool mpi_segment_agreed(struct mpi_coll *c);

/* After the part of who closes the meeting: the leaders meet, those of the cluster are released,
 * and all take the result. True: the leaders go on by messages, in rounds; the last one is followed
 * by mpi_segment_release and `take`. by_messages: they always do. */
bool mpi_segment_end(struct mpi_coll *c, bool closes, bool by_messages,
                     void (*take)(struct mpi_coll *c));

#endif
