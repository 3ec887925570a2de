/* SPDX-License-Identifier: MIT */
/* Collectives in shared memory: inside a cluster through its memory, between clusters by the
 * leaders (segment.c, blocking ones). Others meet in channels (channel.h), by the same forms. */
#ifndef MPI_COLL_SEGMENT_H
#define MPI_COLL_SEGMENT_H

#include <base/link.h>
#include <mpiutil/segment.h>

#include "coll/kind.h"

/* Of few bytes (segment_forms.c). */
extern const struct mpi_coll_algorithm mpi_coll_barrier_segment, mpi_coll_bcast_segment,
    mpi_coll_reduce_segment, mpi_coll_allreduce_segment, mpi_coll_reduce_scatter_segment;

/* Broadcasts between clusters (multicast.c), where every rank reads what all gave (segment_all.c),
 * and long data (segment_long.c). By another algorithm (mpi_coll_otherwise) where the machine has
 * no place for one more communicator. */
extern const struct mpi_coll_algorithm mpi_coll_allgather_segment, mpi_coll_alltoall_segment,
    mpi_coll_scan_segment, mpi_coll_exscan_segment;
extern B_IF_LINKED const struct mpi_coll_algorithm mpi_coll_bcast_multicast,
    mpi_coll_scatter_multicast, mpi_coll_allgather_long, mpi_coll_alltoall_long,
    mpi_coll_reduce_long, mpi_coll_allreduce_long, mpi_coll_reduce_scatter_long, mpi_coll_scan_long,
    mpi_coll_exscan_long;

/* What has no room in a segment, by the leaders of clusters that share no memory (clusters.c). */
extern B_IF_LINKED const struct mpi_coll_algorithm mpi_coll_allreduce_clusters;

/* Inside one cluster (peer.c). Reductions: of predefined operations that commute; n elements, from
 * number `from` on, of what the members of the cluster show, reduced to `to`, where those of member
 * `first` may be, with which it begins. */
extern const struct mpi_coll_algorithm mpi_coll_alltoall_peer, mpi_coll_allgather_peer,
    mpi_coll_gather_peer, mpi_coll_scatter_peer, mpi_coll_allreduce_peer;
bool mpi_peer_reduces(const struct mpi_coll *c);
void mpi_peer_reduce(struct mpi_coll *c, int first, MPI_Count from, MPI_Count n, uint8_t *to);

/* Whether what is gathered is so few bytes that doubling is best. A round of it, k = 0, 1 .. while
 * 2^k < size: before it, acc holds what the ranks me .. me + 2^k - 1 of `on` gave, `bytes` each;
 * they double by getting those of me + 2^k on. (Bruck and others, 1997.) */
bool mpi_coll_allgather_few(const struct mpi_coll *c);
int mpi_coll_double(struct mpi_coll *c, const struct mpu_comm *on, int k, uint64_t bytes);

/* What the rank gives: Gather, Allgather; Alltoall. */
struct mpi_elements mpi_coll_gather_own(const struct mpi_coll *c);
struct mpi_elements mpi_coll_alltoall_out(const struct mpi_coll *c, int to);
/* Reduce_scatter: how many bytes of the vector, in memory, are the rank's, from *at on. */
uint64_t mpi_coll_own_part(const struct mpi_coll *c, uint64_t *at);

/* Which of the blocking ones on its communicator it is. */
static inline uint32_t mpi_segment_number(const struct mpi_coll *c)
{
    return c->comm->collectives[0] - 1;
}

/* How many ranks from i on follow each other as members of a cluster, too. */
static inline int mpi_segment_neighbours(const struct mpi_coll *c, int i)
{
    const struct mpu_position *at = c->segment.at->position + i;
    int n = 1;
    while (i + n < c->size && at[n].cluster == at[0].cluster && at[n].member == at[0].member + n)
        n++;
    return n;
}

/* Where the leader, or the root, writes the next result, mpi_coll_limit(MPU_TUNE_SEGMENT_LIMIT)
 * bytes. */
static inline uint8_t *mpi_segment_next(const struct mpi_coll *c)
{
    return mpu_segment_next(c->segment.at)->bytes;
}

/* What an operation does at each point of a meeting, in this order; NULL: nothing. */
struct mpi_segment_form {
    /* Whether the machine has what it needs in the memory of all clusters, for this communicator:
     * alike on all ranks; NULL: it needs nothing. If not, `otherwise` is done, mpi_coll_otherwise:
     * it stands here so that programs whose forms all fit are linked without. */
    bool (*fits)(const struct mpi_coll *c);
    bool (*otherwise)(struct mpi_coll *c);
    void (*leave)(struct mpi_coll *c); /* each rank, before it arrives: what it gives */
    /* Who closes the meeting of a cluster with more of them; the same of all ranks, if they live in
     * one cluster and it has seen no error. */
    void (*close)(struct mpi_coll *c);
    void (*close_all)(struct mpi_coll *c);

    /* Leaders of clusters that share memory. */
    uint32_t head;                                 /* bytes that it gives in front of the data */
    bool blocks;                                   /* the data are a block for each rank */
    void (*give)(struct mpi_coll *c, uint8_t *to); /* writes what the leader gives */
    void (*combine)(struct mpi_coll *c);           /* who closes the leaders' meeting */
    void (*bring)(struct mpi_coll *c);             /* each leader, to mpi_segment_next */

    /* Each rank after the release, if all agreed. Others may read what it left until they
     * arrive again: mpi_segment_again. */
    void (*take)(struct mpi_coll *c);
};

/* Of an algorithm: what its form says (segment.c). Where several clusters share no memory the
 * leaders go on by messages, in its rounds (true); the last one is followed by mpi_segment_finish:
 * those of the cluster are released, and all take. */
bool mpi_segment_run(struct mpi_coll *c);
void mpi_segment_finish(struct mpi_coll *c);

/* In `take`: all ranks meet once more; nobody leaves. Clusters must share memory, and meet at a
 * gate, not each for itself. */
void mpi_segment_again(struct mpi_coll *c);

/* The ranks of the cluster are released. */
void mpi_segment_release(struct mpi_coll *c);

/* Finds the segment where it meets, of the communicator. False: no memory; the others, who may have
 * some, are told. */
bool mpi_segment_join(struct mpi_coll *c);

/* The leaders have met: this one closes the meeting, or another one has. */
void mpi_segment_met(struct mpi_coll *c, const struct mpi_segment_form *f, bool closes);

/* After a meeting with that outcome: takes the result, or notes why there is none. */
void mpi_segment_take(struct mpi_coll *c, const struct mpi_segment_form *f,
                      const struct mpu_outcome *o);

/* The forms of operations that any ranks may meet for in shared memory, and whether what is
 * reduced, and what each gives to all, may go that way. */
extern const struct mpi_segment_form mpi_segment_barrier_form, mpi_segment_allreduce_form,
    mpi_segment_reduce_scatter_form, mpi_segment_allgather_form, mpi_segment_alltoall_form,
    mpi_segment_scan_form, mpi_segment_exscan_form;
bool mpi_segment_reduces(const struct mpi_coll *c);
bool mpi_segment_gathers_all(const struct mpi_coll *c);
bool mpi_segment_exchanges(const struct mpi_coll *c);
bool mpi_segment_scans(const struct mpi_coll *c);

/* How much a leader, or a rank in a channel, gives: for its visit. */
static inline void mpi_segment_gives(const struct mpi_coll *c, const struct mpi_segment_form *f,
                                     struct mpu_visit *v)
{
    uint64_t data = c->op ? mpi_coll_span(c) : c->bytes;
    v->head = f->head;
    v->given = f->head + (f->blocks ? (uint64_t)c->size * data : data);
}

/* For those who do not run it. visit: the rank's signature; whether its wait is cancelled is asked
 * at once (visit.left), and not again of a nonblocking one, which does not wait there. break: the
 * rank has left, or another one has another signature: an error is noted, and all are told. */
struct mpu_visit *mpi_segment_visit(struct mpi_coll *c, bool (*cancelled)(void *coll));
void mpi_segment_break(struct mpi_coll *c, const struct mpu_outcome *o);

/* Gather and Scatter: rounds of messages between the root and each other rank (kind_gather.c). */
int mpi_coll_rooted_linear(struct mpi_coll *c, int k);

/* For `leave`: shows the operation to the others of the cluster, and which one member i shows. */
void mpi_segment_show(struct mpi_coll *c);
static inline const struct mpi_coll *mpi_segment_shown(const struct mpi_coll *c, int i)
{
    return mpu_segment_shown(c->segment.at, i);
}

#endif
