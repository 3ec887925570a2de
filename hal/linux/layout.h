/* SPDX-License-Identifier: MIT */
/* The mapping of a job: what the processes of a machine share. See docs/linux.md.
 *
 * It is mapped at a different address in each process, so it holds offsets and numbers, never
 * pointers. It is sparse: a page costs memory only once somebody touches it. A line of 64 bytes has
 * one writer, or is written rarely; the comments name the writer. */
#ifndef HAL_LINUX_LAYOUT_H
#define HAL_LINUX_LAYOUT_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <base/config.h>
#include <hal/hosted.h>
#include <hal/machine.h>
#include <hal/mailbox.h>
#include <hal/stand.h>

#define LX_MAGIC       UINT64_C(0x316a6f6270616d6c) /* "lmapboj1", in memory order */
#define LX_VERSION     5
#define LX_LINE        64
#define LX_CHANNELS    64  /* portal channels of a cluster, as hal/machine.h bounds them */
#define LX_COUNTERS    64  /* names of counters, as hal/trace.h says */
#define LX_NAME        48  /* bytes of a counter's or span's name, terminator included */
#define LX_PATH        512 /* bytes of the trace file's name */
#define LX_SET         (HAL_CLUSTERS_MAX / 64) /* words of a set of clusters */
#define LX_BOUNCE_SIZE (64 * 1024)             /* bytes of a portal channel's bounce buffer */
#define LX_VALUE       UINT32_MAX
#define LX_SPANS       (256 * 1024) /* trace records of a cluster */
#define LX_SPAN_NAMES  512          /* names of spans of a cluster */

/* Life of a cluster, in order. */
enum lx_state {
    LX_ABSENT,   /* nobody has attached yet; operations to it just wait there */
    LX_ATTACHED, /* its process runs */
    LX_OFF,      /* it powered off */
    LX_DEAD      /* its process ended in another way */
};

/* A core's event word; see event.c. */
enum lx_event { LX_AWAKE, LX_RAISED, LX_ASLEEP };

struct lx_core {
    alignas(LX_LINE) atomic_uint event; /* the futex; owner: AWAKE, ASLEEP; others: RAISED */
};

/* A portal channel, in the record of its receiver. The life of a transfer is in portal.h. */
struct lx_channel {
    alignas(LX_LINE) atomic_uint phase; /* serial << 4 | enum lx_phase */
    int32_t from;                       /* receiver, before GRANTED: who may put */
    uint32_t cookie;
    uint32_t in_window; /* the buffer's address is an offset in the receiver's window */
    uint64_t address;   /* of the receiver's buffer, in the receiver's process or its window */
    uint64_t capacity;
    alignas(LX_LINE) uint64_t size; /* sender, before SHARED, BOUNCE or DONE: bytes to move */
    uint64_t source;                /* of the data, in the sender's process or its window */
    uint32_t source_in_window;
    uint32_t sender_cookie;
    atomic_ullong filled;                   /* sender: bytes ever put into the bounce buffer */
    alignas(LX_LINE) atomic_ullong drained; /* receiver: bytes ever taken out of it */
    alignas(LX_LINE) atomic_ullong claimed; /* both: pieces taken in hand, see transfer.c, */
    atomic_uint finished;                   /* pieces that were moved, */
    atomic_uint broken;                     /* and that one could not be */
};

/* One span of the trace, in cycles of the clock; or a value: `end`, from `begin` on. */
struct lx_span {
    uint64_t begin, end;
    uint32_t name;
    uint32_t core; /* LX_VALUE: a value of the cluster */
};

struct lx_cluster {
    /* Read by whoever sends here, written rarely. */
    alignas(LX_LINE) atomic_uint state; /* enum lx_state */
    atomic_int pid;
    atomic_int status;                 /* of power-off */
    atomic_uint reported;              /* the last report request that was answered */
    atomic_uint answering;             /* ... that somebody is answering or has answered */
    atomic_int stands;                 /* 1 + ranks in its row of stands; 0: it tells of none */
    atomic_ullong noc;                 /* cores that take the events of the network interface */
    alignas(LX_LINE) atomic_uint news; /* any cluster: counts what is not mail; see event.c */
    alignas(LX_LINE) atomic_ullong mail[LX_SET];   /* senders whose slots the receiver polls */
    alignas(LX_LINE) atomic_ullong words[LX_SET];  /* senders of sync words */
    alignas(LX_LINE) atomic_ullong grants[LX_SET]; /* receivers that granted something */
    alignas(LX_LINE) atomic_ullong counter[LX_COUNTERS];
    alignas(LX_LINE) atomic_uint spans; /* trace records asked for; more than LX_SPANS are lost */
    atomic_uint span_names;
    /* See attend.c: whether its core does not look for events by itself, which it writes; */
    alignas(LX_LINE) atomic_uint away;
    alignas(LX_LINE) atomic_bool urged; /* and written rarely: something urgent was sent to it, */
    atomic_uint ticks;                  /* its helper does not sleep */
    struct lx_core core[HAL_CORES_MAX];
    struct lx_channel channel[LX_CHANNELS];
};

/* A mailbox slot. A message of up to 40 bytes of data moves one line. */
struct lx_slot {
    alignas(LX_LINE) atomic_uint flag; /* sender: number of the message + 1, modulo 2^32 */
    uint32_t used;                     /* length, and verdicts that ride along: see mailbox.c */
    struct hal_mail mail;
};
_Static_assert(sizeof(struct lx_slot) == 3 * LX_LINE, "a slot is three lines");

/* What a pair (sender, receiver) shares besides its mailbox slots. */
struct lx_link {
    alignas(LX_LINE) atomic_ullong taken; /* receiver: sync words ever released */
    atomic_uint starved;                  /* sender: it wants an event when a word is released */
    atomic_ullong granted;                /* receiver sets, sender clears: channels with a grant */
};

struct lx_word {
    atomic_ullong word;
    atomic_uint flag; /* sender: number of the word + 1, modulo 2^32 */
};

struct lx_counter_name {
    atomic_uint state; /* 0 free, 1 being written, 2 sum, 3 highest value */
    char text[LX_NAME];
};

struct lx_header {
    uint64_t magic;
    uint32_t version;
    uint32_t header_size;
    uint64_t size; /* bytes of the whole mapping */
    struct hal_machine machine;
    uint64_t spin_ns;
    uint64_t timeout_ns;
    uint64_t stack;
    uint32_t pin, trace;
    uint32_t first_processor; /* cores are bound from this one on; see core.c */
    uint32_t fits;            /* its maker had a processor for each core of the job */
    char trace_file[LX_PATH];
    uint64_t hz;          /* cycles per second of the clock */
    uint64_t start_ns;    /* CLOCK_MONOTONIC at the machine's start */
    uint64_t start_ticks; /* the processor's counter at the same time */
    uint32_t ticks;       /* the counter serves as the clock */
    /* Offsets and strides, bytes. */
    uint64_t cluster_at, cluster_stride;
    uint64_t link_at, link_stride;
    uint64_t mail_at, mail_stride;
    uint64_t trace_at, trace_stride;
    uint64_t bounce_at, bounce_stride;
    uint64_t window_at, window_stride;
    uint64_t board_at;
    uint64_t stand_at, stand_stride; /* only touched for a report */
    uint32_t verbose;                /* the time-out's report is a table of all threads, too */
    /* Written while the machine runs. */
    alignas(LX_LINE) atomic_uint ended;        /* clusters that powered off or died */
    atomic_ullong gone[HAL_CLUSTERS_MAX / 64]; /* which, a bit each; set before they are counted */
    atomic_uint aborted;                       /* 0, or 1 + the status of hal_abort */
    atomic_uint reports;                       /* report requests so far */
    atomic_uint short_reports; /* the last one is for the supervisor, who prints it */
    atomic_uint failure;       /* first status that is not 0 */
    alignas(LX_LINE) struct lx_counter_name counter[LX_COUNTERS];
};

/* Everything a pair has, by sender and receiver. */
static inline size_t lx_pair(const struct lx_header *h, int from, int to)
{
    return (size_t)to * (size_t)hal_machine_clusters(&h->machine) + (size_t)from;
}

static inline struct lx_cluster *lx_cluster(const struct lx_header *h, int cluster)
{
    return (struct lx_cluster *)((char *)(uintptr_t)h + h->cluster_at +
                                 (size_t)cluster * h->cluster_stride);
}

static inline struct lx_link *lx_link(const struct lx_header *h, int from, int to)
{
    return (struct lx_link *)((char *)(uintptr_t)h + h->link_at +
                              lx_pair(h, from, to) * h->link_stride);
}

static inline struct lx_word *lx_words(const struct lx_header *h, int from, int to)
{
    return (struct lx_word *)(lx_link(h, from, to) + 1);
}

/* Verdicts of a pair, one word for each slot: number of the message + 1, then 8 bits of verdict. */
static inline atomic_uint *lx_verdicts(const struct lx_header *h, int from, int to)
{
    return (atomic_uint *)((char *)(uintptr_t)h + h->mail_at +
                           lx_pair(h, from, to) * h->mail_stride);
}

static inline size_t lx_verdict_bytes(const struct lx_header *h)
{
    return (h->machine.mail_slots * sizeof(atomic_uint) + LX_LINE - 1) / LX_LINE * LX_LINE;
}

static inline struct lx_slot *lx_slots(const struct lx_header *h, int from, int to)
{
    return (struct lx_slot *)((char *)lx_verdicts(h, from, to) + lx_verdict_bytes(h));
}

static inline struct hal_stand *lx_stands(const struct lx_header *h, int cluster)
{
    return (struct hal_stand *)((char *)(uintptr_t)h + h->stand_at +
                                (size_t)cluster * h->stand_stride);
}

static inline char *lx_window(const struct lx_header *h, int cluster)
{
    return (char *)(uintptr_t)h + h->window_at + (size_t)cluster * h->window_stride;
}

static inline char *lx_bounce(const struct lx_header *h, int cluster, int channel)
{
    return (char *)(uintptr_t)h + h->bounce_at + (size_t)cluster * h->bounce_stride +
           (size_t)channel * LX_BOUNCE_SIZE;
}

static inline char (*lx_span_names(const struct lx_header *h, int cluster))[LX_NAME]
{
    return (char(*)[LX_NAME])((char *)(uintptr_t)h + h->trace_at +
                              (size_t)cluster * h->trace_stride);
}

static inline struct lx_span *lx_spans(const struct lx_header *h, int cluster)
{
    return (struct lx_span *)(lx_span_names(h, cluster) + LX_SPAN_NAMES);
}

#endif
