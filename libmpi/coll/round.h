/* SPDX-License-Identifier: MIT */
/* What the rounds of algorithms are made of: memory, messages, and parts that several algorithms
 * have (data.c, window.c, tree.c). 0 or -B_ENOMEM where an int is returned. */
#ifndef MPI_COLL_ROUND_H
#define MPI_COLL_ROUND_H

#include <mpiutil/tuning.h>

#include "coll/kind.h"

/* Bytes that an operation may take at once for each vector or message, the same on all ranks: of
 * those, 16 ranks of a cluster with five each take a third of its memory. */
uint64_t mpi_coll_share(void);

/* Bytes at which another algorithm is taken. */
static inline uint64_t mpi_coll_limit(const struct mpi_coll *c, enum mpu_tune_id id)
{
    return *mpu_tune(c->p->rank, id);
}

/* Room for n messages at once; before the first message. */
int mpi_coll_reserve(struct mpi_coll *c, int n);

/* n bytes, not cleared, until the operation's end; NULL: no memory. */
void *mpi_coll_temp(struct mpi_coll *c, uint64_t n);

/* Starts a message of this round; data that is no run of bytes is packed on the way. `sub`, below
 * MPU_OPERATION_TAGS, tells apart messages of one pair in one operation. No data (type NULL): an
 * empty one. */
int mpi_coll_send(struct mpi_coll *c, const struct mpu_comm *on, int to, int sub,
                  struct mpi_elements d);
int mpi_coll_recv(struct mpi_coll *c, const struct mpu_comm *on, int from, int sub,
                  struct mpi_elements d);

/* One of each, round the ranks of `on`: to the one so far ahead, from the one so far behind. What a
 * round returns. */
int mpi_coll_shift(struct mpi_coll *c, const struct mpu_comm *on, int by, int sub,
                   struct mpi_elements out, struct mpi_elements in);

/* Sends and receives, both or nothing; where `in` is to overwrite `out`, that is copied. */
int mpi_coll_swap(struct mpi_coll *c, int other, struct mpi_elements out, struct mpi_elements in);

/* Whether so many bytes are as many as were wanted; else that is an error of the operation:
 * MPI_ERR_TRUNCATE, MPI_ERR_COUNT. */
bool mpi_coll_is_amount(struct mpi_coll *c, uint64_t bytes, uint64_t wanted);

/* As a message from one to the other. Other sizes: MPI_ERR_TRUNCATE of the operation. */
void mpi_coll_copy(struct mpi_coll *c, const struct mpi_elements *from,
                   const struct mpi_elements *to);

/* Elements with this mark have come where t is wanted: MPI_ERR_TYPE of the operation if those are
 * others. */
void mpi_coll_compare(struct mpi_coll *c, unsigned int mark, const struct mpi_type *t);

/* To and from packed bytes. */
void mpi_coll_pack(const struct mpi_elements *from, void *to);
void mpi_coll_unpack(const void *from, const struct mpi_elements *to);

/* What a round returns after its last message. */
static inline int mpi_coll_more(int rc)
{
    return rc ? rc : MPI_COLL_MORE;
}

/* ... and where no round follows: the operation ends with the messages of this one. */
static inline int mpi_coll_last(int rc)
{
    return rc ? rc : MPI_COLL_DONE;
}

/* Algorithm made of others: the next phase begins with the next call, as its round 0. */
static inline int mpi_coll_phase(struct mpi_coll *c)
{
    c->step.phase++;
    c->step.round = 0;
    return MPI_COLL_MORE;
}

/* Round k of an algorithm that takes steps 0 .. `steps` - 1, of `messages` at most each, as many in
 * a round as a window and the memory have room for (window.c). step: 0 or an error; where there was
 * no memory for it, those under way go on, and the next round begins with it. */
int mpi_coll_window(struct mpi_coll *c, int k, int steps, int messages,
                    int (*step)(struct mpi_coll *c, int i));

/* A round of an exchange of all pairs: with each rank of the other group, or of the only one, the
 * block that is its, or what all of them get. */
int mpi_coll_pairwise(struct mpi_coll *c, int k);

/* --- Parts that several algorithms are made of; rounds like an algorithm's. --- */

/* Data from the root to all of `on`, by a binomial tree. Done when the last messages are under
 * way. */
int mpi_coll_tree_down(struct mpi_coll *c, const struct mpu_comm *on, int root, int k,
                       const struct mpi_elements *data);

/* One more round of a dissemination: k such that 2^k < size. */
int mpi_coll_disseminate(struct mpi_coll *c, const struct mpu_comm *on, int k);

#endif
