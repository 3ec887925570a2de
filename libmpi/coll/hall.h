/* SPDX-License-Identifier: MIT */
/* Cluster-aware forms (hall.c): inside a cluster through its memory, between clusters by the
 * leaders. For blocking operations of few bytes on communicators that have more ranks than
 * clusters. */
#ifndef MPI_COLL_HALL_H
#define MPI_COLL_HALL_H

#include <mpiutil/hall.h>

#include "coll/kind.h"

/* Whether it may take one of them. */
bool mpi_coll_in_halls(const struct mpi_coll *c);
extern const struct mpi_coll_algorithm mpi_coll_barrier_hall, mpi_coll_bcast_hall,
    mpi_coll_reduce_hall, mpi_coll_allreduce_hall;

/* What algorithms that meet are made of. join: false: no memory for a hall, noted as an error.
 * meet: arrives, waits; true: the rank closes the meeting, or leads one of several clusters; then
 * it releases, and an error is noted if they called different operations. may_leave: who is in
 * doubt about the operation leaves without a release (c->visit.left), an error is noted. heed:
 * after the release: did all call the same? False: noted as an error. */
bool mpi_hall_join(struct mpi_coll *c);
bool mpi_hall_meet(struct mpi_coll *c, bool may_leave);
void mpi_hall_release(struct mpi_coll *c);
bool mpi_hall_heed(struct mpi_coll *c);

/* What all ranks must say alike: root, predefined operation (a program's own has another address on
 * each rank), and the elements that it reduces. */
static inline uint64_t mpi_hall_terms(int root, const struct mpi_op *op,
                                      const struct mpi_type *reduced)
{
    uint64_t what = op ? (uint64_t)op->handle << 32 | (uint64_t)reduced->mark << 48 : 0;
    return (uint64_t)(uint32_t)root | what;
}

/* The error of who said something else than the release. */
int mpi_hall_differs(const struct mpu_said *mine, const struct mpu_told *told);

/* Elements of a predefined operation and type, without gaps. What all in the hall gave, reduced, is
 * the next result. */
struct mpi_reduced {
    const struct mpi_op *op;
    const struct mpi_type *type;
    MPI_Count count;
    uint64_t bytes;
};
void mpi_hall_combine(struct mpu_hall *h, const struct mpi_reduced *v);

#endif
