/* SPDX-License-Identifier: MIT */
/* A rank and its cluster, inside mpiutil. */
#ifndef MPIUTIL_RANK_RANK_H
#define MPIUTIL_RANK_RANK_H

#include <stdatomic.h>
#include <stdbool.h>

#include <base/assert.h>
#include <base/config.h>
#include <base/mem.h>
#include <mpiutil/alarm.h>
#include <mpiutil/boot.h>
#include <mpiutil/message.h>
#include <mpiutil/tuning.h>
#include <sys/k_bell.h>
#include <sys/k_board.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_types.h>
#include <sys/k_wait.h>

#include "match/match.h"
#include "rank/stall.h"
#include "shared/afar.h"
#include "shared/loan.h"
#include "shared/place.h"

#define MPU_HEAP_CLASSES 27 /* sizes of blocks: rank/heap.c */

/* A message in memory. wire and payload lie as on the network. */
struct mpu_cell {
    struct mpu_arrival a;
    uint8_t payload[]; /* as much as a message that is counted may have, or the local limit */
};
_Static_assert(sizeof(struct mpu_cell) == sizeof(struct mpu_arrival),
               "the payload follows the header");
#define MPU_LOCAL_MAX 960 /* what the local limit may be */

/* With these a rank of 192 has 4096 bytes for all that it is before its first message. */
#define MPU_HEAP_FIRST 2112

struct mpu_heap {
    void *free[MPU_HEAP_CLASSES];
    uint8_t *chunk; /* rest of the last page, at the start of MPU_HEAP_FIRST bytes */
    uint16_t left;
    uint16_t before;     /* bytes of that page that come after its rest; they lie at its start */
    uint16_t skip;       /* ... at first; constant */
    uintptr_t low, high; /* all pages that it ever had lie between them */
};

/* Credit between two ranks of different clusters: docs/matching.md. */
struct mpu_peer {
    uint32_t window : 13; /* eager messages sent to it that it has not yet said to have consumed */
    uint32_t owed : 13;   /* eager messages of it consumed and not yet told */
    uint32_t announced : 5; /* sends that wait at it to be matched: protocol/hold.c */
    uint32_t all : 1;       /* it is to be asked for all that it holds: protocol/want.c */
};

enum mpu_proto_id {
    MPU_PROTO_LOCAL_DIRECT,
    MPU_PROTO_LOCAL_EAGER,
    MPU_PROTO_LOCAL_COPY,
    MPU_PROTO_EAGER,
    MPU_PROTO_EAGER_SYNC,
    MPU_PROTO_SPLIT,
    MPU_PROTO_LAZY,
    MPU_PROTO_RENDEZVOUS,
    MPU_PROTO_RENDEZVOUS_DMA,
    MPU_PROTO_PIPELINE,
    MPU_PROTO_PAPER,
    MPU_PROTO_SLOT,
    MPU_PROTOS
};

/* The memory of messages that arrived: transport/cell.c. */
struct mpu_cells {
    /* Any rank of the core: */
    struct mpu_arrival *local; /* own, free, for messages to ranks of the cluster */
    int local_blocks;          /* blocks of such cells */
    /* The rank's thread only: */
    struct mpu_arrival *net; /* free, for the network */
};

/* Functions of the room above, and what they are given. */
struct mpu_hooks {
    void *advance_arg;                                        /* of mpu_rank.advance */
    void (*pause)(bool waits);                                /* mpu_set_pause */
    void *notify_arg;                                         /* of the next two */
    void (*notify)(void *arg, uint32_t why);                  /* mpu_set_notify */
    bool (*unexpected)(void *arg, uint32_t context, int tag); /* mpu_set_unexpected */
};

/* Between clusters: transport/credit.c. */
struct mpu_credit {
    struct mpu_peer *peers; /* by number of the rank */
    bool due;               /* one is owed enough to be told when the outbox is free */
};

/* What leaves for other clusters. */
struct mpu_outbox {
    bool busy;                        /* nothing more can be posted now */
    bool hurries;                     /* sends a message that its receiver needs to go on */
    uint32_t together;                /* mpu_send_together */
    struct mpu_request *first, **end; /* sends that wait for it, oldest first */
    struct mpu_kept *kept;            /* what found no room: transport/memory.c */
};

/* Mailboxes and portals of the network on chip: transport/noc.c, protocol/rendezvous.c. */
struct mpu_noc {
    int inbox, outbox; /* constant while the rank runs, as the next two lines */
    int portal_in, portal_out;
    uint16_t port;            /* of portal_out */
    bool listens;             /* the next message is read into landing, and rings */
    uint8_t mails, next;      /* through the outbox; the next one is free unless it is busy */
    struct mpu_cell *landing; /* where the next message will be stored; NULL: no cell is free */
    struct k_mail *mail;      /* `mails` of them */
};

/* protocol/index.h; `mask` + 1 of them, a power of two. */
struct mpu_index {
    union {
        struct mpu_arrival *one;   /* the last member of the only one */
        struct mpu_arrival **last; /* ... of each, if there are more */
    };
    uint32_t mask, count;
};

/* Sends that wait for an answer, and the answers to be sent: protocol/ask.c. */
struct mpu_unanswered {
    struct mpu_index sends; /* by cookie */
    uint32_t cookie;        /* last one given: mpu_cookie */
    bool cancels;           /* some are to be taken back */
};
struct mpu_replies {
    struct mpu_arrival *first, **end; /* cells whose header is the answer */
};

/* Flow control of announced sends: protocol/hold.c, protocol/want.c. */
struct mpu_throttle {
    struct mpu_hold *holds;     /* sends that must not even be announced yet */
    struct mpu_asking *askings; /* who may hold sends to this rank */
    bool wants, wants_all;      /* some are to be asked */
};

/* Copies that are being sent: protocol/lazy.c. */
struct mpu_lazies {
    struct mpu_lazy *first;
    uint8_t *memory;
    uint32_t size, used, most; /* bytes */
};

/* protocol/rendezvous.c, protocol/pipeline.c. */
struct mpu_rendezvous {
    /* Sender: */
    struct mpu_request *allowed, **allowed_end; /* allowed, wait for portal_out, or their turn */
    /* Receiver: */
    struct mpu_request *reading;                /* who uses portal_in; all that get pieces */
    struct mpu_request *matched, **matched_end; /* wait for portal_in or outbox */
    union {
        struct {                         /* by portals */
            struct mpu_request *offered; /* of the sends, the one that is granted portal_out */
            struct mpu_request *sending; /* who uses portal_out */
            struct k_source writer;      /* who writes to portal_in */
        };
        struct {                 /* through cells */
            uint64_t coming;     /* bytes that were matched since nothing was under way */
            const uint8_t *last; /* where the latest of them goes */
        };
    };
};

/* Operations that advance message by message: request/flow.c. */
struct mpu_flows {
    struct mpu_flow *now;             /* of the step under way */
    struct mpu_step_task *idle_tasks; /* that run none of them */
};

/* From the start to the end: boot/start.c. */
struct mpu_life {
    bool started;                   /* between mpu_start and mpu_stop */
    bool counted;                   /* in cluster->starting */
    bool closing;                   /* in the last barrier: peers may be gone after it */
    bool works;                     /* has told how much it computes: mpu_rank_tells_work */
    bool named;                     /* it has a name: protocol/names.c */
    const struct mpu_comm *may_end; /* of all, if the program may end without mpu_stop */
};

struct mpu_rank {
    /* What each wait touches, in lines of its own: with many ranks on a core each line comes from
     * the second cache. Constant while the rank runs: */
    _Alignas(KERN_LINE) struct mpu_rank_head head;
    struct mpu_cluster *cluster;
    int number, local;        /* among all, in the cluster */
    struct mpu_core *at_core; /* what came for ranks of its core */
    int core;                 /* its thread's */
    /* Any rank of its core: */
    atomic_uchar waits;                /* in mpu_rest: rank/stall.h. The clock writes it, too */
    const struct mpu_request *awaited; /* for this one to be done; NULL: for anything */
    /* The rank's thread only: */
    uint8_t notices; /* 0: nothing is to be done while it waits but what its bell tells; else why
                      * `notify` is to be called, enum mpu_notice, and what follows */
    bool told;       /* nothing has happened since the clock told that it waits */
    bool drawn;      /* mpu_last_way was asked for */
    int advancing;   /* calls of advance under way: it may run functions of the program */
    void (*advance)(void *arg); /* mpu_set_advance */

    struct mpu_outbox outbox;
    struct mpu_credit credit;
    struct mpu_life life;

    /* Any rank of the cluster. The bell is where the rank waits; whoever gives it something to do
     * rings it. */
    _Alignas(KERN_LINE) struct k_bell bell;

    /* Any rank of its core, one at a time: threads of a core switch only where they wait. */
    struct mpu_match match;
    struct mpu_cells cells;

    /* The rank's thread only. */
    struct mpu_doing doing;
    struct mpu_hooks hooks;
    uint32_t tune[MPU_TUNES];
    uint32_t counted_times; /* that mpu_count was told of `counted`, and the kernel was not */
    const char *counted;
    struct {
        uint64_t messages, bytes;
    } carried[MPU_PROTOS]; /* sent */
    const char *way;       /* for mpu_last_way */
    struct mpu_throttle throttle;
    struct mpu_unanswered unanswered;
    struct mpu_replies replies;
    struct mpu_rendezvous rendezvous;
    struct mpu_noc noc;
    struct mpu_lazies lazy;
    struct mpu_arrival *partial; /* messages of which pieces are missing: protocol/split.c */
    struct {
        uint64_t at, from; /* cycles: end of the last mpu_yield; when the row of these began */
    } spun;
    struct mpu_heap heap;
    struct mpu_flows flows;
    struct mpu_help *help; /* NULL: nobody helps */

    /* Any rank of the cluster. */
    _Atomic(struct mpu_arrival *) returned; /* own cells that ranks on other cores need no more */
};

/* Of `notices`: `advance`, `pause` are set; the cluster has waits that stand. */
enum { MPU_ADVANCES = 16, MPU_PAUSES = 32, MPU_STANDS = 64, MPU_NOTICES = 15 };

/* Bell: by a rank of the cluster; because an alarm was raised; because the rank has waited for long
 * (rank/stall.h). */
#define MPU_RUNG       K_BELL_FIRST
#define MPU_RUNG_ALARM (2 * K_BELL_FIRST)
#define MPU_RUNG_CLOCK (4 * K_BELL_FIRST)

/* What ranks on other cores send to the ranks of this core, and what these send away. */
struct mpu_core {
    _Alignas(KERN_LINE) struct mpu_lane *lane; /* NULL: it has none */
    _Atomic(struct mpu_arrival *) inbox;       /* what found no room in the lane, newest first */
    struct mpu_slab slab;                      /* for what goes by transport/memory.c */
    struct mpu_slab_chain read;                /* cells of others, likewise, to be given back */
    int ranks;                                 /* that live on it */
    uint32_t waits;          /* that began with a look at the lane: progress/progress.c */
    struct mpu_loans *loans; /* cells that it keeps, by number of the place; NULL: none */
    struct mpu_afar afar;    /* whether its own cells are stored past the caches */
};

/* Where a world rank lives. Constant: what its own thread writes lies in struct mpu_rank; who asks
 * from another core gets it here without waiting for that cache line. */
struct mpu_endpoint {
    int16_t here; /* its place, if that is in this cluster; else -1 */
    int16_t local, core, cluster;
};

/* What a program is linked with; NULL: not this one. */
struct mpu_sets {
    /* Of protocols, for clusters that share memory, or a network on chip; what else LWMPI_PROTOCOLS
     * may say: mpu_set_names. */
    const struct mpu_set *memory, *noc, *paper[2];
    const struct mpu_each *each; /* how few leaders meet (segment/leaders.h), else as many do */
    void (*grow)(struct mpu_rank *r, struct mpu_index *x);     /* mpu_index_grow */
    void (*before)(struct mpu_rank *r, struct mpu_request *q); /* mpu_before */
    const struct mpu_lending *lending; /* of transport/memory.c, else no cell is kept */
};

/* The last alarms, and behind them the last queries. Any rank of the cluster. */
#define MPU_ALARMS 3
struct mpu_alarms {
    struct k_wait lock; /* guards `kept` and `serial`; writers of `raised` hold it */
    atomic_uint raised;
    atomic_bool asked; /* a rank here has asked, or was asked; after the last barrier: of the job */
    uint32_t serial[2 * MPU_ALARMS]; /* of each: `raised` after it; 0: none */
    struct mpu_alarm kept[2 * MPU_ALARMS];
};

/* In the cluster's memory, reached by k_cluster_local(). */
struct mpu_cluster {
    /* Constant after mpu_cluster_init. */
    const struct svc_job *job;
    const struct mpu_set *set; /* of protocols, the one that is used */
    uint64_t (*site)(void);    /* mpu_stand_sites; NULL: nobody asks */
    struct mpu_rank *ranks;
    struct mpu_core *cores;        /* by core */
    struct mpu_endpoint *endpoint; /* by world rank */
    int clusters;                  /* with ranks */
    bool streams; /* data that is brought bit by bit is as fast as in one piece: mpu_streams */
    const struct mpu_transport *transport; /* NULL: no rank sends by one; nor are portals made */
    uint32_t eager_most; /* bytes that may be sent whether or not they are expected */
    int locals;          /* ranks here */
    int fullest;         /* ranks of the cluster that has most */
    int announce;        /* most sends that wait at another one to be matched */
    int window;          /* most eager messages that a rank sends ahead of another one's receives */
    int local_blocks;    /* most blocks of cells that a rank's neighbours may fill */
    uint32_t net_cell;   /* bytes of a cell for what came by a network, or by a ring */
    bool traced;         /* a trace is written */
    struct k_board board;        /* where leaders meet; NULL: the machine has none */
    struct mpu_place_map places; /* of transport/memory.c */
    struct k_info info;
    uint32_t tune[MPU_TUNES]; /* of a rank at its start */
    struct mpu_sets has;      /* the program */

    /* Where the ranks of the cluster meet. */
    atomic_int starting;    /* ranks that called mpu_start or ended without it */
    atomic_int missing;     /* of these, the ones that ended without it */
    atomic_int start_error; /* how the start went; valid once running */
    atomic_bool running;    /* all ranks of the job can be reached */
    atomic_int arrived;     /* at the barrier, without local rank 0 */
    atomic_uint generation; /* barriers completed */

    /* Where the ranks of communicators meet here: segment/segment.c. */
    struct k_wait segment_lock;
    struct mpu_segment *segments; /* under segment_lock: those that can be found */

    /* Of the only rank of the cluster: segment/standing.h. */
    struct mpu_standing *standing; /* what it waits for, and does not wait */
    uint32_t stood;                /* how many of these waits have ended */

    struct mpu_alarms alarms;
    struct mpu_stall_clock stall_clock;

    struct mpu_asker *askers; /* those who ask for names: protocol/names.c */
    struct mpu_slot *slots;   /* as many as the set has: protocol/slot.c */
    atomic_bool slot_wanted;  /* a rank waits for one */
};

/* Tells the kernel what mpu_count was told. */
void mpu_counted(struct mpu_rank *r);

static inline struct mpu_cluster *mpu_cluster(void)
{
    return k_cluster_local();
}

/* Gives the heap of a rank, by its place in the cluster, its first memory, MPU_HEAP_FIRST bytes. */
void mpu_heap_begin(struct mpu_heap *h, uint8_t *memory, int local);

/* The rank of this number if it lives in the calling rank's cluster, else NULL. */
static inline struct mpu_rank *mpu_neighbour(const struct mpu_rank *r, int rank)
{
    const struct mpu_cluster *c = r->cluster;
    int here = c->endpoint[rank].here;
    b_assert(here < c->locals);
    return here < 0 ? NULL : &c->ranks[here];
}

/* Whether a rank lives on the calling rank's core. */
static inline bool mpu_same_core(const struct mpu_rank *r, int rank)
{
    struct mpu_endpoint e = r->cluster->endpoint[rank];
    return e.here >= 0 && e.core == r->core;
}

/* k_copy, without the kernel where nothing is charged for it. */
static inline void mpu_move(const struct mpu_cluster *c, void *to, const void *from, size_t n)
{
    if (!c->info.copies_free)
        k_copy(to, from, n);
    else
        memcpy(to, from, n);
}

/* Wakes a rank of this cluster: what it waits for may have happened. From any rank of the
 * cluster. */
static inline void mpu_ring(struct mpu_rank *r)
{
    k_bell_ring(&r->bell, MPU_RUNG);
}

/* ... all of them but this one (NULL: all). */
static inline void mpu_ring_all(struct mpu_cluster *c, const struct mpu_rank *but)
{
    for (int i = 0; i < c->locals; i++)
        if (&c->ranks[i] != but)
            mpu_ring(&c->ranks[i]);
}

/* Core: whether the rank is in mpu_rest; the rank: notes what it does (rank/stall.h). */
static inline bool mpu_waits(const struct mpu_rank *r)
{
    return atomic_load_explicit(&r->waits, memory_order_relaxed) != MPU_RUNS;
}

static inline void mpu_note(struct mpu_rank *r, unsigned char what)
{
    atomic_store_explicit(&r->waits, what, memory_order_relaxed);
}

#endif
