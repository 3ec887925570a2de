/* SPDX-License-Identifier: MIT */
/* A segment is shared memory in which the ranks of a communicator meet. Each arrives, with the
 * signature of its call, which must be that of all, and perhaps an operand; who closes the meeting
 * reads what was given, and releases all, with a result:
 *
 *     rank 3 --arrive, operand--> who closes it: compares, combines
 *     rank 3 <--release, result-- the same
 *
 * A segment belongs to the ranks of one cluster. If all ranks of the communicator live there, the
 * last one to come closes the meeting; else the leader does, the first member of the cluster, and
 * meets the other leaders in between: in memory that all clusters share, where the machine has any
 * (mpu_leaders), or by messages.
 *
 * A rank arrives once for each release. A result stays until the release after the next one, so
 * nobody has to say that it has read it. On the rank's thread; the functions
 * that say so wait. docs/collectives.md, In shared memory. */
#ifndef MPIUTIL_SEGMENT_H
#define MPIUTIL_SEGMENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <base/config.h>
#include <mpiutil/gate.h>
#include <mpiutil/message.h>

#define MPU_SEGMENT_BYTES   8192 /* most that MPU_TUNE_SEGMENT_LIMIT, of a result, may be */
#define MPU_SEGMENT_HEAD    64   /* room for what an operation tells of them, in front of that */
#define MPU_SEGMENT_OPERAND 32   /* most that a rank gives by leaving it in the segment */

/* The signature of a call: what all ranks must call alike, but rank and busy. In numbers that mean
 * the same to all processes. */
struct mpu_signature {
    uint32_t operation;
    uint32_t number; /* of the call, as all ranks count them in one order; no 2^30 between two */
    uint64_t bytes;
    uint32_t root;
    uint32_t reduction; /* its operation and type */
    int rank;           /* whose it is */
    bool busy;          /* another thread of it is at a call with its staging buffers */
};

static inline bool mpu_same_signature(const struct mpu_signature *a, const struct mpu_signature *b)
{
    return a->operation == b->operation && a->number == b->number && a->bytes == b->bytes &&
           a->root == b->root && a->reduction == b->reduction;
}

/* What a release tells. */
struct mpu_outcome {
    bool agreed; /* all signatures are the same */
    bool busy;   /* one of them is; of ranks alone in their process */
    uint8_t why; /* not agreed though nobody differs: the leader's reason; else 0 */
    struct mpu_signature first, odd; /* not agreed: two that differ */
};

/* mark: what its elements are, as in messages, if one rank gave them. */
struct mpu_result {
    _Alignas(KERN_LINE) uint16_t mark;
    _Alignas(16) uint8_t bytes[]; /* MPU_SEGMENT_HEAD + the limit */
};

#define MPU_STAGING_MEMBERS 32 /* of a cluster that may give something in one */

/* A staging buffer, where the members of a cluster leave chunks of long data for the other
 * clusters: in memory that all clusters share. mark: as in a result, by member. */
struct mpu_staging {
    _Alignas(KERN_LINE) uint16_t mark[MPU_STAGING_MEMBERS];
    _Alignas(KERN_LINE) uint8_t bytes[];
};

struct mpu_core_slot;

/* Where a member is: on which core, the how manyth of those there, from 0 on. */
struct mpu_core_index {
    int16_t core, index;
};

/* Where a rank of the communicator is: in which of the clusters that have any, and which member it
 * is there. Both count from 0 on, in rank order. */
struct mpu_position {
    int16_t cluster, member;
};

/* Most that MPU_TUNE_SEGMENT_EACH may be. Leaders that have a processor each read a line of each
 * other one; more of them are faster by messages. */
#define MPU_LEADERS_EACH 8

struct mpu_segment {
    struct mpu_segment *next;
    uint64_t size; /* bytes of this memory */

    /* Constant once it can be found. */
    uint32_t context;
    int ranks;             /* of the communicator, */
    int members;           /* ... in this cluster; the first one leads */
    int clusters, cluster; /* that have members; the own one's number among them */
    bool in_order;         /* each of them has consecutive ranks */
    struct mpu_rank *leader;
    struct mpu_leaders *shared; /* where the leaders meet; NULL: by messages, or there is one */
    struct mpu_multicasts *multicasts; /* multicast.h; if `shared` */
    bool has_staging;                  /* each leader has its own: mpu_leaders_staging */
    int meeting;                       /* number of that place, if `shared` */
    int key;                           /* under which it is found; -1: none, segment/leaders.c */
    int *leaders;                      /* world rank of the leader of each cluster, in rank order */
    struct mpu_position *position;     /* of each rank of the communicator */
    struct mpu_core_index *of_local;   /* where a rank is, by its place in the cluster */
    struct mpu_core_index *of_member;  /* ... by member */
    struct mpu_core_slot *core;        /* by core */
    struct mpu_core_slot **used;       /* those that have members */
    int cores;                         /* ... their number */
    uint8_t *work;                     /* all operands, for who combines them */

    /* Under the cluster's segment_lock. */
    int users;  /* members that joined and did not leave */
    bool known; /* in the list of the cluster's */

    struct mpu_gate gate;            /* of cores: one counts when all its members have arrived */
    bool each;                       /* each leader closes the meetings for itself */
    bool relaxed;                    /* who sleeps looks again by itself: segment/sleep.h */
    uint8_t entry;                   /* of its leader's slot: the one that it fills in next, */
    uint32_t operand_at;             /* ... and where what they give begins */
    uint32_t last_at;                /* s->each: the call that it was at last (mpu_at_call), */
    uint32_t seen_at;                /* ... the last one to which it saw all come, */
    uint8_t found[MPU_LEADERS_EACH]; /* ... and in which entry each was there */
    struct mpu_outcome outcome;      /* of the last release */
    struct mpu_result *result[2];    /* of the release with that parity */
    _Atomic int taken;               /* mpu_segment_taken */
};

/* The only member of its cluster, of several: it meets the other leaders, and nobody here. */
static inline bool mpu_segment_alone(const struct mpu_segment *s)
{
    return s->members == 1 && s->clusters > 1;
}

/* The segment of c in the calling rank's cluster, made if the rank is the first one; to be left
 * when c is no longer used. Nobody may leave before all have arrived once. NULL: no memory. */
struct mpu_segment *mpu_segment_join(struct mpu_rank *r, const struct mpu_comm *c);
void mpu_segment_leave(struct mpu_rank *r, struct mpu_segment *s);

/* A visit: one meeting, as a rank sees it, from when it comes until it is released or leaves. */
struct mpu_visit {
    struct mpu_signature signature;
    /* Asked wherever the rank was woken before the release, whether its wait is cancelled: then the
     * operation ends without the release. NULL: never. */
    bool (*cancelled)(void *arg);
    void *arg;
    uint64_t given;     /* bytes that a leader gives, */
    uint32_t head;      /* ... of them in front of the operand: 0, 8 or 16 */
    unsigned int round; /* the release that it waits for; filled in */
    bool left; /* it has ended without: the rank was not, or is no longer, counted; filled in */
};

/* Before it arrives: room for n <= MPU_SEGMENT_OPERAND bytes that the rank leaves, n being what it
 * will say; or where what it gives lies, and stays as it is until the release. */
void *mpu_segment_operand(struct mpu_segment *s, const struct mpu_rank *r, uint64_t n);
void mpu_segment_show(struct mpu_segment *s, const struct mpu_rank *r, const void *at);

/* How a meeting ended for a rank. */
enum mpu_met {
    MPU_RELEASED, /* the outcome is there */
    MPU_LEFT,     /* not released: v->left */
    MPU_CLOSES    /* all have arrived, and the rank must release them */
};

/* Arrives and waits for the release, or leaves. */
enum mpu_met mpu_segment_arrive(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v);

/* Waits until nobody is here for call `number` any more, as they are leaving. */
void mpu_segment_clear(struct mpu_segment *s, struct mpu_rank *r, uint32_t number);

/* Who closes: is this rank's signature that of all of the cluster? *o: what it should tell. Then:
 * what member i shows; what all left, n bytes each, as one vector in the order of members, to be
 * overwritten; the place of the result. */
bool mpu_segment_alike(const struct mpu_segment *s, const struct mpu_visit *v,
                       struct mpu_outcome *o);
const void *mpu_segment_shown(const struct mpu_segment *s, int i);
void *mpu_segment_operands(struct mpu_segment *s, uint64_t n);
static inline struct mpu_result *mpu_segment_next(struct mpu_segment *s)
{
    return s->result[(mpu_gate_releases(&s->gate) + 1) % 2];
}

/* ... and that of the one before, which nobody reads any more. */
static inline struct mpu_result *mpu_segment_last(struct mpu_segment *s)
{
    return s->result[mpu_gate_releases(&s->gate) % 2];
}

/* The result is in its place. */
void mpu_segment_release(struct mpu_segment *s, struct mpu_rank *r, const struct mpu_outcome *o);

/* After a release, of what the leader lent to the members of its cluster: each of the others has
 * read it. The leader asks whether all have, until it was told so once; the last one wakes it. */
void mpu_segment_taken(struct mpu_segment *s);
bool mpu_segment_all_taken(struct mpu_segment *s);

/* After the release of a call that all agreed about: all ranks of the communicator meet once more;
 * nobody leaves. Clusters must share memory (s->shared), and not wait each for itself (s->each), if
 * there are several. Waits. */
void mpu_segment_meet(struct mpu_segment *s, struct mpu_rank *r, const struct mpu_visit *v);

/* After the release that v waited for, until the rank arrives again. */
static inline const struct mpu_result *mpu_segment_result(const struct mpu_segment *s,
                                                          const struct mpu_visit *v)
{
    return s->result[v->round % 2];
}

/* The leaders of the clusters, in memory that all clusters share. The same meeting: each arrives
 * with its signature and an operand; the last one closes, or, if s->each, all do, each when it has
 * seen all come.
 * v->cancelled is asked before, too: who leaves a call tells the others, and does not arrive for
 * the next one before all have left that one (mpu_leaders_clear). */
/* First: where it writes what it gives, MPU_SEGMENT_HEAD + MPU_SEGMENT_BYTES at most. If s->each,
 * and it left a call to which it had not seen all come, it waits until they have come to that or to
 * a later one; NULL: it left. */
void *mpu_leaders_begin(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v);
enum mpu_met mpu_leaders_arrive(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v);

/* Who closes: is this rank's signature that of all? */
bool mpu_leaders_alike(const struct mpu_segment *s, const struct mpu_visit *v,
                       struct mpu_outcome *o);

/* What cluster i gave: who closes, and after the release any rank, until it arrives again. What a
 * leader gave itself it had better read where that was: others have the line by then, and one that
 * is still to come back cannot be read before. */
const uint8_t *mpu_leaders_given(const struct mpu_segment *s, int i);
void mpu_leaders_release(struct mpu_segment *s, const struct mpu_rank *r,
                         const struct mpu_outcome *o);

/* s->each: whoever has closed a meeting wakes those that sleep there. It said that it is there
 * before it looks who sleeps, and who goes to sleep says so before it looks once more who is there.
 * After all that this rank reads, as it waits until others see what it wrote, unless s->relaxed. */
void mpu_leaders_wake(struct mpu_segment *s, const struct mpu_rank *r);

/* Not s->each: who closes writes it, others read it after the release until they arrive again. */
void *mpu_leaders_result(struct mpu_segment *s);
const struct mpu_outcome *mpu_leaders_outcome(const struct mpu_segment *s);

/* Staging buffers 0 and 1 of cluster i, if s->has_staging: they are those of the leader's core, of
 * which it is the first rank; leaders of other communicators on that core have none. They are the
 * leader's own until it arrives; then any rank may read and write them, as the operation says, if
 * none of them is busy. They belong to the leader, not to the segment: before a rank leaves an
 * operation all have met who might still read them. */
struct mpu_staging *mpu_leaders_staging(const struct mpu_segment *s, int i, int number);

/* Bytes of a staging buffer that are for so many members of a cluster, the same in the whole job:
 * as many for each as are worth it, or all there are. */
uint64_t mpu_leaders_staging_bytes(int members);

/* Waits until no other leader is at a call before `number`; they are leaving. s->each: does not
 * wait. */
void mpu_leaders_clear(struct mpu_segment *s, struct mpu_rank *r, uint32_t number);

/* World ranks of the leaders that have not arrived for call `number`: of cluster *i on, the next
 * one, which *i is put behind; -1: no more. Others may arrive meanwhile. */
int mpu_leaders_missing(const struct mpu_segment *s, uint32_t number, int *i);

/* Bytes of the board that the meetings of leaders, and multicasts, of a machine with so many
 * clusters and ranks take. */
size_t mpu_leaders_bytes(int clusters, int ranks);

/* Whether the leaders of so many clusters meet in such memory: where they share processors, or are
 * few, and the machine has any. Whether each of them closes the meeting for itself. The same
 * answers in the whole job. */
bool mpu_leaders_may_meet(const struct mpu_rank *r, int clusters);
bool mpu_leaders_each(const struct mpu_rank *r, int clusters);

/* How many clusters the ranks of c live in; -B_ENOMEM. *fullest: how many in the one with most. */
int mpu_comm_clusters(struct mpu_rank *r, const struct mpu_comm *c, int *fullest);

#endif
