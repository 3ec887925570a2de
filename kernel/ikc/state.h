/* SPDX-License-Identifier: MIT */
/* The state of inter-kernel communication in a cluster. docs/ikc.md explains who does what.
 *
 * Two locks. `lock` guards everything that talks to the network and is held over HAL calls; `done`
 * guards what a waiting thread looks at, so that the wait for a completion never stands behind the
 * network. Order: lock, then done. */
#ifndef IKC_STATE_H
#define IKC_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <base/bitmap.h>
#include <base/list.h>
#include <hal/lock.h>
#include <hal/machine.h>
#include <hal/mailbox.h>
#include <hal/portal.h>
#include <kernel/wait.h>
#include <sys/k_board.h>
#include <sys/k_task.h>
#include <sys/k_types.h>
#include <sys/k_wait.h>

#include "ikc/wire.h"

struct kern_ikc;

/* Objects -------------------------------------------------------------------------------------- */

enum kern_role { KERN_IN, KERN_OUT };

/* Of an operation; OP_COPY: two threads of this cluster met at a portal, whoever comes first
 * copies. */
enum kern_op_state { OP_IDLE, OP_PENDING, OP_COPY, OP_DONE };

/* What all virtual objects begin with. Under `done`, except `used` and `generation`, which
 * change under both locks. */
struct kern_object {
    struct kern_wait wait;
    struct k_bell *bell; /* of k_ikc_attach, or NULL */
    struct k_task *task; /* of k_ikc_attach_task, or NULL */
    union {
        uint64_t began; /* until DONE: cycle of the initiation */
        int64_t result; /* then */
    };
    uint64_t volume, latency, count;
    uint32_t generation; /* part of the id, so a stale id names nothing */
    uint16_t index;      /* logical port of mailboxes and portals */
    uint8_t facility, role;
    uint8_t state; /* enum kern_op_state */
    bool used;
    uint16_t flow; /* of the pending operation: number in kern_ikc.flow + 1; 0: none */
};

/* What the tasks of a flow have to do next. */
enum kern_phase {
    FLOW_FREE,
    FLOW_BEGIN, /* `begin` was released: to start the operation */
    FLOW_WAIT,  /* nothing: the network, or another thread, goes on */
    FLOW_AGAIN, /* `end` was released: to have it started again */
    FLOW_COPY,  /* `end` was released: to copy a piece of a local transfer */
    FLOW_END    /* `end` was released: the operation is over */
};

/* An operation by tasks, in the variants partial and full: see flow.c. Under `done`. */
struct kern_flow {
    struct b_node free;
    struct k_task begin, end;
    struct k_arc again;         /* end -> begin */
    struct kern_object *object; /* NULL: the operation or its object is no more */
    int64_t result, bytes;      /* FLOW_END */
    size_t copied;              /* of a read: bytes of a local transfer */
    uint8_t phase;
};

/* A cluster and a logical port, either may be K_ANY. */
struct kern_address {
    int16_t node, port;
};

/* Transport ------------------------------------------------------------------------------------ */

/* Idle; to be sent; in flight: sent, its verdict is to come; parked, that is deferred: refused,
 * until a READY of the receiver calls it. */
enum kern_where { ITEM_IDLE, ITEM_QUEUED, ITEM_FLYING, ITEM_PARKED };

/* Something that may have one message under way to one cluster at a time. */
struct kern_item {
    struct b_node node;
    const struct kern_item_class *class;
    uint16_t to;    /* cluster */
    uint16_t port;  /* logical port there */
    uint16_t index; /* own logical port */
    uint8_t size;   /* of a mail: bytes of data */
    uint8_t where;
    bool called;   /* answers a READY */
    bool reserved; /* ... that keeps a buffer */
    bool held;     /* parked before it ever left */
    bool again;    /* a READY came while it was flying: if refused, try at once */
    bool urgent;   /* hal/attend.h */
};

struct kern_item_class {
    uint8_t facility;
    bool message; /* WIRE_MESSAGE: may be refused and parked */
    /* The message, complete; `scratch` may hold it. */
    const struct hal_mail *(*compose)(struct kern_ikc *k, struct kern_item *i,
                                      struct hal_mail *scratch, size_t *used);
    /* The receiver's verdict, or -B_EIO: the receiver ended. The item is idle again. */
    void (*verdict)(struct kern_ikc *k, struct kern_item *i, int verdict);
    bool
        stream; /* a message of which an object may have many under way: link.c keeps their order */
};

/* The READY or GONE under way to a cluster, for one of this cluster's ports. */
struct kern_control {
    struct kern_item item;
    struct wire_header header;
};

/* One per cluster of the machine. */
struct kern_dest {
    struct b_queue queue;  /* to be sent, in order */
    struct b_queue flying; /* sent, without verdict yet, in order */
    struct b_queue parked; /* refused, waiting for a READY, oldest first */
    struct kern_control control;
    uint8_t streamed; /* flying items of streams */
    bool broken;      /* a streamed message from there was refused: so are those that follow it */
};

/* Ports: the receiving side -------------------------------------------------------------------- */

enum kern_share { SHARE_REMOTE, SHARE_LOCAL, SHARES };

/* A message, or an announcement, stored for its port. */
struct kern_letter {
    struct b_node node;
    uint16_t from_node, from_port, serial;
    uint8_t size;
    uint8_t share;
    uint8_t data[];
};

/* Buffers of one kind of traffic. Each port is owed `share` of them at any time. */
struct kern_store {
    struct b_queue free;
    uint32_t available; /* free and not reserved */
    uint32_t owed;      /* of those, kept for ports that use less than their share */
    uint32_t share;
};

/* A logical port that receives; outlives the objects that are created on it. */
struct kern_port {
    struct b_node hungry;   /* in kern_box.hungry */
    struct b_queue letters; /* stored, oldest first */
    struct b_queue evicted; /* announcements of an unlinked input: their writers must be told */
    uint16_t used[SHARES];  /* buffers, reserved ones included */
    uint16_t turn;          /* cluster that was offered a buffer last */
    uint16_t refused;       /* clusters in SET_REFUSED, this one left out */
    bool open;
    bool is_hungry;
};

/* Sets of clusters that each port keeps. */
enum kern_set {
    SET_REFUSED,  /* has a message for this port that was refused */
    SET_PROMISED, /* a buffer is reserved for its message */
    SET_PROBE,    /* refused, and the waiting reader may want just its message */
    SETS
};

/* The ports of a facility. */
struct kern_box {
    uint8_t facility;
    uint32_t ports;
    uint32_t reach; /* no object ever had this port or one above: their ports are as at boot */
    struct kern_port *port;
    uint64_t *sets; /* ports x SETS bitmaps */
    struct kern_store store[SHARES];
    struct b_queue hungry; /* starved ports: they refused something, or have to tell it */
    /* Gives a message straight to a reader that waits for it; false: nobody does. */
    bool (*accept)(struct kern_ikc *k, int port, const struct kern_letter *l, const void *data);
    /* What the reader that waits on the port wants; false: no reader waits. */
    bool (*wanted)(struct kern_ikc *k, int port, struct kern_address *want);
};

/* Facilities ----------------------------------------------------------------------------------- */

struct kern_mail_in {
    struct kern_object o;
    struct kern_address filter;
    bool reading; /* a reader waits for the next message */
    void *buf;
    size_t n;
    struct k_source *from;
};

struct kern_mail_out {
    struct kern_object o;
    struct kern_item item;
    struct kern_address remote; /* node K_ANY: named at each write */
    uint16_t posted;            /* mails of k_mailbox_post under way */
    bool cancel;                /* if refused, end with -B_ECANCELED */
    struct hal_mail mail;
};

enum kern_reading {
    READ_IDLE,
    READ_MATCH,   /* waits for an announcement, or (`wants`) for a channel */
    READ_GRANTED, /* has a channel */
    READ_COPY     /* from a writer of this cluster, or out of a page where it has come */
};

struct kern_portal_in {
    struct kern_object o;
    struct b_node want; /* in kern_ikc.want */
    struct kern_address filter;
    struct kern_address from; /* of the operation: asked for, then who writes */
    struct kern_address asked;
    void *buf;
    size_t n;
    struct k_source *got;
    uint16_t serial; /* of the matched announcement */
    uint8_t reading; /* enum kern_reading */
    bool matched;    /* an announcement was taken for it */
    bool wants;      /* in kern_ikc.want */
    bool cancel;     /* if its writer withdraws, end with -B_ECANCELED */
    int8_t channel;
};

enum kern_writing {
    WRITE_IDLE,
    WRITE_ANNOUNCE, /* the announcement is under way or was refused */
    WRITE_WAIT,     /* announced or quiet: waits for a grant */
    WRITE_GRANTED,  /* waits for a DMA channel, or for the verdict of its announcement */
    WRITE_SEND,     /* data flows */
    WRITE_COPY      /* to a reader of this cluster */
};

struct kern_portal_out {
    struct kern_object o;
    struct kern_item item;
    struct b_node active; /* in kern_ikc.active: GRANTED and SEND */
    struct kern_address remote, to;
    const void *buf;
    size_t n;
    struct hal_grant grant;
    int handle;
    int32_t error; /* result of a transfer that only carries a refusal, or 0 */
    uint16_t serial;
    uint8_t writing; /* enum kern_writing */
    uint8_t flags;   /* enum k_portal_flag */
    bool announced;  /* the receiver has stored the announcement */
    bool stale;      /* the announcement under way belongs to a cancelled write */
};

/* A grant of a named reader that came before its write; by receiver and channel. */
struct kern_held {
    uint64_t room; /* its capacity and one more; 0: none is kept */
    uint32_t cookie, serial;
};

/* A grant that nobody here can use is given back by a transfer of no bytes. */
struct kern_refusal {
    struct hal_grant grant;
    int handle; /* of the transfer, -1: not yet begun */
    bool used;
};
enum { KERN_REFUSALS = 16 }; /* while all are used no further grant is taken from the port */

struct kern_sync {
    struct kern_object o;
    uint64_t hash;
    int id;
    uint32_t refs;
    uint32_t missing; /* in: members with no signal latched; out: signals not yet sent */
    uint16_t members;
    int8_t error;     /* a member ended: -B_EIO */
    uint64_t *member; /* bitmap by cluster: in: who signals; out: whom to signal */
    uint16_t *count;  /* by cluster: in: signals latched; out: signals owed */
};

/* A portal's operation in the ancestor's style: by pieces, each through a page of the kernel. */
struct kern_piece {
    uint64_t moved; /* bytes of the operation in earlier pieces */
    uint32_t n;     /* of this one */
    bool more;      /* in: others follow it */
    bool ready;     /* out: it is in its page */
    bool copying;   /* out: somebody brings it there */
    bool kept;      /* out: nobody does while the write is being cancelled */
};

/* Signals of a sync that nobody created yet. count 0: free. */
struct kern_latch {
    uint64_t hash;
    uint16_t from;
    uint32_t count;
};

struct kern_ikc {
    const struct hal_machine *machine;
    int self, clusters;
    uint32_t words; /* of a bitmap of clusters */
    uint32_t channels, named_channels;

    struct hal_lock done;
    struct kern_flow *flow; /* `flows` of them: none in the baseline variant */
    uint32_t flows;
    struct b_queue idle; /* flows without an operation */
    uint64_t stat[3][K_STAT_SIGNALS + 1];
    struct k_watch *watched; /* words of the board */
    atomic_uint watching;    /* how many; changes under `done` */

    struct hal_lock lock;
    const struct kern_carrier *carrier;      /* of portals */
    const struct kern_waiter *waiter;        /* of threads */
    struct kern_thread **reserved;           /* by channel: who has it; waiter.c, under `done` */
    struct kern_piece *piece_in, *piece_out; /* by port; NULL: operations have none */
    uint8_t *pages;                          /* of the pieces, in, then out */
    bool resumed;                            /* a read goes on, and wants a channel */
    struct kern_dest *dest;
    bool pumping;           /* messages to this cluster are being delivered */
    uint32_t turn;          /* of the network's things, which was looked at last: poll.c */
    int ended;              /* clusters whose end was handled */
    uint64_t *dead;         /* bitmap of them */
    struct kern_box box[2]; /* K_MAILBOX, K_PORTAL */
    struct kern_mail_in *mail_in;
    struct kern_mail_out *mail_out;
    struct kern_portal_in *portal_in;
    struct kern_portal_out *portal_out;
    struct kern_portal_in **channel; /* reader by channel, NULL = free */
    uint32_t granted;                /* channels in use */
    uint32_t refusing;               /* entries of refusal in use */
    struct b_queue want;             /* readers that wait for a channel */
    struct b_queue active;           /* writers with a grant */
    struct kern_held *held;          /* clusters x named_channels */
    struct kern_refusal refusal[KERN_REFUSALS];
    struct kern_sync *sync_in, *sync_out; /* machine->syncs each; words under `done` */
    struct kern_latch *latch;
    uint32_t latches;
    uint32_t owing;               /* opened syncs with signals not yet sent */
    struct kern_mail_user *users; /* mails of user mode, free ones: stream.c */
};

#endif
