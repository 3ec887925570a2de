/* SPDX-License-Identifier: MIT */
/* Collective operations: one engine for the blocking, nonblocking and persistent forms and for the
 * neighbourhood ones. docs/collectives.md.
 *
 * An algorithm is a generator of rounds: its function is called with k = 0, 1, 2, ...; each call
 * finds the messages of the round before complete, does what is to be done locally (reduce, copy)
 * and starts the messages of its own round. Nothing of a schedule is stored, so an operation costs
 * the memory of one round, and starting a persistent one again costs nothing. Everything belongs
 * to the calling rank's thread. */
#ifndef MPI_COLL_COLL_H
#define MPI_COLL_COLL_H

#include <base/error.h>
#include <mpiutil/alarm.h>
#include <mpiutil/coll.h>
#include <mpiutil/hall.h>
#include <mpiutil/tuning.h>

#include "internal/check.h"
#include "internal/op.h"
#include "internal/type.h"

#define MPI_COLL_WINDOW 8 /* most messages that a round of a linear algorithm sends or receives */
#define MPI_COLL_INLINE 2 /* messages of a round without more memory */
#define MPI_COLL_TEMPS  6
#define MPI_COLL_ONE    (-1)
#define MPI_COLL_SUBS   256 /* messages of a pair in one operation that tags can tell apart */

/* What an algorithm's round returns, or an error -B_Exxx: the operation ends with it. */
enum mpi_coll_step { MPI_COLL_DONE, MPI_COLL_MORE };

/* count elements of a type at buf. */
struct mpi_data {
    void *buf;
    MPI_Count count;
    const struct mpi_type *type;
};

/* An array argument of the int or of the large-count form of a function. */
struct mpi_numbers {
    const void *at; /* NULL: there is none */
    bool large;     /* MPI_Count (MPI_Aint, the same size), else int */
};

static inline MPI_Count mpi_number(const struct mpi_numbers *n, int i)
{
    return n->large ? ((const MPI_Count *)n->at)[i] : ((const int *)n->at)[i];
}

/* How the blocks of a side are given: all with one count; a count and a displacement each; a type
 * each too (displacements are in bytes then). */
enum mpi_coll_shape { MPI_COLL_EVEN, MPI_COLL_V, MPI_COLL_W };

/* The arguments of a collective; what a kind does not have stays zero. */
struct mpi_coll_side_args {
    const void *buf;
    MPI_Count count;
    MPI_Datatype type;
    struct mpi_numbers counts, displs;
    const MPI_Datatype *types;
    enum mpi_coll_shape shape;
};

/* A side as the functions have it. Arrays of the int forms are `mpi_ints`, those of the large forms
 * and addresses `mpi_larges`. */
static inline struct mpi_numbers mpi_ints(const int *at)
{
    return (struct mpi_numbers){at, false};
}

static inline struct mpi_numbers mpi_larges(const MPI_Count *at)
{
    return (struct mpi_numbers){at, true};
}

static inline struct mpi_coll_side_args mpi_even(const void *buf, MPI_Count count,
                                                 MPI_Datatype type)
{
    return (struct mpi_coll_side_args){.buf = buf, .count = count, .type = type};
}

static inline struct mpi_coll_side_args mpi_v(const void *buf, struct mpi_numbers counts,
                                              struct mpi_numbers displs, MPI_Datatype type)
{
    return (struct mpi_coll_side_args){
        .buf = buf, .counts = counts, .displs = displs, .type = type, .shape = MPI_COLL_V};
}

static inline struct mpi_coll_side_args mpi_w(const void *buf, struct mpi_numbers counts,
                                              struct mpi_numbers displs, const MPI_Datatype *types)
{
    return (struct mpi_coll_side_args){
        .buf = buf, .counts = counts, .displs = displs, .types = types, .shape = MPI_COLL_W};
}

struct mpi_coll_args {
    const char *call;
    MPI_Comm comm;
    struct mpi_coll_side_args send, recv;
    MPI_Op op;
    int root;
};

/* One of the two buffers, checked. A side with blocks has one per rank (or neighbour). */
struct mpi_side {
    uint8_t *buf;
    MPI_Count count; /* of every block, where `counts` has none */
    const struct mpi_type *type;
    MPI_Aint extent; /* of type */
    struct mpi_numbers counts, displs;
    const struct mpi_type **types; /* w forms: one per block, held */
    int blocks;
};

/* A message of the round under way. */
struct mpi_coll_slot {
    struct mpu_request q;
    uint8_t *packed;      /* memory that it needs beside the program's buffer; NULL: none */
    void *at;             /* what mpiutil sends or receives: bytes, or a stream */
    uint64_t streamed;    /* MPU_STREAMED or 0 */
    struct mpi_data data; /* receive: where they go */
    uint64_t bytes;       /* receive: expected */
    bool receives;
    int peer; /* world rank of the other side */
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

enum mpi_coll_doubt {
    MPI_COLL_AGREED,
    MPI_COLL_DIFFERS, /* the culprit's message belongs to another operation */
    MPI_COLL_ALARMED, /* another rank said so */
    MPI_COLL_ASKED,   /* another rank that waits for it has called something else */
    MPI_COLL_LATE,    /* it ended well, but the culprit called something else before */
    MPI_COLL_OWN      /* this rank failed */
};

struct mpi_coll {
    struct mpi_process *p;
    struct mpi_comm *comm;
    const char *call;
    const struct mpi_coll_kind *kind;
    const struct mpi_coll_algorithm *algorithm;
    struct mpi_side send, recv;
    const struct mpi_op *op; /* NULL: none */
    int root;                /* rank in the group that holds the root */
    enum mpi_coll_role role;
    bool in_place;
    int rank, size; /* of the calling rank, in its own group; size of that group */
    int remote;     /* size of the group that messages go to: another one on intercommunicators */
    uint64_t bytes; /* what algorithms are chosen by; the same on all ranks */
    int tag;
    int round, phase, base; /* of the algorithm; phases restart at round `base` */
    int next;               /* windows: number of the first message of the next round */
    int error;              /* first one: an error class; the operation goes on to its end */
    bool running, stopped;  /* stopped: no further round, the last messages are awaited */
    bool broken;            /* stopped by an error of its own round: the rest is not done */
    bool inside;            /* in a round, which may call the program's function, which may work */

    /* Ranks that disagree: agree.c. */
    struct mpi_coll *watched;  /* the next one that is */
    uint16_t element;          /* mark of the elements of packed data: all ranks have the same */
    uint16_t mark;             /* of what this rank called; 0: not needed yet */
    enum mpi_coll_doubt doubt; /* why it cannot end well */
    bool opened;               /* counted in comm->open */
    int culprit;               /* rank of who called something else */
    bool holds;                /* those in the hall wait for this rank's release */
    bool late;                 /* a message of an operation before it has come */
    uint32_t strays, alarms;   /* looked at so far */
    uint32_t patience;         /* mpi_process.impatience, heeded so far */
    int asked;                 /* 1 + the round in which the rank asked why it waits; 0: none */
    int asked_slots;           /* of that round: those before were asked */

    void *temp[MPI_COLL_TEMPS]; /* freed at the end */
    int temps;

    /* Reduction: see mpi_coll_vectors. Other algorithms use acc, in and spare as they like. */
    uint8_t *acc, *in, *spare, *home;
    bool acc_mine; /* may be written to */
    enum mpi_coll_fold fold;
    MPI_Count count;
    const struct mpi_type *type;
    MPI_Count at, piece; /* [at, at + piece) is under way */

    /* Meeting in the cluster's memory, blocking operations only: hall.c. */
    bool blocking;
    struct mpu_visit visit;
    struct mpu_told told;    /* by the own release */
    struct mpu_comm leaders; /* of the clusters */

    void *kept;      /* mpi_coll_keep: the arrays; NULL: they are the program's */
    int *neighbours; /* neighbourhood: sources, then destinations */
    int sources, destinations;

    int n, room;   /* slots used in this round, available */
    uint64_t held; /* memory of theirs */
    struct mpi_coll_slot *slots;
    struct mpi_coll_slot first[MPI_COLL_INLINE];
};

struct mpi_coll_algorithm {
    const char *name;                          /* in traces */
    const char *counter;                       /* how often it was used */
    bool (*applies)(const struct mpi_coll *c); /* NULL: always */
    /* Halls; NULL: there is none. Waits. True: the rounds follow, on this rank; they release the
     * others, to whom it is false. */
    bool (*meet)(struct mpi_coll *c);
    int (*round)(struct mpi_coll *c, int k);
    /* The same on all ranks: the rounds are repeated for pieces of what is so long, elements of a
     * vector that is reduced, or whatever `piece` counts. NULL: once for all. */
    MPI_Count (*length)(const struct mpi_coll *c);
    MPI_Count (*piece)(const struct mpi_coll *c); /* NULL: elements that take mpi_coll_share() */
};

/* Kinds by number: the same in all programs, as numbers from other ranks are compared. */
enum mpi_coll_id {
    MPI_COLL_NO_KIND,
    MPI_COLL_ALLGATHER,
    MPI_COLL_ALLGATHERV,
    MPI_COLL_ALLREDUCE,
    MPI_COLL_ALLTOALL,
    MPI_COLL_ALLTOALLV,
    MPI_COLL_ALLTOALLW,
    MPI_COLL_BARRIER,
    MPI_COLL_BCAST,
    MPI_COLL_GATHER,
    MPI_COLL_GATHERV,
    MPI_COLL_NEIGHBOR_ALLGATHER,
    MPI_COLL_NEIGHBOR_ALLGATHERV,
    MPI_COLL_NEIGHBOR_ALLTOALL,
    MPI_COLL_NEIGHBOR_ALLTOALLV,
    MPI_COLL_NEIGHBOR_ALLTOALLW,
    MPI_COLL_REDUCE,
    MPI_COLL_REDUCE_SCATTER,
    MPI_COLL_REDUCE_SCATTER_BLOCK,
    MPI_COLL_SCAN,
    MPI_COLL_EXSCAN,
    MPI_COLL_SCATTER,
    MPI_COLL_SCATTERV,
};

/* Which forms of communicator a kind is for. */
enum mpi_coll_where { MPI_COLL_ANY, MPI_COLL_INTRA, MPI_COLL_TOPOLOGY };

struct mpi_coll_kind {
    enum mpi_coll_id id;
    bool alike; /* all ranks of an intracommunicator must give as many bytes as `bytes` */
    enum mpi_coll_where where;
    enum mpi_choice choice; /* the program may choose: internal/choice.h */
    /* Checks the arguments and fills in send, recv, op, root, bytes; an error class, raised. */
    int (*check)(struct mpi_coll *c, const struct mpi_coll_args *a);
    /* The first that applies is used; the last one always does. NULL-terminated. */
    const struct mpi_coll_algorithm *const *intra, *const *inter;
};

/* --- The forms. All return an error class, raised on the communicator. --- */

/* Blocking; waits. */
int mpi_coll_run(const struct mpi_coll_kind *kind, const struct mpi_coll_args *a);

/* Nonblocking: started; the request is done when the operation is. */
int mpi_coll_start(const struct mpi_coll_kind *kind, const struct mpi_coll_args *a,
                   MPI_Request *request);

/* Persistent: an inactive request, started by MPI_Start. */
int mpi_coll_init(const struct mpi_coll_kind *kind, const struct mpi_coll_args *a, MPI_Info info,
                  MPI_Request *request);

extern const struct mpi_coll_kind mpi_coll_barrier, mpi_coll_bcast, mpi_coll_gather,
    mpi_coll_gatherv, mpi_coll_scatter, mpi_coll_scatterv, mpi_coll_allgather, mpi_coll_allgatherv,
    mpi_coll_alltoall, mpi_coll_alltoallv, mpi_coll_alltoallw, mpi_coll_reduce, mpi_coll_allreduce,
    mpi_coll_reduce_scatter, mpi_coll_reduce_scatter_block, mpi_coll_scan, mpi_coll_exscan,
    mpi_coll_neighbor_allgather, mpi_coll_neighbor_allgatherv, mpi_coll_neighbor_alltoall,
    mpi_coll_neighbor_alltoallv, mpi_coll_neighbor_alltoallw;

/* --- Life of an operation (engine.c). --- */

/* Blocking operations have one half of the numbers, nonblocking and persistent ones the other. */
#define MPI_COLL_NUMBERS (1U << 22)
_Static_assert(2LL * MPI_COLL_NUMBERS * MPI_COLL_SUBS - 1 <= INT32_MAX, "they become tags");

/* The number of the next one on c: tags are made of it. */
static inline uint32_t mpi_coll_number(const struct mpi_comm *c, bool blocking)
{
    return blocking ? c->collectives[0] % MPI_COLL_NUMBERS
                    : c->collectives[1] % MPI_COLL_NUMBERS + MPI_COLL_NUMBERS;
}

/* That of an operation. */
static inline uint32_t mpi_coll_number_of(const struct mpi_coll *c)
{
    return (uint32_t)c->tag / MPI_COLL_SUBS;
}

/* Notes an error class, unless there was one before. */
static inline void mpi_coll_fail(struct mpi_coll *c, int class)
{
    if (!c->error)
        c->error = class;
}

/* Checks the arguments and fills in *c, which needs no preparation; nothing is sent. An error
 * class, raised; then there is nothing to end. */
int mpi_coll_make(struct mpi_coll *c, const struct mpi_coll_kind *kind,
                  const struct mpi_coll_args *a, bool blocking);

/* Copies the arrays of counts and displacements: the program may free its own (keep.c). An error
 * class, raised. */
int mpi_coll_keep(struct mpi_coll *c);

/* Begins it (again), on all ranks in the same order. */
void mpi_coll_begin(struct mpi_coll *c);

/* Goes on as far as possible; true: it is complete, c->error says how. Never waits. */
bool mpi_coll_advance(struct mpi_coll *c);

/* Goes through the rounds; waits. otherwise: all ranks found that the algorithm does not apply
 * after all; begins again with another one, whose result is as that of `meet`. */
void mpi_coll_rounds(struct mpi_coll *c);
bool mpi_coll_otherwise(struct mpi_coll *c);

/* Lets go of what c holds; it is not under way. */
void mpi_coll_end(struct mpi_coll *c);

/* Raises c->error on its communicator, returns it; the same for the error class of any. */
int mpi_coll_result(struct mpi_coll *c);
int mpi_coll_raise(struct mpi_comm *comm, int class, const char *call,
                   const struct mpi_coll_algorithm *a);

/* --- Ranks that disagree (agree.c). docs/collectives.md, Agreement. --- */

/* What messages of the operation are marked with. */
unsigned int mpi_coll_mark(struct mpi_coll *c);

/* Ends the operation without a result: what is under way is taken back. The others are told, unless
 * they were the ones who said so (MPI_COLL_ALARMED). */
void mpi_coll_break(struct mpi_coll *c, enum mpi_coll_doubt why, int culprit);

/* Looks for alarms about the operation, for questions of who called something else, and for
 * messages of another one with its number: each breaks it. Messages of one before it are an error
 * when it has ended. Who has waited for long asks those that it waits for. */
void mpi_coll_heed_alarms(struct mpi_coll *c);
void mpi_coll_look_strays(struct mpi_coll *c);

static inline void mpi_coll_heed(struct mpi_coll *c)
{
    if (mpu_alarms(c->p->rank) != c->alarms || c->p->impatience != c->patience)
        mpi_coll_heed_alarms(c);
}

static inline void mpi_coll_look(struct mpi_coll *c)
{
    if (mpu_came(c->p->rank) != c->strays)
        mpi_coll_look_strays(c);
}

/* A static program, which pays for each byte, asks nobody, and does not say in words who called
 * what: these are linked only where something else asks for them. */
#define MPI_IF_LINKED __attribute__((weak))

/* Notes what it was, for those who ask later. */
MPI_IF_LINKED void mpi_coll_remember(struct mpi_coll *c);

/* At the end: one that ended well all the same may be an error. */
static inline void mpi_coll_judge(struct mpi_coll *c)
{
    if (mpi_coll_remember && c->mark && !c->broken)
        mpi_coll_remember(c);
    if (c->late && !c->error) {
        c->error = MPI_ERR_OTHER;
        c->doubt = MPI_COLL_LATE;
    }
}

/* Before the first collective of a rank on a communicator. */
void mpi_coll_be_heedful(struct mpi_process *p);

/* Who has waited for long, if it may, asks those of the cluster and those that the round waits for;
 * and a world rank, for which it waits otherwise (ask.c). */
MPI_IF_LINKED void mpi_coll_may_ask(struct mpi_process *p);
MPI_IF_LINKED void mpi_coll_ask(struct mpi_coll *c);
MPI_IF_LINKED void mpi_coll_ask_one(struct mpi_coll *c, int world);
static inline bool mpi_coll_would_ask(const struct mpi_coll *c)
{
    bool more = c->asked != c->round + 1 || c->asked_slots < c->n;
    return mpi_coll_ask && more && c->patience != c->p->impatience;
}

/* Both, of an operation that waits otherwise than in a round; true: it is broken. */
bool mpi_coll_doubts(void *coll);

/* Waits until all that are to be told of something are. */
void mpi_coll_tell_all(struct mpi_process *p);

/* The end of a blocking one: waits for that, and, if it was broken, until the others of the cluster
 * have ended it, too. */
void mpi_coll_leave(struct mpi_coll *c);

/* One that is under way while the rank does other things is looked after wherever it waits. */
void mpi_coll_watch(struct mpi_coll *c);
void mpi_coll_unwatch(struct mpi_coll *c);

/* The rank takes no part, its arguments are wrong: all others are told. Waits until they are. */
void mpi_coll_absent(struct mpi_coll *c);

/* Says what happened; at most size bytes. */
MPI_IF_LINKED void mpi_coll_why(struct mpi_coll *c, char *text, size_t size);

/* --- For algorithms (data.c). 0 or -B_ENOMEM where an int is returned. --- */

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

/* n bytes until the operation's end; NULL: no memory. */
void *mpi_coll_temp(struct mpi_coll *c, uint64_t n);

/* Starts a message of this round; data that is no run of bytes is packed on the way. `sub`, below
 * MPI_COLL_SUBS, tells apart messages of one pair in one operation. No data (type NULL): an empty
 * one. */
int mpi_coll_send(struct mpi_coll *c, const struct mpu_comm *on, int to, int sub,
                  struct mpi_data d);
int mpi_coll_recv(struct mpi_coll *c, const struct mpu_comm *on, int from, int sub,
                  struct mpi_data d);

/* Sends and receives, both or nothing; in place `out` is copied, as `in` overwrites it. */
int mpi_coll_swap(struct mpi_coll *c, const struct mpu_comm *on, int other, struct mpi_data out,
                  struct mpi_data in);

/* Block i of a side; all of one that has no blocks; n consecutive bytes; nothing. */
struct mpi_data mpi_coll_block(const struct mpi_side *s, int i);
static inline struct mpi_data mpi_coll_whole(const struct mpi_side *s)
{
    return (struct mpi_data){s->buf, s->count, s->type};
}
struct mpi_data mpi_coll_bytes(void *buf, uint64_t n);
static inline struct mpi_data mpi_coll_nothing(void)
{
    return (struct mpi_data){0};
}

/* Bytes of data. */
static inline uint64_t mpi_data_bytes(struct mpi_data d)
{
    return d.type ? (uint64_t)d.count * (uint64_t)d.type->size : 0;
}

/* As a message from one to the other. Other sizes: MPI_ERR_TRUNCATE of the operation. */
void mpi_coll_copy(struct mpi_coll *c, struct mpi_data from, struct mpi_data to);

/* Elements with this mark have come where t is wanted: MPI_ERR_TYPE of the operation if those are
 * others. */
void mpi_coll_compare(struct mpi_coll *c, unsigned int mark, const struct mpi_type *t);

/* To and from packed bytes. */
void mpi_coll_pack(struct mpi_data from, void *to);
void mpi_coll_unpack(const void *from, struct mpi_data to);

/* Whether a round with a window of messages ends, so that other ranks of the cluster have memory
 * for theirs. */
static inline bool mpi_coll_full(const struct mpi_coll *c)
{
    return c->n && c->held >= 2 * mpi_coll_share();
}

/* What such a round returns. When there was no memory for one more, those
 * under way go on, and the next round begins with it. */
static inline int mpi_coll_window(struct mpi_coll *c, int rc)
{
    return rc == -B_ENOMEM && c->n ? MPI_COLL_MORE : rc ? rc : MPI_COLL_MORE;
}

/* What a round returns after its last message. */
static inline int mpi_coll_more(int rc)
{
    return rc ? rc : MPI_COLL_MORE;
}

/* Algorithm made of others: the next phase begins with the next call, as its round 0. */
static inline int mpi_coll_phase(struct mpi_coll *c)
{
    c->phase++;
    c->base = c->round;
    return MPI_COLL_MORE;
}

/* --- Parts that several algorithms are made of; rounds like an algorithm's. --- */

/* An empty message or data from member 0 of the local group to all (on c->comm->local). */
int mpi_coll_tree_down(struct mpi_coll *c, const struct mpu_comm *on, int root, int k,
                       struct mpi_data d);

/* Elements of one type of which a vector takes that much; at least one. */
MPI_Count mpi_coll_piece_of(const struct mpi_type *type);

/* What belongs to the piece under way; may be nothing. */
struct mpi_data mpi_coll_piece(const struct mpi_coll *c, struct mpi_data d);

/* The vectors of a reduction, narrowed to the piece under way: `acc`, what was reduced so far,
 * begins as the contribution, which is not written to unless it is also `home`; `in` is for what
 * comes next. home: the result's place, used as room meanwhile; NULL: none. 0 or -B_ENOMEM. */
int mpi_coll_vectors(struct mpi_coll *c, const struct mpi_type *type, MPI_Count count,
                     const void *contribution, void *home);

/* Room for another such vector; NULL: no memory. */
uint8_t *mpi_coll_vector(struct mpi_coll *c);

static inline struct mpi_data mpi_coll_shape(const struct mpi_coll *c, const void *at)
{
    return (struct mpi_data){(void *)(uintptr_t)at, c->count, c->type};
}

/* Receives a vector into `in`, for the next call of mpi_coll_fold. */
int mpi_coll_recv_in(struct mpi_coll *c, const struct mpu_comm *on, int from,
                     enum mpi_coll_fold how);
int mpi_coll_fold(struct mpi_coll *c);

/* Sends acc; acc stays until the next round. */
static inline int mpi_coll_send_acc(struct mpi_coll *c, const struct mpu_comm *on, int to)
{
    return mpi_coll_send(c, on, to, 0, c->error ? mpi_coll_nothing() : mpi_coll_shape(c, c->acc));
}

/* acc goes to home, if it is not there. */
void mpi_coll_home(struct mpi_coll *c);

/* acc of all ranks of `on`, reduced in rank order (if the operation commutes, any), is acc of root
 * at the end. */
int mpi_coll_reduce_tree(struct mpi_coll *c, const struct mpu_comm *on, int root, int k);

/* Intercommunicator: the first members of both groups exchange their acc. */
int mpi_coll_leaders_swap(struct mpi_coll *c, int k);

/* The operation, and the type of the side that is the contribution, may go together. */
int mpi_coll_check_op(struct mpi_coll *c, MPI_Op op, const struct mpi_type *type);

/* --- Cluster-aware forms (hall.c): inside a cluster through its memory, between clusters by the
 * leaders. For blocking operations of few bytes on communicators that have more ranks than
 * clusters. --- */
bool mpi_coll_in_halls(const struct mpi_coll *c);
extern const struct mpi_coll_algorithm mpi_coll_barrier_hall, mpi_coll_bcast_hall,
    mpi_coll_reduce_hall, mpi_coll_allreduce_hall, mpi_coll_alltoall_hall, mpi_coll_allgather_hall,
    mpi_coll_gather_hall, mpi_coll_scatter_hall, mpi_coll_allreduce_peer;

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

/* Exchanges inside one cluster (peer.c): each shows its operation, all meet, each reads what is for
 * it straight from the others' buffers, and all meet again before the buffers may change. applies:
 * a blocking operation of ranks that all live here. show, meet: false: they called different
 * operations, or no memory; noted; nothing may be read. may_leave: only at the first meeting. */
bool mpi_peer_applies(const struct mpi_coll *c);
bool mpi_peer_show(struct mpi_coll *c);
bool mpi_peer_meet(struct mpi_coll *c, bool may_leave);
static inline const struct mpi_coll *mpi_peer(const struct mpi_coll *c, int rank)
{
    return mpu_hall_shown(c->comm->hall, rank);
}

/* Of predefined operations that commute (peer_reduce.c): n elements, from number `from` on, of what
 * all contribute, reduced to `to`, where the own ones may be. */
bool mpi_peer_reduces(const struct mpi_coll *c);
void mpi_peer_reduce(struct mpi_coll *c, MPI_Count from, MPI_Count n, uint8_t *to);

/* One more round of a dissemination: k such that 2^k < size. */
int mpi_coll_disseminate(struct mpi_coll *c, const struct mpu_comm *on, int k);

/* --- Forms for ranks that share processors but no cluster (forum.c). --- */
extern const struct mpi_coll_algorithm mpi_coll_barrier_forum, mpi_coll_bcast_forum,
    mpi_coll_reduce_forum, mpi_coll_allreduce_forum;

/* --- Checks that kinds share (args.c). An error class, raised. --- */

/* `blocks` of them, or one piece of data (MPI_COLL_ONE). `what`: "sendbuf" ... for messages. */
int mpi_coll_check_side(struct mpi_coll *c, struct mpi_side *s, const struct mpi_coll_side_args *a,
                        int blocks, const char *what);
int mpi_coll_check_root(struct mpi_coll *c, int root);

/* All of Gather or Scatter: the root has a block per rank, each rank (its own among them) one. */
int mpi_coll_check_rooted(struct mpi_coll *c, const struct mpi_coll_args *a, bool gather);

/* MPI_IN_PLACE where it may not be is an error; so is one buffer for both. */
int mpi_coll_check_apart(struct mpi_coll *c, const struct mpi_coll_args *a);

#endif
