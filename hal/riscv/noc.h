/* SPDX-License-Identifier: MIT */
/* The network as its hardware sees it: registers and buffers that all harts reach, outside of every
 * cage. It is zero when the machine starts. Everything has one writer at a time; who writes says so
 * by the last word it stores. */
#ifndef HAL_RISCV_NOC_H
#define HAL_RISCV_NOC_H

#include <stdatomic.h>
#include <stdint.h>

#include <base/config.h>
#include <hal/mailbox.h>

#include "layout.h"

#define RV_SLOTS_MAX    8  /* mailbox messages in flight of a pair that this network has */
#define RV_WORDS_MAX    16 /* C-NoC words in flight of a pair */
#define RV_CHANNELS_MAX 16 /* portal channels of a cluster */
#define RV_TRANSFERS    32 /* transfers of a cluster, begun or not yet asked for */
#define RV_CLUSTERS_MAX 32
#define RV_BOARD_MAX    (256 * 1024)

/* What lies between one sender and one receiver. Counters only grow; n is in slot n % slots. */
struct rv_pair {
    _Atomic(uint32_t) sent;     /* sender: messages */
    _Atomic(uint32_t) released; /* receiver: of those, released, each with a verdict */
    _Atomic(uint32_t) taken;    /* sender: of those, verdicts taken */
    _Atomic(uint32_t) words;    /* sender: C-NoC words */
    _Atomic(uint32_t) read;     /* receiver: of those, released */
    _Atomic(uint32_t) grants;   /* receiver: grants to the sender, ever */
    uint32_t seen;              /* sender: of those, up to which there was nothing left */
    uint8_t verdict[RV_SLOTS_MAX];
    uint64_t word[RV_WORDS_MAX];
    struct hal_mail mail[RV_SLOTS_MAX];
};

/* A channel of a receiver. `state` is a serial number and what became of the grant of that number;
 * sender and receiver both may end GRANTED, so they compare and exchange. */
enum { RV_FREE, RV_GRANTED, RV_CLAIMED, RV_WRITTEN, RV_STATES };
struct rv_channel {
    _Atomic(uint32_t) state; /* serial * RV_STATES + one of the above */
    uint32_t from, cookie, sender_cookie;
    uint32_t taken; /* sender: serial of the grant it took last; only it has that one */
    uint64_t buffer, capacity, written;
};

/* A transfer that a sender gave to the engine. */
enum { RV_UNUSED, RV_ASKED, RV_DONE };
struct rv_transfer {
    _Atomic(uint32_t) state;
    uint32_t to, channel, cookie;
    uint64_t buffer, n;
};

/* A hart: its event, and whether it must be told by an interrupt. One that is not started takes no
 * events of the network interface. */
enum { RV_AWAKE, RV_ASLEEP, RV_NOT_STARTED };
struct rv_hart {
    _Alignas(KERN_LINE) _Atomic(uint32_t) event;
    _Atomic(uint32_t) asleep;
};

struct rv_cluster {
    _Atomic(uint32_t) loaded; /* the copy of the image is complete */
    _Atomic(uint32_t) ended;
    _Atomic(uintptr_t) cores;   /* that take the events of the network interface */
    _Atomic(uint32_t) reported; /* in a deadlock */
};

enum { RV_NAMES = 2, RV_NAME_MAX = 1024 };
struct rv_noc {
    _Atomic(uint32_t) ended;           /* clusters */
    _Atomic(uint32_t) status;          /* the first that was not 0 */
    _Atomic(uint32_t) came, gone;      /* see event.c */
    _Atomic(uint32_t) stuck;           /* nothing can happen any more */
    _Atomic(uint32_t) asked;           /* for the report, so often */
    _Atomic(uint32_t) resting;         /* the engine, until a hart wakes up */
    _Atomic(uint32_t) ticket, serving; /* of the console */
    struct rv_hart hart[RV_HARTS_MAX];
    struct rv_cluster cluster[RV_CLUSTERS_MAX];
    struct rv_channel channel[RV_CLUSTERS_MAX][RV_CHANNELS_MAX];
    struct rv_transfer transfer[RV_CLUSTERS_MAX][RV_TRANSFERS];
    struct rv_pair pair[RV_CLUSTERS_MAX][RV_CLUSTERS_MAX]; /* from, to */
    char name[RV_CLUSTERS_MAX][RV_NAMES][RV_NAME_MAX]; /* of files, on their way to QEMU: ask.c */
    _Alignas(RV_PAGE) unsigned char board[RV_BOARD_MAX];
};
_Static_assert(sizeof(struct rv_noc) <= RV_NOC_BYTES, "the network has room");

static inline struct rv_noc *rv_noc(void)
{
    return (struct rv_noc *)RV_NOC;
}

#endif
