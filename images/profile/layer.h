/* SPDX-License-Identifier: MIT */
/* The layer of mpiexec --profile and --trace: a function MPI_X in front of each PMPI_X that sends,
 * receives, waits or makes communicators (libmpi/tools/abi.py profile). It is a library of its own,
 * loaded before the program's, so that nothing is in the way of programs without either. What each
 * call of a program passes through is inline: hot.h.
 *
 * State of a rank lies in the memory that mpiexec reads (launcher/profile.h), in struct
 * profile_own, and in attributes of its communicators, so ranks may share the process. */
#ifndef IMAGES_PROFILE_LAYER_H
#define IMAGES_PROFILE_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>
#include <launcher/profile.h>

#include "table.h"

#define PROFILE_PLACES   4096 /* for messages of requests of a rank: a power of 2 */
#define PROFILE_REQUESTS 256  /* in one call that are looked at; further ones are not */
#define PROFILE_TYPES    1024 /* handles of predefined types in the standard's ABI */

/* What members of a communicator know of it alike. */
struct profile_comm {
    uint64_t key;     /* the same on all members, odd */
    uint64_t serial;  /* of the last collective */
    atomic_int users; /* the communicator itself, and receives of any source in it */
    int rank, size;
    const int *world; /* ranks: comm.c's, of all communicators in this process with these members */
    int all;          /* of these; of two groups `size` is the other one's, which comes first */
};

/* Who waits for whom in a collective, whichever way it goes? Further ones that hand something on
 * only its algorithm knows. */
enum profile_shape {
    PROFILE_ALL,       /* nobody leaves before all have come */
    PROFILE_FROM_ROOT, /* all need the root */
    PROFILE_TO_ROOT,   /* the root needs all */
    PROFILE_BELOW,     /* all need those of lower rank */
    PROFILE_SOME       /* nobody needs the same ones: neighbours */
};

/* A message of the calling rank. Sender and receiver give it the same number: that of the messages
 * which went before it between them with its tag in its communicator, as these arrive in order. */
struct profile_message {
    uint64_t id;               /* the same on both sides; 0: not known (yet) */
    uint64_t begin;            /* of this side */
    struct profile_comm *comm; /* NULL: not known */
    int peer;                  /* world rank; -1: none, or not known; of a planned collective how
                                * often it was started */
    int tag;                   /* ... and its number in the communicator */
    bool send, persistent;
    bool brief; /* only a lack of credit or memory has its sender wait */
    bool any;   /* it is received from any source or with any tag: they are known when it is here */
    bool both;  /* its request also ends a send, which is kept beside it */
    bool collective;          /* no message: id, begin and comm are those of a collective, */
    enum profile_shape shape; /* of this kind, */
    int root;                 /* with this one */
    uint64_t bytes;           /* of a persistent one, each time */
    MPI_Request request;      /* that it is kept for; NULL: none */
};

/* From the id of a message to that of the next one with its tag between the same ranks. */
#define PROFILE_STEP (UINT64_C(0xc2b2ae3d27d4) << 18 | 1 << 8)

/* What a call that was over soon may have waited for, and where it is charged. */
#define PROFILE_LATER 32
struct profile_later {
    struct profile_record *record; /* NULL: of the call under way */
    struct profile_total *place;
    struct profile_site *site;
    uint64_t id; /* of the event */
    int who;
    enum profile_cause cause;
};

/* Of a rank of this process. */
struct profile_own {
    struct profile_rank *rank;
    int self;
    uint32_t brief; /* bytes of the longest message whose sender waits only for credit or memory */

    /* record.c. Texts of ways are constants of the library; mostly a call goes the same way as the
     * one before. */
    struct profile_record *next, *ring, *ring_end;
    const char **last_way; /* where the library notes it; NULL: it does not */
    const char *way[PROFILE_WAYS], *latest;
    uint8_t latest_number;

    /* comm.c */
    struct profile_comm *world; /* of MPI_COMM_WORLD, which most calls are about */
    MPI_Comm recent;            /* another one; MPI_COMM_NULL: none */
    struct profile_comm *recent_comm;
    int keyval;
    struct profile_table given; /* how many of the same members there were, by their hash */

    /* messages.c: the id of the last message of each direction between two ranks with a tag in a
     * communicator, by the communicator's key, the last bit 0 of what is received, and the rank and
     * tag. */
    struct profile_table streams;

    /* wait.c: these many, of which so many are of calls that are over. */
    struct profile_later later[PROFILE_LATER];
    int laters, charged;

    struct profile_message kept[PROFILE_PLACES]; /* requests.c: by the requests' addresses */
};

/* A call on its way: its record, as far as it is known. */
struct profile_call {
    struct profile_own *own;
    const char *name;
    const void *site;
    bool lasted; /* so long that it may have waited; once it is over */
    bool soon;   /* ... but so short that it looks later for whom */
    struct profile_record record;
};

/* Of the process. */
extern struct profile_layer {
    _Atomic(struct profile_own *) only; /* the rank between MPI_Init and MPI_Finalize, if no other
                                           lives in this process; NULL: it must be asked for */
    bool processor;                     /* the clock is hal_host_ticks */
    bool threads;                       /* of one rank may call at once */
    uint64_t negligible;                /* ticks: whoever called that short waited for nobody */
    uint64_t soon;                      /* ticks; none where threads of one rank may call at once */
    atomic_ushort size[PROFILE_TYPES];  /* 1 + bytes of a predefined type; 0: not asked yet */
} profile_layer;

/* layer.c. The calling rank, between MPI_Init and MPI_Finalize; NULL: it is not. Clocks other than
 * the processor's. Bytes of a type. Memory of the layer, all-zero, which is not the program's;
 * NULL: there is none. MPI begins on the calling rank; is about to end. */
struct profile_own *profile_asked(void);
uint64_t profile_other_clock(void);
uint64_t profile_size(MPI_Datatype type);
void *profile_memory(size_t bytes);
void profile_open(void);
void profile_close(void);

/* Bytes of a call with counts: as many as they say for each rank of comm. */
void profile_bytes_int(struct profile_call *c, const int counts[], MPI_Datatype type,
                       MPI_Comm comm);
void profile_bytes_large(struct profile_call *c, const MPI_Count counts[], MPI_Datatype type,
                         MPI_Comm comm);

/* site.c. The number of the call's place, if not `at`, where its address leads; PROFILE_SITES:
 * there is no room for more places. */
unsigned profile_site(const struct profile_call *c, unsigned at);

/* wait.c. The call could not end before rank `who` had come to the event `id`, or last into MPI:
 * 0. False: that is not known. It may have been so, if that was before it ended. What the call
 * waited for is charged. */
bool profile_needs(struct profile_record *r, enum profile_cause cause, int who, uint64_t id);
void profile_may_need(struct profile_record *r, enum profile_cause cause, int who, uint64_t id);

/* The call has asked in vain for what needs this event: until that, which may be all of the call,
 * it was waiting. */
void profile_in_vain(struct profile_record *r, enum profile_cause cause, int who, uint64_t id);
void profile_waited(struct profile_own *o, const struct profile_record *r,
                    struct profile_total *place, struct profile_site *site);

/* The same, looked for later if the call was over soon: the event lies in a cache line that the
 * other rank writes again and again, so to look at each costs both as much as a short message. The
 * calls that wait for that: this one is over, its record there; they are looked at now. */
void profile_needs_soon(struct profile_call *c, enum profile_cause cause, int who, uint64_t id);
void profile_charge_later(struct profile_call *c, struct profile_record *record,
                          struct profile_total *place, struct profile_site *site);
void profile_look(struct profile_own *o);
void profile_ranks(struct profile_rank *all, int n);

/* record.c. The call takes part in a further message or collective; 1 + the number of a way that is
 * not the latest; a communicator has a name; the rank begins (prefault: its ring has its memory at
 * once, so that no call waits for that). */
void profile_part(struct profile_call *c, unsigned parts, uint64_t id, uint64_t posted);
uint8_t profile_way(struct profile_own *o, const char *text);
void profile_named(struct profile_own *o, uint32_t comm, const char *name);
void profile_ring(struct profile_own *o, struct profile_record *ring, int room, bool prefault);

/* comm.c. What the members of comm know, or NULL; the rank begins, and knows MPI_COMM_WORLD; a
 * communicator was made, by all its members alike; has another name now. The rank is about to come
 * to a collective; has left it, or begun one that does not block; has planned one to be started,
 * and starts it; has left that one, or asked in vain. */
struct profile_comm *profile_comm_asked(struct profile_own *o, MPI_Comm comm);
void profile_release(struct profile_comm *comm);
void profile_communicators(struct profile_own *o);
void profile_made(struct profile_call *c, MPI_Comm comm);
void profile_renamed(MPI_Comm comm);
void profile_meets(struct profile_call *c, struct profile_message *m, enum profile_shape shape,
                   int root, MPI_Comm comm);
void profile_met(struct profile_call *c, const struct profile_message *m);
void profile_began(struct profile_call *c, const struct profile_message *m, MPI_Request request);
void profile_plans(struct profile_call *c, enum profile_shape shape, int root, MPI_Comm comm,
                   MPI_Request request);
void profile_starts(struct profile_call *c, struct profile_message *m);
void profile_left(struct profile_call *c, struct profile_message *m);
void profile_stays(struct profile_call *c, const struct profile_message *m);

/* messages.c. The rank begins; false: no memory. Id of a message whose stream is not at once found;
 * 0: no memory. A receive of any source or tag has found a message; a probe has (`taken`: it is
 * received by way of its handle). Message m is done. */
bool profile_messages(struct profile_own *o);
uint64_t profile_id(struct profile_own *o, const struct profile_message *m, bool take);
void profile_found(struct profile_call *c, struct profile_message *m, const MPI_Status *status,
                   bool take);
void profile_probed(struct profile_call *c, MPI_Comm comm, const MPI_Status *status, bool taken);
void profile_probed_in_vain(struct profile_call *c, int source, int tag, MPI_Comm comm);
void profile_needs_message(struct profile_call *c, const struct profile_message *m);
void profile_after(struct profile_call *c, struct profile_message *m, const MPI_Status *status);

/* requests.c. The message is that of a request; both are that of one; those of persistent ones
 * begin now. */
void profile_keep(struct profile_call *c, const struct profile_message *m, MPI_Request request,
                  bool persistent);
void profile_keep_both(struct profile_call *c, const struct profile_message *send,
                       struct profile_message *receive, MPI_Request request);
void profile_start(struct profile_call *c, int n, const MPI_Request requests[]);

/* Before and after a call that ends requests: their messages (NULL: none); of n that were done,
 * their places among these (NULL: the first n) and statuses. */
void profile_find(struct profile_call *c, int n, const MPI_Request requests[],
                  struct profile_message *messages[]);
void profile_done(struct profile_call *c, int n, const int indices[],
                  struct profile_message *messages[], const MPI_Status statuses[]);
void profile_tested_in_vain(struct profile_call *c, int n, struct profile_message *messages[]);

/* A number made of two, which is odd. */
static inline uint64_t profile_mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ b) * UINT64_C(0xd6e8feb86659fd93) + UINT64_C(0x94d049bb133111eb);
    x = (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ x >> 29) | 1;
}

/* An event of the calling rank. */
#define PROFILE_ANY 0x201 /* it began to receive from any source or any tag, the last time */
static inline void profile_event(struct profile_rank *r, uint64_t id, uint64_t time)
{
    atomic_store_explicit(&r->event[(id >> 8) % PROFILE_EVENTS], profile_stamp(id, time),
                          memory_order_release);
}

/* Each side of a message has one. */
static inline uint64_t profile_side(uint64_t id, bool sender)
{
    return id ^ (sender ? 2 : 4);
}

/* Around what threads of one rank may do at once. Where only one may call there is no lock. */
static inline void profile_lock(struct profile_rank *r)
{
    while (profile_layer.threads &&
           atomic_flag_test_and_set_explicit(&r->busy, memory_order_acquire))
        ;
}
static inline void profile_unlock(struct profile_rank *r)
{
    if (profile_layer.threads)
        atomic_flag_clear_explicit(&r->busy, memory_order_release);
}

#endif
