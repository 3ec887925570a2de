/* SPDX-License-Identifier: MIT */
/* What collectives need of the machine besides messages. From any thread of a rank; never wait.
 *
 * A hall is where the ranks of a communicator that live in one cluster meet, in its memory:
 *
 *     rank 3 --arrive, what it gives--> leader: reads what was given, meets other leaders
 *     rank 3 <--release, result-------- leader
 *
 * A rank arrives once for each release. The result stays until the release after the next one, so
 * nobody has to say that it has read it. */
#ifndef MPIUTIL_COLL_H
#define MPIUTIL_COLL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <base/config.h>
#include <mpiutil/message.h>

/* A named span of the trace, begun and ended on one thread, and a named counter; the names are
 * constant. */
struct mpu_span {
    const char *name;
    uint64_t begin;
};
bool mpu_traced(const struct mpu_rank *r); /* a trace is written; constant */
void mpu_span_begin(struct mpu_span *s, const char *name);
void mpu_span_end(const struct mpu_span *s);
void mpu_count(const char *name, uint64_t add);

#define MPU_HALL_BYTES 512 /* most that a result has */

/* What a rank gives, or the leader's result: of which operation, where, how much. terms: a rank's
 * only, what else all of them must say alike. */
struct mpu_gift {
    const void *kind;
    const void *at;
    uint64_t bytes;
    uint64_t terms;
};

/* The members on one core. Its core only: they are counted and woken there, so that a meeting costs
 * other cores one line. */
struct mpu_hall_core {
    int members, arrived;
    unsigned int woken;        /* the last release whose members here were woken */
    struct mpu_rank *first;    /* member, woken for all; constant */
    char line[KERN_LINE - 24]; /* cores that share a line are slow */
};

struct mpu_hall {
    struct mpu_hall *next;
    uint64_t bytes; /* of this memory */

    /* Constant once it can be found. */
    uint32_t context;
    int members;           /* ranks of the communicator in this cluster; the first one leads */
    int clusters, cluster; /* that have members; the own one's number among them */
    int *index;            /* of the members, by their place in the cluster */
    int *leaders;          /* world rank of the leader of each cluster, in the order of ranks */
    int *leads;            /* rank in the communicator -> number of its cluster */
    struct mpu_rank **ranks;
    struct mpu_hall_core *core; /* by core */
    int cores;                  /* that have members */

    int users;  /* under the cluster's hall_lock: members that joined and did not leave */
    bool known; /* under the cluster's hall_lock: can be found */

    atomic_int arrived;            /* cores all of whose members have arrived */
    atomic_uint generation;        /* releases so far */
    const struct mpu_gift **given; /* by member; the leader may read it from the last arrival to the
                                      release */
    struct mpu_gift told[2];       /* of the release with that parity; the leader writes it */
    _Alignas(16) uint8_t result[2][MPU_HALL_BYTES];
};

/* How many clusters the ranks of c live in; -B_ENOMEM. */
int mpu_comm_clusters(struct mpu_rank *r, const struct mpu_comm *c);

/* The hall of c in the calling rank's cluster, made if the rank is the first one; to be left when
 * c is no longer used. Nobody may leave before all have arrived once. NULL: no memory. */
struct mpu_hall *mpu_hall_join(struct mpu_rank *r, const struct mpu_comm *c);
void mpu_hall_leave(struct mpu_rank *r, struct mpu_hall *h);

int mpu_rank_local(const struct mpu_rank *r); /* its place in its cluster */

static inline int mpu_hall_index(const struct mpu_hall *h, const struct mpu_rank *r)
{
    return h->index[mpu_rank_local(r)];
}

/* The rank gives something (NULL: what it gave last), which stays as it is until the release; *seen
 * is for mpu_hall_released. */
void mpu_hall_arrive(struct mpu_hall *h, const struct mpu_rank *r, const struct mpu_gift *given,
                     unsigned int *seen);

/* Leader: have all arrived? It may then release them, after it wrote the next result. */
static inline bool mpu_hall_full(struct mpu_hall *h)
{
    return atomic_load(&h->arrived) == h->cores;
}

static inline uint8_t *mpu_hall_next_result(struct mpu_hall *h)
{
    return h->result[(atomic_load(&h->generation) + 1) % 2];
}

/* The result is so many bytes of the next one's place. */
void mpu_hall_release(struct mpu_hall *h, const void *kind, uint64_t bytes);

/* Member: is it released? Then the result is there. The first one of a core that sees it wakes the
 * others there. */
bool mpu_hall_released(struct mpu_hall *h, const struct mpu_rank *r, unsigned int seen);

static inline const struct mpu_gift *mpu_hall_result(const struct mpu_hall *h, unsigned int seen)
{
    return &h->told[(seen + 1) % 2];
}

#endif
