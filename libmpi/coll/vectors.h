/* SPDX-License-Identifier: MIT */
/* What reductions are made of: vectors, how one is folded into another, the tree (vectors.c). */
#ifndef MPI_COLL_VECTORS_H
#define MPI_COLL_VECTORS_H

#include "coll/round.h"

/* Elements of what each rank gives of which a vector takes that much; at least one. */
MPI_Count mpi_coll_chunk_of(const struct mpi_coll *c);

/* What belongs to the chunk under way; may be nothing. */
struct mpi_elements mpi_coll_chunk(const struct mpi_coll *c, struct mpi_elements d);

/* The vectors of a reduction, narrowed to the chunk under way: `acc`, what was reduced so far,
 * begins as the contribution, which is not written to unless it is also `home`; `in` is for what
 * comes next. home: the result's place, used as room meanwhile; NULL: none. */
void mpi_coll_vectors(struct mpi_coll *c, struct mpi_elements contribution, void *home);

/* The same where each rank gives one vector, its mpi_coll_operand, and who gets the result has
 * `recv`; how many elements that vector has. */
void mpi_coll_begin_vectors(struct mpi_coll *c);
MPI_Count mpi_coll_count(const struct mpi_coll *c);

/* Room for another one of `count` such elements; NULL: no memory. */
uint8_t *mpi_coll_vector(struct mpi_coll *c, MPI_Count count);

static inline struct mpi_elements mpi_coll_shape(const struct mpi_coll *c, const void *at)
{
    return (struct mpi_elements){(void *)(uintptr_t)at, c->vector.count, c->vector.type};
}

/* Receives a vector into `in`, for the next call of mpi_coll_fold. */
int mpi_coll_recv_in(struct mpi_coll *c, const struct mpu_comm *on, int from,
                     enum mpi_coll_fold how);
int mpi_coll_fold(struct mpi_coll *c);

/* Sends acc; acc stays until the next round. */
static inline int mpi_coll_send_acc(struct mpi_coll *c, const struct mpu_comm *on, int to)
{
    return mpi_coll_send(c, on, to, 0,
                         c->error ? mpi_coll_nothing() : mpi_coll_shape(c, c->vector.acc));
}

/* One that lies at `from` to another place, which may be the same. */
void mpi_coll_copy_vector(struct mpi_coll *c, const void *from, void *to);

/* acc goes to home, if it is not there. */
void mpi_coll_home(struct mpi_coll *c);

/* acc of all ranks of `on`, reduced in rank order (if the operation commutes, any), is acc of root
 * at the end. */
int mpi_coll_reduce_tree(struct mpi_coll *c, const struct mpu_comm *on, int root, int k);

/* The first two phases: acc of the own group, reduced, is that of its first member; where there are
 * two groups these exchange their acc. */
int mpi_coll_reduce_groups(struct mpi_coll *c, int k);

/* The operation, and the type of the side that is the contribution, may go together. */
int mpi_coll_check_op(struct mpi_coll *c, MPI_Op op, const struct mpi_type *type);

#endif
