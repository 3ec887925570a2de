/* SPDX-License-Identifier: MIT */
/* The layer of mpiexec --profile and --trace: a function MPI_X in front of each PMPI_X that sends,
 * receives, waits or makes communicators (libmpi/tools/abi.py profile). It is a library of its own,
 * loaded before the program's, so that nothing is in the way of programs without either. */
#ifndef IMAGES_PROFILE_LAYER_H
#define IMAGES_PROFILE_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>
#include <launcher/profile.h>

struct profile_call {
    int function; /* -1: nobody counts, and nothing below means anything */
    int self;     /* the calling rank */
    const char *name;
    const void *site;
    struct profile_rank *rank;
    uint64_t begin, end; /* end: 0 before it is known */
    uint64_t bytes;
    uint64_t
        last; /* when the last of those whom it needed did their part; begin: nobody was late */
    enum profile_cause cause;
    int who;         /* that one */
    uint64_t id;     /* of its first message, or collective; 0: none */
    unsigned parts;  /* enum profile_part in that, */
    uint64_t posted; /* which it had begun then */
    uint32_t comm;
    int peer, tag;
};

/* A call of function number `function` from `site` begins; has ended. */
void profile_begin(struct profile_call *c, int function, const char *name, const void *site);
void profile_end(struct profile_call *c);

/* How many bytes it is about: count elements; as many as counts say for each rank of comm. */
void profile_bytes(struct profile_call *c, MPI_Count count, MPI_Datatype type);
void profile_bytes_int(struct profile_call *c, const int counts[], MPI_Datatype type,
                       MPI_Comm comm);
void profile_bytes_large(struct profile_call *c, const MPI_Count counts[], MPI_Datatype type,
                         MPI_Comm comm);

/* What members of a communicator know of it alike. */
struct profile_comm {
    uint64_t key;    /* the same on all members */
    uint64_t serial; /* of the last collective */
    int users;       /* the communicator itself, and receives of any source in it */
    int rank, size;
    int world[]; /* ranks */
};

/* Has the call, which is over but for what is noted of it, lasted so long that it may have waited
 * for somebody? If not, others' events are not looked at: the lines of memory are theirs. */
bool profile_lasted(struct profile_call *c);

/* Between begin and end, of a collective: before and after the call itself. Who waits for whom? */
enum profile_shape {
    PROFILE_ALL,       /* nobody leaves before all have come */
    PROFILE_FROM_ROOT, /* all need the root */
    PROFILE_TO_ROOT    /* the root needs all */
};
struct profile_meeting {
    struct profile_comm *comm; /* NULL: not known */
    uint64_t serial;
};
void profile_meets(struct profile_call *c, struct profile_meeting *m, MPI_Comm comm);
void profile_met(struct profile_call *c, const struct profile_meeting *m, enum profile_shape shape,
                 int root);

/* A message of the calling rank. Sender and receiver give it the same number: that of the messages
 * which went before it between them with its tag in its communicator, as these arrive in order. */
struct profile_message {
    struct profile_comm *comm; /* of a receive of any source or tag; else NULL */
    uint64_t comm_key;
    uint64_t id;    /* the same on both sides; 0: not known (yet) */
    uint64_t other; /* event of the other side; 0: not known (yet) */
    uint64_t begin;
    MPI_Request request; /* that it is kept for */
    int peer;            /* world rank; -1: none, or not known */
    int tag;
    bool send, persistent;
    bool brief; /* only a lack of credit or memory has its sender wait */
};
#define PROFILE_REQUESTS 256 /* in one call whose messages are looked at; further ones are not */

/* The calling rank is about to send, or to receive (`standard`: the mode of sending); does so now;
 * has done so, in a call that ends when the message is there. */
void profile_sends(struct profile_call *c, struct profile_message *m, int dest, int tag,
                   MPI_Comm comm, bool standard);
void profile_receives(struct profile_call *c, struct profile_message *m, int source, int tag,
                      MPI_Comm comm);
void profile_before(struct profile_call *c, struct profile_message *m);
void profile_after(struct profile_call *c, struct profile_message *m, const MPI_Status *status);

/* A probe has found a message; `taken`: it is received by way of its handle. */
void profile_probed(struct profile_call *c, MPI_Comm comm, const MPI_Status *status, bool taken);

/* The message is that of a request; those of persistent ones begin now. */
void profile_keep(const struct profile_call *c, const struct profile_message *m,
                  MPI_Request request, bool persistent);
void profile_start(struct profile_call *c, int n, const MPI_Request requests[]);

/* Before and after a call that ends requests: their messages (NULL: none); of n that were done,
 * their places among these (NULL: the first n) and statuses. */
void profile_find(const struct profile_call *c, int n, const MPI_Request requests[],
                  struct profile_message *messages[]);
void profile_done(struct profile_call *c, int n, const int indices[],
                  struct profile_message *messages[], const MPI_Status statuses[]);

/* record.c. The call has these parts (enum profile_part) in the message or collective `id`, which
 * it had begun at a time; has ended. The communicator has a name. */
void profile_takes_part(struct profile_call *c, unsigned parts, uint64_t id, uint64_t posted);
void profile_record(const struct profile_call *c, int site, uint64_t end);
void profile_named(const struct profile_call *c, uint32_t comm, const char *name);
/* The rank's ring has its memory, so that no call waits for that. */
void profile_touch(const struct profile_rank *r);
void profile_records(struct profile_rank *ranks, int n, int room);

/* What messages.c is made of. What the members of comm know, or NULL; an event of another rank, by
 * which the call may have been late (false: not known). */
struct profile_comm *profile_comm(const struct profile_call *c, MPI_Comm comm);
void profile_release(struct profile_comm *comm);
bool profile_needs(struct profile_call *c, enum profile_cause cause, int who, uint64_t id);

/* A number made of two, which is odd. */
static inline uint64_t profile_mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ b) * UINT64_C(0xd6e8feb86659fd93) + UINT64_C(0x94d049bb133111eb);
    x = (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ x >> 29) | 1;
}

/* An event of the calling rank. Who reads meanwhile finds no id, or the same one before and after
 * the time. */
#define PROFILE_CAME 0x101 /* the rank came into MPI, the last time */
#define PROFILE_ANY  0x201 /* it began to receive from any source or any tag, the same */
static inline void profile_event(struct profile_rank *r, uint64_t id, uint64_t time)
{
    struct profile_event *e = &r->event[(id >> 8) % PROFILE_EVENTS];
    atomic_store_explicit(&e->id, 0, memory_order_relaxed);
    atomic_store_explicit(&e->time, time, memory_order_release);
    atomic_store_explicit(&e->id, id, memory_order_release);
}

/* Around what threads of one rank may do at once. Where only one may call there is no lock. */
extern bool profile_threads;
static inline void profile_lock(struct profile_rank *r)
{
    while (profile_threads && atomic_flag_test_and_set_explicit(&r->busy, memory_order_acquire))
        ;
}
static inline void profile_unlock(struct profile_rank *r)
{
    if (profile_threads)
        atomic_flag_clear_explicit(&r->busy, memory_order_release);
}

/* Memory of the layer, all-zero, which is not the program's; NULL: there is none. */
void *profile_memory(size_t bytes);
/* Makes room for the messages of n ranks of this process; false: no memory. The rank begins. */
bool profile_messages(int n);
void profile_limits(const struct profile_call *c);

/* A communicator was made, by all its members alike. */
void profile_made(const struct profile_call *c, MPI_Comm comm);

/* It has another name now. */
void profile_renamed(MPI_Comm comm);

/* MPI begins on the calling rank; is about to end. */
void profile_open(void);
void profile_close(void);

#endif
