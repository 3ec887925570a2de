/* SPDX-License-Identifier: MIT */
/* The objects behind handles. Predefined handles are small integers (mpi.h); handles that a
 * program gets are pointers to these. Everything belongs to one rank: ranks of a cluster share
 * none of it but lists of many ranks. */
#ifndef MPI_CORE_OBJECT_H
#define MPI_CORE_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/assert.h>
#include <base/link.h>
#include <mpi.h>
#include <mpiutil/message.h>
#include <mpiutil/multicast.h>
#include <mpiutil/rank.h>

/* First field of every object; a freed one is MPI_DEAD, so that a stale handle is noticed until its
 * memory is used again. */
enum mpi_magic {
    MPI_DEAD = 0x64656164,
    MPI_IS_COMM = 0x636f6d6d,
    MPI_IS_GROUP = 0x67726f75,
    MPI_IS_INFO = 0x696e666f,
    MPI_IS_ERRHANDLER = 0x65727268,
    MPI_IS_SESSION = 0x73657373,
    MPI_IS_WIN = 0x77696e64,
    MPI_IS_TOOL_CVAR = 0x63766172,
    MPI_IS_TOOL_SESSION = 0x746f6f6c
};

/* World ranks in an order; never changes, shared by groups and communicators that count. Those may
 * be of several ranks of the cluster, if it has pages of its own: comm/wishes.c. */
struct mpi_ranks {
    atomic_int refs;
    int world[];
};

struct mpi_session;
struct mpi_group {
    enum mpi_magic magic;
    int size;
    int rank;                          /* of the calling rank, MPI_UNDEFINED if it is no member */
    const int *world;                  /* world rank of each member; NULL: the same numbers */
    struct mpi_ranks *ranks;           /* what `world` lies in, perhaps among others */
    const struct mpi_session *session; /* it derives from; NULL: none. May have ended: to compare */
};

struct mpi_topo;

/* In an intercommunicator p2p and coll lead to the remote group: `rank` is the own one in the local
 * group, `size` and `world` are the remote group's. */
struct mpi_comm {
    /* The first line is what a short collective touches. */
    enum mpi_magic magic;
    int refs;                    /* its handle, and each operation under way */
    struct mpu_segment *segment; /* where those of this cluster meet; NULL: not needed yet */
    uint32_t collectives[2];     /* made here so far, blocking and others: the number of the next */
    uint32_t unfinished[2];      /* ... of these under way or persistent: coll/late.c */
    int forgotten[2];            /* messages of collectives with lower tags are, likewise */
    int late; /* 1 + the rank that called something else in one that is over; 0: none is known */
    int clusters;        /* that its ranks live in; 0: not counted yet */
    int fullest;         /* ranks in the one that has most; once counted */
    uint32_t short_most; /* likewise: bytes of a result, or of what the ranks of a cluster give
                          * together, for which all should meet in shared memory */
    struct mpu_cast_place cast; /* of broadcasts between processes */
    bool inter;
    bool shared; /* likewise: ranks that are processes of their own should, too */
    bool broken; /* a collective was, of which other leaders may still be leaving: coll/segment.c */
    int persistents;               /* persistent collectives made so far */
    struct mpi_channels *channels; /* NULL: not needed yet: coll/channel.c */
    struct mpu_comm coll, p2p;     /* separate contexts */
    struct mpu_comm local;         /* the local group, for collectives of an intercommunicator */
    struct mpi_comm *next;         /* of those of the rank that are in one list */
    struct mpi_comm **place;       /* what points at it there */
    uint32_t id;                   /* contexts: id * MPI_CONTEXTS + enum mpi_context */
    int idups;                     /* MPI_Comm_idup so far */
    struct mpi_group group, remote;
    MPI_Errhandler errhandler;
    struct mpi_topo *topo; /* NULL: none */
    unsigned int hints;    /* enum mpi_hint as bits */
    char *name;            /* given by the program; NULL: none */
};

/* Errors of arguments are raised on a communicator. That of a session is none: it has the session's
 * magic, the handler and a name, no more. It comes first: its address is the session's handle. */
struct mpi_session {
    struct mpi_comm raiser;
    struct mpi_session *next;
    int thread_level;
};

/* A window, as far as every object has it. */
struct mpi_win {
    enum mpi_magic magic;
    MPI_Errhandler errhandler;
};

enum mpi_phase { MPI_NOT_INITIALIZED, MPI_INITIALIZED, MPI_FINALIZED };

#define MPI_COLL_IDS 25 /* of kinds of collective operations: coll/kind.h */

/* comm/comm_table.h */
struct mpi_comm_table {
    struct mpi_comm **list; /* NULL: no communicator yet */
    uint32_t lists, count;  /* of lists, a power of two or 0; of communicators */
};

struct mpi_attrs;
struct mpi_code;
struct mpi_type_note;
struct mpi_info;
struct mpi_handles;
struct mpi_tool;
struct mpi_checker;
struct mpi_coll;
struct mpi_alarm;

/* A message of an operation that may be over came, on this context: coll/late.c. */
struct mpi_late {
    uint32_t context;
    bool came;
};

/* Ranks that disagree about a collective: coll/agree.c. */
struct mpi_alarms {
    struct mpi_coll *watched;  /* operations that are under way while the rank does other things */
    uint32_t looked;           /* ... how much had come when they were looked at */
    struct mpi_alarm *pending; /* alarms that are being told */
    struct mpi_alarm *spare;   /* for one when there is no memory left */
    struct mpi_late late[2];   /* blocking ones, others */
};

/* The MPI state of a rank; it outlives MPI_Finalize. In an order without holes, for each rank has
 * one. */
struct mpi_process {
    struct mpi_requests *requests; /* request/request.h; NULL: not used yet */
    struct mpu_rank *rank;
    enum mpi_phase phase; /* of MPI_Init and MPI_Finalize */
    int thread_level;
    struct mpi_alarms alarms;
    struct mpi_checker *checker; /* coll/checker.h; NULL: the checking layer is off */
    const struct mpi_set *waits; /* requests that the rank waits for; NULL: it does not */
    uint32_t serial;             /* of the next communicator that this rank leads */
    int last_code;               /* MPI_LASTUSEDCODE */
    /* By mpi_coll_kind.id: 1 + the algorithm that the program has chosen, where it applies; all
     * ranks must choose the same. 0: none. */
    uint8_t algorithm[MPI_COLL_IDS];
    bool asks;          /* its last test or probe found nothing: mpi_asks */
    bool started;       /* the ranks of the job have met (mpu_start) */
    bool used_sessions; /* there was one */
    bool
        in_staging; /* a thread is at a call with the rank's staging buffers: coll/segment_long.c */
    bool stopped;   /* its program calls nothing any more (mpu_stop) */
    bool self_chosen; /* the program has set MPI_COMM_SELF's error handler; until then what is of no
                       * object is raised as on MPI_COMM_WORLD, where programs written before MPI
                       * 4.0 set their handler for it */
    struct mpi_session *sessions; /* open ones */
    struct mpi_comm world, self;
    struct mpi_group empty;
    struct mpi_group chip;       /* all ranks of the machine: the world, and the one beside it */
    struct mpu_comm everyone;    /* the same, for their start and end */
    struct mpi_comm_table comms; /* all but world and self, by id */
    struct mpi_attrs *attrs;     /* core/attr.h; NULL: no key was made yet */
    struct mpi_type_note *type_names;   /* given to predefined datatypes */
    struct mpi_type_note *type_unnamed; /* predefined without a name, asked for so far */
    struct mpi_code *codes;             /* error classes and codes of the program */
    MPI_Errhandler file_errhandler;     /* of MPI_FILE_NULL */
    struct mpi_info *env;               /* MPI_INFO_ENV; NULL: nobody has asked for it */
    int env_filled;                     /* ... 1 + the phase in which it was; 0: not yet */
    char **arguments;            /* of the program, NULL behind the last; NULL: none are known */
    int predefined[8];           /* values of predefined attributes */
    struct mpi_handles *handles; /* integers given for handles */
    struct mpi_tool *tool;       /* MPI_T's; NULL: never initialized */
};

/* The calling rank's state, NULL before MPI_Init. */
struct mpi_process *mpi_process(void);

/* How far the calling rank is; FINALIZED also for destructors that run after all ranks. From any
 * thread of its program. */
enum mpi_phase mpi_phase(void);

/* Whether the calling rank is between MPI_Init and MPI_Finalize, or has sessions; raises if not.
 * For what any thread may ask at any time (MPI 5.0, 11.6). */
bool mpi_initialized(const char *call);

/* What the calling rank lets all threads of its program see: its phase, its thread level (mpi.h:
 * bits, too), and whether errors of no object return. */
enum { MPI_PUBLIC_PHASE = 3, MPI_PUBLIC_RETURNS = 4, MPI_PUBLIC_LEVEL = ~7 };
int mpi_public(int bits); /* from any of them */

/* The calling rank is in `phase` from now on; more: MPI_PUBLIC_RETURNS or 0. */
void mpi_enter(struct mpi_process *p, enum mpi_phase phase, int more);

/* The object of a handle; NULL if the handle is null, was freed or never was one. */
struct mpi_comm *mpi_comm(struct mpi_process *p, MPI_Comm handle);
struct mpi_group *mpi_group(struct mpi_process *p, MPI_Group handle);

/* The handle by which the program knows c. */
MPI_Comm mpi_comm_handle(struct mpi_process *p, const struct mpi_comm *c);

/* Keeps memory and contexts of c while an operation is under way, also after MPI_Comm_free. */
static inline void mpi_comm_retain(struct mpi_comm *c)
{
    c->refs++;
}
/* Nothing keeps c any more: in comm/comm.c. */
void mpi_comm_gone(struct mpi_process *p, struct mpi_comm *c);
static inline void mpi_comm_release(struct mpi_process *p, struct mpi_comm *c)
{
    b_assert(c->refs > 0);
    if (--c->refs == 0)
        mpi_comm_gone(p, c);
}

/* Detaches the buffer for buffered sends of a communicator or a session's that goes, if it has one,
 * when its messages are sent; `call` waits for that. In pt2pt/buffer.c, which a static program has
 * only if it attaches buffers. */
B_IF_LINKED void mpi_buffer_end(struct mpi_process *p, const char *call, struct mpi_comm *c);

/* Can the handle be the address of an object? A program may pass any value. */
bool mpi_may_be_object(const void *handle);
static inline bool mpi_may_lie_in(struct mpu_bounds b, const void *handle)
{
    uintptr_t at = (uintptr_t)handle;
    return at % _Alignof(void *) == 0 && at - b.low < b.high - b.low;
}
static inline bool mpi_may_be_of(const struct mpi_process *p, const void *handle)
{
    return p && mpi_may_lie_in(mpu_bounds(p->rank), handle);
}

/* Where all memory of this room comes from: n bytes, cleared; NULL when there is none. */
void *mpi_alloc(struct mpi_process *p, size_t n);
void mpi_free(struct mpi_process *p, void *memory);

/* World rank of a member. */
static inline int mpi_group_world(const struct mpi_group *g, int rank)
{
    return g->world ? g->world[rank] : rank;
}

/* The calling rank's state, made if there is none yet, before MPI_Init too; for functions that may
 * be called then. NULL: no memory, or a thread that can be no rank; raised for `call`. */
struct mpi_process *mpi_process_for(const char *call);

/* Starts and ends MPI on the calling rank, on behalf of `call` (init/process.c). Both return an
 * error class, raised. argv: of the program, or NULL. */
int mpi_init(const char *call, int thread_level, int argc, char **argv);

/* The level that is granted where `required` is asked for; grants it. */
int mpi_thread_level(struct mpi_process *p, int required);
int mpi_fini(const char *call);

/* Meets the ranks of the job, once; an error class, raised. */
int mpi_start(struct mpi_process *p, const char *call);

#endif
