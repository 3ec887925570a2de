/* SPDX-License-Identifier: MIT */
/* A collective operation under way. docs/collectives.md.
 *
 * Everything belongs to the calling rank's thread. */
#ifndef MPI_COLL_OPERATION_H
#define MPI_COLL_OPERATION_H

#include <mpiutil/trace.h>
#include <mpiutil/segment.h>

#include "coll/checker.h"
#include "coll/side.h"
#include "core/check.h"
#include "op/op.h"

#define MPI_COLL_INLINE 2 /* messages of a round without more memory */
#define MPI_COLL_TEMPS  6

/* A message of the round under way. */
struct mpi_coll_slot {
    struct mpu_request q;
    uint8_t *packed;          /* memory that it needs beside the program's buffer; NULL: none */
    void *at;                 /* what mpiutil sends or receives: bytes, or a stream */
    uint64_t streamed;        /* MPU_STREAMED or 0 */
    struct mpi_elements data; /* receive: where they go */
    uint64_t bytes;           /* receive: expected */
    bool receives;
};

/* What becomes of a vector that was received: it is reduced with acc, as the operand before or
 * after it, or takes its place. */
enum mpi_coll_fold { MPI_FOLD_NOTHING, MPI_FOLD_BEFORE, MPI_FOLD_AFTER, MPI_FOLD_REPLACE };

/* What a rank is in a rooted operation. */
enum mpi_coll_role {
    MPI_ROLE_MEMBER, /* intracommunicator, not the root; intercommunicator: the root is remote */
    MPI_ROLE_ROOT,
    MPI_ROLE_IDLE /* intercommunicator: another one of the own group is the root */
};

/* Why an operation ended in an error. The checking layer finds what it says it does: check/. */
enum mpi_coll_verdict {
    MPI_COLL_AGREED,
    MPI_COLL_DIFFERS, /* the offender's message belongs to another operation */
    MPI_COLL_ALARMED, /* another rank said so */
    MPI_COLL_QUERIED, /* layer: another rank that waits for it has called something else */
    MPI_COLL_CYCLE,   /* layer: another rank and this one wait for each other's next one */
    MPI_COLL_LATE,    /* it ended well, but the offender called something else before */
    MPI_COLL_OWN      /* this rank failed */
};

/* Where an algorithm is. */
struct mpi_coll_position {
    int phase, round; /* the next round, of those of the phase */
    int next;         /* windows: number of the first message of the next round */
};

/* Of long data, what is under way: [at, at + n). */
struct mpi_coll_chunk {
    MPI_Count at, n;
};

/* The messages of the round under way, and the memory of the operation: data.c. */
struct mpi_coll_messages {
    int n, room;      /* slots used, available */
    uint64_t memory;  /* bytes of theirs */
    uint16_t element; /* mark of the elements of packed data, the same on all ranks */
    int temps;        /* blocks in temp */
    struct mpi_coll_slot *slots;
};

/* Ranks that disagree: agree.c. */
struct mpi_coll_agreement {
    uint16_t mark;                 /* of what this rank called; 0: not needed yet */
    enum mpi_coll_verdict verdict; /* why it cannot end well */
    int offender;                  /* rank of who called something else */
    bool closes;                   /* those in the segment wait for this rank's release */
    uint32_t unmatched, alarms;    /* looked at so far */
    struct mpi_checker_coll check; /* the checking layer's */
};

/* In the list of those that are watched (mpi_coll_watch): the next one, and what leads here. */
struct mpi_coll_watched {
    struct mpi_coll *next, **at;
};

/* Meeting in shared memory: segment.c. */
struct mpi_coll_meeting {
    struct mpu_segment *at;
    struct mpu_visit visit;
    struct mpu_outcome outcome; /* of the own release, if this rank closes the meeting */
    struct mpu_comm leaders;    /* of the clusters, if there are several */
};

/* Nonblocking and persistent ones that meet in a channel, or are multicasts: channel.c. */
struct mpi_coll_place {
    struct mpi_queue *queue; /* that it is in; NULL: none */
    struct mpi_coll *next;   /* that is behind it there */
    struct mpu_flow *held;   /* its own, as long as it waits to be the first one */
    uint32_t number;         /* that it says there */
    int persistent; /* the how manyth of its communicator's persistent ones; 0: it is none */
};

/* Reduction: see coll/vectors.h. Other algorithms use acc, in and spare as they like. */
struct mpi_coll_vector {
    uint8_t *acc, *in, *spare, *home;
    bool mine; /* acc may be written to */
    enum mpi_coll_fold fold;
    MPI_Count count;
    const struct mpi_type *type;
};

/* Short operations touch little of it: what they use lies together. */
struct mpi_coll {
    struct mpi_process *p;
    struct mpi_comm *comm;
    const char *call;
    const struct mpi_coll_kind *kind;
    const struct mpi_coll_algorithm *algorithm;
    const struct mpi_op *op; /* NULL: none */
    int root;                /* rank in the group that holds the root */
    enum mpi_coll_role role;
    bool in_place;
    bool rest;      /* it was multicast, and something is left for messages */
    int rank, size; /* of the calling rank, in its own group; size of that group */
    int remote;     /* size of the group that messages go to: another one on intercommunicators */
    uint64_t bytes; /* what algorithms are chosen by; the same on all ranks of an
                     * intracommunicator; 0 where how much each has is its own affair */
    int tag;
    struct mpi_coll_position step;
    int error;             /* first one: an error class; the operation goes on to its end */
    bool running, stopped; /* stopped: no further round, the last messages are awaited */
    bool broken;           /* stopped by an error of its own round: the rest is not done */
    bool blocking;
    bool inside; /* in a round, which may call the program's function, which may work */
    bool busy;   /* another thread is at a call with the rank's staging buffers: segment_long.c */
    struct mpi_side send, recv;
    struct mpi_coll_agreement agreement;
    uint32_t amounts; /* a number made of counts that all must give alike; 0: there are none */
    void *kept;       /* the arrays, copied: forms.c; NULL: they are the program's */
    int *neighbours;  /* those that it has blocks of, then those that it gives something to */
    struct mpi_coll_messages messages;
    struct mpi_coll_chunk chunk;
    struct mpi_coll_place place;

    /* From here on nothing is set before it is used. */
    struct mpi_coll_meeting segment;
    struct mpi_coll_vector vector;
    struct mpi_coll_watched watched;
    void *temp[MPI_COLL_TEMPS]; /* freed at the end */
    struct mpi_coll_slot first[MPI_COLL_INLINE];
};

/* Blocking operations have one half of the numbers, nonblocking and persistent ones the other. */
#define MPI_COLL_NUMBERS (1U << 22)
_Static_assert(2LL * MPI_COLL_NUMBERS * MPU_OPERATION_TAGS - 1 <= INT32_MAX, "they become tags");

/* The number of the next one on c: tags are made of it. */
static inline uint32_t mpi_coll_number(const struct mpi_comm *c, bool blocking)
{
    return blocking ? c->collectives[0] % MPI_COLL_NUMBERS
                    : c->collectives[1] % MPI_COLL_NUMBERS + MPI_COLL_NUMBERS;
}

/* The first tag of one half of the numbers: 0 blocking ones, 1 the others. */
static inline int mpi_coll_first_tag(int half)
{
    return half * (int)MPI_COLL_NUMBERS * MPU_OPERATION_TAGS;
}

/* No rank is so many operations ahead of another: a number that is as far back, or further, is one
 * to come. After each so many, numbers begin anew (mpi_late_renumber). */
#define MPI_COLL_ERA (MPI_COLL_NUMBERS / 2)

/* The first tag of those of a half that are forgotten; c->forgotten says where they end. */
static inline int mpi_coll_forgotten_from(const struct mpi_comm *c, int half)
{
    int era = (int)MPI_COLL_ERA * MPU_OPERATION_TAGS;
    return mpi_coll_first_tag(half) + (c->forgotten[half] > era ? era : 0);
}

/* That of an operation. */
static inline uint32_t mpi_coll_number_of(const struct mpi_coll *c)
{
    return mpu_operation_of(c->tag);
}

/* What each rank gives, if that is one whole: the count and type are those of the result, too. */
static inline const struct mpi_side *mpi_coll_operand(const struct mpi_coll *c)
{
    return c->send.type ? &c->send : &c->recv;
}

/* Whether memory lies between its elements that is of none: in a pair of a double and an int. */
static inline bool mpi_coll_has_gaps(const struct mpi_coll *c)
{
    const struct mpi_side *s = mpi_coll_operand(c);
    return s->extent != s->type->size;
}

/* Its bytes in memory, with the gaps. */
static inline uint64_t mpi_coll_span(const struct mpi_coll *c)
{
    const struct mpi_side *s = mpi_coll_operand(c);
    return (uint64_t)s->count * (uint64_t)s->extent;
}

/* Whether its elements are predefined ones, which all ranks have alike in memory; a predefined
 * operation has no others. */
static inline bool mpi_coll_is_predefined(const struct mpi_coll *c)
{
    return c->op->handle || mpi_coll_operand(c)->type->handle;
}

/* Whether it is reduced by a predefined operation, and has no gaps. */
static inline bool mpi_coll_is_plain(const struct mpi_coll *c)
{
    return c->op->handle && !mpi_coll_has_gaps(c);
}

/* Notes an error class, unless there was one before. */
static inline void mpi_coll_fail(struct mpi_coll *c, int class)
{
    if (!c->error)
        c->error = class;
}

#endif
