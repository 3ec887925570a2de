/* SPDX-License-Identifier: MIT */
/* Messages between ranks: start, wait. docs/matching.md has the design. */
#ifndef MPIUTIL_MESSAGE_H
#define MPIUTIL_MESSAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpiutil/rank.h>
#include <mpiutil/wire.h>

#define MPU_ANY (-1) /* any source, any tag */
#define MPU_ALL (-2) /* all ranks of the communicator: struct mpu_doing */

/* A communicator as messages need it. Messages of one context never match receives of another.
 * Contexts that are equal modulo MPU_CONTEXTS are for the same: MPU_CONTEXT_PROGRAM for what
 * programs send, the others for collective operations. */
#define MPU_CONTEXTS 8
enum { MPU_CONTEXT_PROGRAM };
struct mpu_comm {
    uint32_t context;
    int rank, size;   /* of the calling rank */
    const int *world; /* world rank of each rank; NULL: the same numbers */
    const char *name;
};

static inline int mpu_comm_world(const struct mpu_comm *c, int rank)
{
    return c->world ? c->world[rank] : rank;
}

/* Where an arrived message is kept. */
enum mpu_origin {
    MPU_FROM_NET,     /* a cell of the receiver, for a message from another cluster */
    MPU_FROM_MEMORY,  /* a cell of the sender, of another cluster, in memory that both share */
    MPU_FROM_CELL,    /* a cell of a rank of the same cluster */
    MPU_FROM_LANE,    /* a cell of the receiver's core, for a message from another core */
    MPU_FROM_REQUEST, /* the request of a sender of the same cluster, who waits */
    MPU_ORIGINS
};

struct mpu_arrival {
    struct mpu_arrival *next;
    union {
        struct mpu_arrival *more; /* of a message in pieces: the others, the last one first; of a
                                   * receive: the cell that becomes its answer */
        uintptr_t site; /* of a send: where the program started it; 0: unknown (mpiutil/stand.h) */
    };
    uint64_t order; /* unexpected: its number in match/match.h */
    enum mpu_origin origin;
    union {
        uint32_t here; /* of a message in pieces: bytes that have arrived */
        struct {
            uint16_t owner; /* of a cell from the same cluster; its place there */
            uint16_t to;    /* whom it is for; the same */
        };
    };
    struct mpu_wire wire;
};

struct mpu_flow; /* mpiutil/flow.h */

/* What a send that waits for its receiver is there: protocol/hold.c. */
enum mpu_stage { MPU_NO_STAGE, MPU_COUNTED_STAGE, MPU_FOUND_STAGE, MPU_HELD_STAGE };

/* A message being sent or received. The memory is the caller's, until it is done. */
struct mpu_request {
    /* Owner's thread only. */
    struct mpu_request *next; /* in the one queue that holds it */
    struct mpu_rank *rank;
    struct mpu_flow *flow; /* whose step started it; NULL: none. Constant */
    const struct mpu_proto *proto;
    uint32_t context;
    int source;    /* receive: rank in the communicator, or MPU_ANY; send: own rank */
    int tag;       /* receive: or MPU_ANY; result of a receive, as source: of the message */
    int world;     /* the other side's world rank, receive: of any source once matched */
    uint16_t port; /* rendezvous: the other side's portal; the slot, protocol/slot.c */
    union {
        struct {
            bool quiet : 1;     /* rendezvous, send: the receiver has named this rank's portal */
            bool answered : 1;  /* send: the receiver has said that bytes arrive */
            bool cancel : 1;    /* send: to be taken back */
            bool cancelled : 1; /* send: result of that */
            bool sync : 1;      /* send: done only when it was matched */
            bool streamed : 1;  /* buf is a struct mpu_stream */
        };
        uint8_t flags;
    };
    atomic_bool done; /* set last, by the rank itself or by a receiver of the same cluster */
    uint16_t mark;    /* send: of what is sent; receive: of what is wanted */
    union {
        uint16_t sent_mark; /* result of a receive: of the message */
        uint16_t stage;     /* send: enum mpu_stage */
    };
    uint8_t *buf;
    uint64_t size; /* send: bytes; receive: room in buf */
    union {
        uint64_t moved; /* rendezvous: bytes that went through the portal */
        uint64_t order; /* posted receive: its number in match/match.h */
    };

    /* Results; valid once done. */
    int error;      /* 0; -B_EMSGSIZE: the message did not fit, the first `count` bytes are there;
                  -B_EBADMSG: its mark differs from the one that was wanted, the bytes are there */
    uint32_t piece; /* no result: of a rendezvous, bytes of a transfer; 0: all in one */
    uint64_t count; /* bytes received; send: that the receiver allowed, or that have left */

    /* Read by the receiver while the sender waits (MPU_FROM_REQUEST). */
    struct mpu_arrival arrival;
};

/* Both ends of a message may say what it is, in 15 bits that go along with the number of bytes
 * below, which has 48: what its elements are, and to which operation it belongs. Two marks differ
 * if they say different things in one of the two parts; 0 in a part says nothing. */
#define MPU_BYTES_BITS           48
#define MPU_BYTES_MOST           ((UINT64_C(1) << MPU_BYTES_BITS) - 1)
#define MPU_MARK_BITS            15
#define MPU_MARK_ELEMENT         31u /* the lower part; the rest is the operation's */
#define MPU_MARK_OPERATION_SHIFT 5

/* Tags of a collective operation: so many, from a multiple of that on. Its number, by a tag. */
#define MPU_OPERATION_TAGS 256
static inline uint32_t mpu_operation_of(int tag)
{
    return (uint32_t)tag / MPU_OPERATION_TAGS;
}

/* n <= MPU_BYTES_MOST bytes with a mark, as sends and receives take them; and the mark of such. */
static inline uint64_t mpu_marked(uint64_t n, unsigned int mark)
{
    return n | (uint64_t)mark << MPU_BYTES_BITS;
}

static inline uint16_t mpu_mark_of(uint64_t n)
{
    return (uint16_t)(n >> MPU_BYTES_BITS & ((1u << MPU_MARK_BITS) - 1));
}

/* In one part, or in any. */
static inline bool mpu_marks_differ_in(unsigned int a, unsigned int b, unsigned int part)
{
    return ((a ^ b) & part) && (a & part) && (b & part);
}

static inline bool mpu_marks_differ(unsigned int a, unsigned int b)
{
    return a != b && (mpu_marks_differ_in(a, b, MPU_MARK_ELEMENT) ||
                      mpu_marks_differ_in(a, b, ~MPU_MARK_ELEMENT));
}

/* Data that does not lie in one piece: whoever started the request brings it, or takes it away, bit
 * by bit, so that nobody needs memory for all of it. It is more than MPU_STREAM_WINDOW bytes, or
 * as many as mpu_streams says. With `n | MPU_STREAMED` as the number of bytes below, buf is one of
 * these, and belongs to the request until it is done. */
#define MPU_STREAMED      (UINT64_C(1) << 63)
#define MPU_STREAM_WINDOW 4096
struct mpu_stream {
    /* Send: writes the bytes [at, at + n) of the message to `memory`; receive: takes them from
     * there. `at` only grows. That of a send may be called by another rank of the cluster. Never
     * waits. */
    void (*move)(struct mpu_stream *s, uint64_t at, uint64_t n, void *memory);
    uint8_t *window; /* MPU_STREAM_WINDOW bytes, mpiutil's while the request is under way; NULL,
                      * where mpu_streams says so: none is needed */
};

/* Whether n bytes travel as a stream as fast as they would from one piece: then they need not be
 * packed before. */
bool mpu_streams(const struct mpu_rank *r, uint64_t n);

/* From now on, until the same with 0: the rank starts n messages to or from others, and then waits
 * for all of them, so an answer that one of them takes costs it no further wait. */
void mpu_send_together(struct mpu_rank *r, int n);

/* Sends n bytes of buf (n may be marked) to rank `to` (0 .. size-1) with tag >= 0 at once, if that
 * takes neither waiting nor a request: its receive is posted on the same core, or n is within the
 * limit up to which messages are copied, and there is room for it. False: nothing happened; a
 * request will do. */
bool mpu_send_now(struct mpu_rank *r, const struct mpu_comm *c, int to, int tag, const void *buf,
                  uint64_t n);

/* Starts to send the same; at once, if it can. Never waits. `buf` must stay unchanged until done;
 * when the size is within the eager limit, and there is room for it with the receiver, the request
 * is done soon, whether or not that one asks. */
void mpu_send_start(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c, int to,
                    int tag, const void *buf, uint64_t n);

/* The same, but done only once the receiver has matched it (MPI_Ssend). */
void mpu_send_sync_start(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c,
                         int to, int tag, const void *buf, uint64_t n);

/* Starts to receive at most n bytes (n may be marked) from rank `from` (or MPU_ANY) with `tag` (or
 * MPU_ANY). Messages of one sender match in the order in which they were sent. Never waits. */
void mpu_recv_start(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c, int from,
                    int tag, void *buf, uint64_t n);

/* Looks for a message that a receive with these arguments would take and that has arrived; NULL:
 * none. It stays where it is, unless `take`: then only mpu_recv_taken receives it, which must be
 * done. Looks only at what progress has brought. Never waits. */
struct mpu_arrival *mpu_probe(struct mpu_rank *r, const struct mpu_comm *c, int from, int tag,
                              bool take);
void mpu_recv_taken(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a, void *buf,
                    uint64_t n);

/* How many messages have come so far before a receive asked for them, or as others than it asked
 * for (mpu_request.error); and whether one waits that is of c, has a
 * tag of first .. last, and a mark that names another operation than `mark` (0: any): then *from is
 * its sender's rank, and *tag its tag. Never wait. */
uint32_t mpu_came(const struct mpu_rank *r);
bool mpu_unmatched(const struct mpu_rank *r, const struct mpu_comm *c, int first, int last,
                   unsigned int mark, int *from, int *tag);

/* Forgets unexpected messages that name an operation: of c with a tag of first .. last; NULL: all.
 * Those who wait for their receiver are told that they are cancelled. */
void mpu_forget(struct mpu_rank *r, const struct mpu_comm *c, int first, int last);

/* Takes back a receive that no message has matched: true, it is as if it had never been started
 * (not even done). Never waits. */
bool mpu_recv_cancel(struct mpu_request *q);

/* The same, and it is done, with -B_ECANCELED. */
void mpu_recv_drop(struct mpu_request *q);

/* Tries to take back a send that is not done. It is done all the same, some time: with `cancelled`,
 * and then nobody receives it, or as usual. Never waits. */
void mpu_send_cancel(struct mpu_request *q);

/* Handles what has happened, without waiting; false: nothing had, so that nothing is done or there
 * that was not before, but by `advance` below. */
bool mpu_poll(struct mpu_rank *r);

/* Waits until done(arg), which must not wait but by this function; it is asked again whenever
 * something happened. */
void mpu_until(struct mpu_rank *r, bool (*done)(void *arg), void *arg);

/* Where other threads of the host use the rank meanwhile: who waits calls pause(true) instead of
 * sleeping, as often as it takes; who has asked in vain (mpu_asks) pause(false). NULL: none do. */
void mpu_set_pause(struct mpu_rank *r, void (*pause)(bool waits));

/* `advance` is called, on the rank's thread, whenever something happened while the rank waits or
 * polls: it may start messages, but not wait. NULL: nobody. */
void mpu_set_advance(struct mpu_rank *r, void (*advance)(void *arg), void *arg);

/* Why `notify` is called, as bits: there is a new alarm in the cluster (alarm.h); the rank has
 * waited for long (mpu_stall_clock_start); it wants it always (mpu_notify_always); it is in
 * mpu_stop. */
enum mpu_notice { MPU_ALARMED = 1, MPU_STALLED = 2, MPU_ALWAYS = 4, MPU_STOPS = 8 };

/* `notify` is called, on the rank's thread, wherever the rank waits or polls and there is a notice.
 * It may start messages, but not wait. NULL: nobody. */
void mpu_set_notify(struct mpu_rank *r, void (*notify)(void *arg, uint32_t why), void *arg);

/* `unexpected` is called, with what `notify` is, for each message of an operation, not of a
 * program, that comes before a receive asks for it; by whoever brings it, on the rank's core: it
 * only notes that, and may not start messages. True: the rank is to look, so it is woken if it
 * waits. NULL: nobody. */
void mpu_set_unexpected(struct mpu_rank *r,
                        bool (*unexpected)(void *arg, uint32_t context, int tag));

/* From now on, whenever the rank waits or polls, until the same with false. */
void mpu_notify_always(struct mpu_rank *r, bool always);

/* Has a clock tell ranks of the calling rank's cluster that wait for 0.1 to 0.2 s so (MPU_STALLED),
 * once for each wait. Never waits. */
void mpu_stall_clock_start(struct mpu_rank *r);

/* Called by `done` of mpu_until that answers false: it will do so until q is done (the last call
 * counts), so the rank need not be woken before. */
void mpu_await(struct mpu_rank *r, const struct mpu_request *q);

/* The program asked for something that has not happened: lets the other ranks of this core run, and
 * the network. Who asks again and again and does nothing else, where time is virtual, comes back
 * when the bell rings, or after 1/256 of the time that it has asked by then. */
void mpu_yield(struct mpu_rank *r);

/* Waits until q is done; everything else of the rank goes on meanwhile. */
void mpu_wait(struct mpu_request *q);

/* A send and a receive from start to end; meanwhile that is what the rank does, in `call`
 * (mpu_does). They return how the request ended (mpu_request.error); q has the other results. */
int mpu_send(struct mpu_rank *r, const struct mpu_comm *c, int to, int tag, const void *buf,
             uint64_t n, const char *call);
int mpu_recv(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c, int from, int tag,
             void *buf, uint64_t n, const char *call);

/* The end of a receive on c that was started: the same. */
int mpu_recv_wait(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c,
                  const char *call);

/* Whether it is complete; its results are visible then. Any thread; makes no progress by itself. */
static inline bool mpu_done(struct mpu_request *q)
{
    return atomic_load_explicit(&q->done, memory_order_acquire);
}

#endif
