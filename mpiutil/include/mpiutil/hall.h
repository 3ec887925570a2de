/* SPDX-License-Identifier: MIT */
/* A hall is where the ranks of a communicator that live in one cluster meet, in its memory:
 *
 *     rank 3 --arrive, what it gives--> last one to come, or leader: reads what was given
 *     rank 3 <--release, result-------- the same
 *
 * If all ranks live here, the last one to come closes the meeting; else the leader (the first
 * member) meets the leaders of other clusters. A rank arrives once for each release. The result
 * stays until the release after the next one, so nobody has to say that it has read it. On the
 * rank's thread; only mpu_hall_meet waits. docs/collectives.md. */
#ifndef MPIUTIL_HALL_H
#define MPIUTIL_HALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <base/config.h>
#include <mpiutil/message.h>

#define MPU_HALL_BYTES   512 /* most that a result has */
#define MPU_HALL_OPERAND 32  /* most that a rank gives by leaving it in the hall */

/* What a rank says when it arrives: of which operation, how much, and what else all must say
 * alike. */
struct mpu_said {
    const void *kind;
    uint64_t bytes;
    uint64_t terms;
};

/* The same as the program put it, of kinds and words that mean the same on all ranks: who was asked
 * for the same in the same words says the same, and need not find out what that is. */
struct mpu_words {
    const void *kind; /* NULL: there are no such words */
    uint64_t count, what;
};

/* What a release tells. */
struct mpu_told {
    const void *kind; /* of the operation; NULL: of none, they said different things */
    uint64_t bytes;   /* that the leader said */
    uint64_t other;   /* that a rank said; as many, if all did */
    uint32_t number;  /* of the leader's operation (mpu_visit) */
};

/* mark: what its elements are, as in messages, if one rank gave them. */
struct mpu_hall_result {
    _Alignas(KERN_LINE) uint16_t mark;
    _Alignas(16) uint8_t bytes[MPU_HALL_BYTES];
};

struct mpu_hall_core;

struct mpu_seat {
    int16_t core, seat;
};

struct mpu_hall {
    struct mpu_hall *next;
    uint64_t bytes; /* of this memory */

    /* Constant once it can be found. */
    uint32_t context;
    int members;           /* ranks of the communicator in this cluster; the first one leads */
    int clusters, cluster; /* that have members; the own one's number among them */
    struct mpu_rank *leader;
    int *leaders;           /* world rank of the leader of each cluster, in the order of ranks */
    int *leads;             /* rank in the communicator -> number of its cluster */
    struct mpu_seat *seat;  /* of a rank, by its place in the cluster */
    struct mpu_seat *seats; /* by member */
    struct mpu_hall_core *core;  /* by core */
    struct mpu_hall_core **used; /* those that have members */
    int cores;                   /* ... their number */
    bool traced;                 /* a trace is written; constant */
    bool straight;               /* no other clusters, nor messages from them: mpu_hall_pass */
    uint32_t limit;              /* MPU_TUNE_HALL_LIMIT */
    uint8_t *work;               /* all operands, for who combines them */

    int users;  /* under the cluster's hall_lock: members that joined and did not leave */
    bool known; /* under the cluster's hall_lock: can be found */

    _Alignas(KERN_LINE) struct mpu_said first; /* by the leader */
    uint32_t number;                           /* ... of its operation */
    /* Cores all of whose members have arrived, the sum of digests of what they said, and a number
     * of the round: meet.c. */
    _Alignas(KERN_LINE) _Atomic uint64_t arrived;
    atomic_uint generation;  /* releases so far */
    struct mpu_told told[2]; /* of the release with that parity */
    struct mpu_hall_result result[2];
};

/* The hall of c in the calling rank's cluster, made if the rank is the first one; to be left when
 * c is no longer used. Nobody may leave before all have arrived once. NULL: no memory. */
struct mpu_hall *mpu_hall_join(struct mpu_rank *r, const struct mpu_comm *c);
void mpu_hall_leave(struct mpu_rank *r, struct mpu_hall *h);

/* One meeting, as a rank sees it: the release that it waits for. */
struct mpu_visit {
    unsigned int round;
    /* Given by who comes: the number of the operation, as all have them in one order; and who is
     * asked, wherever the rank was woken before the release, whether the operation must end without
     * it. NULL: it must not. */
    uint32_t number;
    const struct mpu_words *words; /* NULL: none */
    bool (*doubts)(void *arg);
    void *arg;
    bool counted; /* already: mpu_hall_pass */
    bool left;    /* it has ended without: the rank was not, or is no longer, counted */
};

/* Whether r is the first member here: with others of other clusters it speaks for all. */
static inline bool mpu_hall_leads(const struct mpu_hall *h, const struct mpu_rank *r)
{
    return h->leader == r;
}

/* Waits until nobody is here for it any more, as they are leaving. */
void mpu_hall_clear(struct mpu_hall *h, struct mpu_rank *r, uint32_t number);

/* Before it arrives: room for n <= MPU_HALL_OPERAND bytes that the rank leaves, n being what it
 * will say; or where what it gives lies, and stays as it is until the release. */
void *mpu_hall_operand(struct mpu_hall *h, const struct mpu_rank *r, uint64_t n);
void mpu_hall_show(struct mpu_hall *h, const struct mpu_rank *r, const void *at);

/* How a meeting ended for a rank. */
enum mpu_met {
    MPU_MET,         /* released, and all said the same: the result is there */
    MPU_MET_DIFFER,  /* released, and they did not: mpu_hall_told */
    MPU_MET_LEFT,    /* not released: v->left */
    MPU_MET_NOT,     /* nothing was done (mpu_hall_pass) */
    MPU_MET_COUNTED, /* not released yet, but counted (the same) */
    MPU_MET_LAST     /* all here have arrived, and the rank must release them: it was the last, or
                      * it leads one of several clusters */
};

/* Arrives and waits for the release, or leaves. call, comm: as in struct mpu_doing, noted until the
 * release, or, by who must release, until it notes something else. */
enum mpu_met mpu_hall_meet(struct mpu_hall *h, struct mpu_rank *r, const struct mpu_said *said,
                           struct mpu_visit *v, const char *call, const char *comm);

/* What those of the core said who came before, if that was in the same words, else NULL. It stays
 * so until the rank waits. */
const struct mpu_said *mpu_hall_said(const struct mpu_hall *h, const struct mpu_rank *r,
                                     const struct mpu_words *w);

/* The same on the straight way, on which most ranks go: others of its core came before and said the
 * same, others will come after, and it has nothing to do meanwhile. v: `number` is enough. MPU_MET,
 * MPU_MET_DIFFER; or MPU_MET_NOT or MPU_MET_COUNTED: the caller notes which in v->counted, fills in
 * the rest of v, and calls mpu_hall_meet, which goes on from there. */
enum mpu_met mpu_hall_pass(struct mpu_hall *h, struct mpu_rank *r, const struct mpu_said *said,
                           struct mpu_visit *v);

/* Whoever releases: did all say the same? *told: what it should tell. Then: what member i shows;
 * what all left, n bytes each, as one vector in the order of members, to be overwritten; the place
 * of the result. */
bool mpu_hall_alike(struct mpu_hall *h, const struct mpu_rank *r, struct mpu_told *told);
const void *mpu_hall_shown(const struct mpu_hall *h, int i);
void *mpu_hall_operands(struct mpu_hall *h, uint64_t n);
static inline struct mpu_hall_result *mpu_hall_next(struct mpu_hall *h)
{
    return &h->result[(atomic_load_explicit(&h->generation, memory_order_relaxed) + 1) % 2];
}

static inline uint8_t *mpu_hall_next_result(struct mpu_hall *h)
{
    return mpu_hall_next(h)->bytes;
}

/* The result is in its place. */
void mpu_hall_release(struct mpu_hall *h, struct mpu_rank *r, const struct mpu_told *told);

/* After the release that v waited for, until the rank arrives again: what it told, the result, and
 * the mark of its elements. */
static inline const struct mpu_told *mpu_hall_told(const struct mpu_hall *h,
                                                   const struct mpu_visit *v)
{
    return &h->told[v->round % 2];
}

static inline const uint8_t *mpu_hall_result(const struct mpu_hall *h, const struct mpu_visit *v)
{
    return h->result[v->round % 2].bytes;
}

static inline unsigned int mpu_hall_mark(const struct mpu_hall *h, const struct mpu_visit *v)
{
    return h->result[v->round % 2].mark;
}

#endif
