/* SPDX-License-Identifier: MIT */
/* Requests: what is under way, whatever it is. A request is the head of a larger structure that its
 * kind knows; all that waits, tests, starts or frees requests sees only this head.
 *
 * Life: made (mpi_request_new), started, complete (poll said so), ended (its status was given to
 * the program), then freed, or, if persistent, inactive until it is started again. Everything
 * happens on the rank's thread. */
#ifndef MPI_REQUEST_REQUEST_H
#define MPI_REQUEST_REQUEST_H

#include "core/check.h"

struct mpi_request;

/* What a kind does. */
struct mpi_request_kind {
    const char *name; /* "receive" */

    /* Asked while active and not complete: goes as far as it gets without waiting (it may start
     * messages, but makes and frees no requests); true: complete, and q->error is the class that it
     * ended with. Not asked again. */
    bool (*poll)(struct mpi_request *q);

    /* Of a complete one, any number of times: fills *status (never MPI_STATUS_IGNORE; MPI_ERROR is
     * the caller's) and returns the error to raise, as a rule q->error. NULL: an empty status, or
     * one that says cancelled, and q->error. */
    int (*status)(struct mpi_request *q, MPI_Status *status);

    /* Persistent: starts it once more; an error class, not raised. NULL: cannot be. */
    int (*start)(struct mpi_request *q, const char *call);

    /* MPI_Cancel of an active one, complete or not: sets MPI_REQUEST_CANCELLED, now or in a later
     * poll that says true, if it works; else it goes on. Returns an error, not raised. NULL:
     * cannot be (MPI_ERR_REQUEST). */
    int (*cancel)(struct mpi_request *q);

    /* The end: gives back what it holds; the memory of q itself is freed by the caller. NULL:
     * nothing. */
    void (*free)(struct mpi_request *q);

    /* The end of one of the program's own making, before free: returns the program's error, not
     * raised. NULL: nothing. */
    int (*finish)(struct mpi_request *q);

    /* Writes what happened to one that ended with q->error; mpi_request_class_why: no more than the
     * class says. NULL: none ends with an error. */
    void (*why)(const struct mpi_request *q, char *text, size_t size);

    /* What a rank that waits for it waits for: all but `call`. NULL: only the communicator. */
    void (*doing)(const struct mpi_request *q, struct mpu_doing *d);

    /* The message without whose end poll cannot say true. NULL: there is none. */
    const struct mpu_request *(*message)(const struct mpi_request *q);
};

enum mpi_request_flag {
    MPI_REQUEST_PERSISTENT = 1,
    MPI_REQUEST_ACTIVE = 2,   /* started and not ended */
    MPI_REQUEST_COMPLETE = 4, /* poll said so */
    MPI_REQUEST_CANCELLED = 8,
    MPI_REQUEST_FREED = 16,   /* the program has no handle any more; ends by itself */
    MPI_REQUEST_WATCHED = 32, /* polled whenever the rank makes progress */
    MPI_REQUEST_SHARED = 64,  /* mpi_requests.sent: not freed by its end */
    MPI_REQUEST_POOLED = 128, /* its memory is one of mpi_requests.spare */
    MPI_REQUEST_PLAIN = 256   /* no more than the message that follows its head: complete when that
                               * is done, and if that has no error nothing is left to do */
};

#define MPI_IS_REQUEST 0x72657175u

struct mpi_request {
    uint32_t magic;
    uint16_t flags;
    int error; /* class, once complete */
    const struct mpi_request_kind *kind;
    struct mpi_comm *comm;    /* where its errors are raised; NULL: nowhere in particular */
    struct mpi_request *next; /* of those that are watched; spare: of these */
};

/* The request state of a rank. */
struct mpi_buffer;
struct mpi_requests {
    struct mpi_request sent; /* all sends that were complete when they were started */
    struct mpi_request *watched;
    struct mpi_request *spare;  /* free memory of sends and receives: mpi_request_pooled */
    struct mpi_buffer *buffers; /* pt2pt/buffer.h */
};

/* The state, made if there is none yet. NULL: no memory (not raised). */
struct mpi_requests *mpi_requests(struct mpi_process *p);

/* The message of a plain one. */
static inline struct mpu_request *mpi_request_message(struct mpi_request *q)
{
    return (struct mpu_request *)(void *)(q + 1);
}

/* Prepares a head; for requests on a stack, or what mpi_request_new allocates. */
void mpi_request_init(struct mpi_request *q, const struct mpi_request_kind *kind,
                      struct mpi_comm *c);

/* A request of `size` bytes whose head is initialized, the rest cleared, that keeps c (NULL: none).
 * NULL: MPI_ERR_NO_MEM was raised on c. */
void *mpi_request_new(struct mpi_process *p, const char *call, const struct mpi_request_kind *kind,
                      struct mpi_comm *c, size_t size);

/* The same for what starts and ends often, of always the same size, of which the rest is not
 * cleared. Such requests lie one after the other, have no head of the heap, and when they end are
 * used again. */
void *mpi_request_pooled(struct mpi_process *p, const char *call,
                         const struct mpi_request_kind *kind, struct mpi_comm *c, size_t size);

/* Has poll called whenever the rank waits, tests or probes, until q is complete; needed by kinds
 * that advance step by step (collectives). Starts nothing. q must be heap memory. */
void mpi_request_watch(struct mpi_process *p, struct mpi_request *q);

/* The program gives the handle up: frees q now or as soon as it is complete. An error of its end,
 * not raised. */
int mpi_request_drop(struct mpi_process *p, struct mpi_request *q);

/* Makes progress, without waiting. False: nothing is complete or there that was not before. */
static inline bool mpi_progress(struct mpi_process *p)
{
    bool watched = p->requests && p->requests->watched;
    return mpu_poll(p->rank) || watched;
}

/* Active and not complete yet? Polls if so. Never waits. */
bool mpi_request_pending(struct mpi_request *q);

/* In a `done` of mpu_until that answers false: it will until q is complete. */
void mpi_request_await(struct mpi_process *p, const struct mpi_request *q);

/* The rank has asked in vain, and perhaps asks again and again: lets others run. What it asked for,
 * d, stays for the report of waiting ranks until it no longer asks. */
static inline void mpi_asks(struct mpi_process *p, const struct mpu_doing *d)
{
    p->asks = true;
    mpu_asks(p->rank, d);
}

static inline void mpi_asks_no_more(struct mpi_process *p)
{
    if (__builtin_expect(p->asks, 0)) {
        p->asks = false;
        mpu_did(p->rank);
    }
}

/* Waits until q is complete; `call` is for the report of waiting ranks. */
void mpi_request_wait(struct mpi_process *p, const char *call, struct mpi_request *q);

/* Status of a complete or inactive q (NULL: of a null handle), without ending it; status may be
 * MPI_STATUS_IGNORE. Returns the error, not raised. */
int mpi_request_status(struct mpi_request *q, MPI_Status *status);

#define MPI_WHY 256 /* bytes for what `why` writes */
void mpi_request_class_why(const struct mpi_request *q, char *text, size_t size);

/* Raises `error` of a request for `call`. */
int mpi_request_raise(const struct mpi_request *q, int error, const char *call);

/* Starting q ended with `error`: 0, *request is its handle; else q is freed, the error raised. */
int mpi_request_give(struct mpi_process *p, const char *call, struct mpi_request *q, int error,
                     MPI_Request *request);

/* Gives back what the head of a pooled request holds, and its memory. */
void mpi_request_recycle(struct mpi_process *p, struct mpi_request *q);

/* Ends a complete request: a persistent one becomes inactive, another one is freed and *handle
 * becomes MPI_REQUEST_NULL. An error of its end, not raised. */
int mpi_request_end(struct mpi_process *p, MPI_Request *handle);

/* MPI_Start of checked requests. MPI_ERR_REQUEST, raised: it is not persistent, or active; i: its
 * index, for the text. */
int mpi_request_start(const char *call, MPI_Request *array, int n);
int mpi_check_start(const char *call, MPI_Request handle, int i);

/* Handles. MPI_REQUEST_NULL gives NULL in *q. */
static inline MPI_Request mpi_request_handle(void *q)
{
    return (MPI_Request)q;
}
int mpi_check_request(const char *call, MPI_Request handle, struct mpi_request **q);

/* n >= 0, an array where there are elements, each MPI_REQUEST_NULL or a request. */
int mpi_check_requests(const char *call, int n, const MPI_Request *array);

/* The request of a checked handle; NULL: MPI_REQUEST_NULL. */
static inline struct mpi_request *mpi_request_of(MPI_Request handle)
{
    return handle == MPI_REQUEST_NULL ? NULL : (struct mpi_request *)handle;
}

/* Is it one that wait and test look at? */
static inline bool mpi_request_active(const struct mpi_request *q)
{
    return q && (q->flags & MPI_REQUEST_ACTIVE);
}

#endif
