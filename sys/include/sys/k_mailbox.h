/* SPDX-License-Identifier: MIT */
/* Virtual mailboxes: messages of 0 .. HAL_MAIL_DATA bytes between logical ports.
 *
 * An input mailbox owns a port of its cluster; an output mailbox names a remote (node, port), or
 * is left unconnected and names it at each write. Messages from one output arrive in order. A
 * write is complete when the receiving kernel has stored the message for its port; until then
 * the sender keeps it. A full port delays only its own writers. One operation may be pending per
 * object. All functions run on the caller's thread; "waits" means that other threads of the core
 * run. Common errors: -B_EBADF no such object or not yours to use that way, -B_EBUSY an
 * operation is pending, -B_EINVAL bad argument, -B_ENOMEM no object left. */
#ifndef SYS_K_MAILBOX_H
#define SYS_K_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include <base/config.h>
#include <sys/k_call.h>
#include <sys/k_types.h>

/* Creates an input on `port` of this cluster, or on a free one (K_ANY). Returns the id.
 * -B_EBUSY: the port is taken. */
static inline int k_mailbox_create(int port)
{
    return (int)k_call(K_NR_mailbox_create, port, 0, 0, 0, 0);
}

/* Opens an output to (node, port); node = port = K_ANY: unconnected. Returns the id. Does not talk
 * to the other side, so an unknown port is answered at the first write. -B_EHOSTUNREACH: no such
 * cluster. */
static inline int k_mailbox_open(int node, int port)
{
    return (int)k_call(K_NR_mailbox_open, node, port, 0, 0, 0);
}

/* Ends an input. Messages stored for it are answered to their senders with -B_ENOTCONN if they
 * still wait, and are dropped otherwise; the count of dropped messages is returned. A pending
 * read is cancelled: its waiter gets -B_ECANCELED. */
static inline int k_mailbox_unlink(int id)
{
    return (int)k_call(K_NR_mailbox_unlink, id, false, 0, 0, 0);
}

/* The same, unless a message is stored for it or was given to a read whose result nobody has
 * fetched: -B_EBUSY, and the input is as it was. A read that is pending then will end. So an owner
 * that reads until this succeeds leaves no sender with a message that was stored and not read. */
static inline int k_mailbox_retire(int id)
{
    return (int)k_call(K_NR_mailbox_unlink, id, true, 0, 0, 0);
}

/* Ends an output. -B_EBUSY while a write is pending. */
static inline int k_mailbox_close(int id)
{
    return (int)k_call(K_NR_mailbox_close, id, 0, 0, 0, 0);
}

/* Starts a write of n <= HAL_MAIL_DATA bytes; buf may be reused at return. For an unconnected
 * output (node, port) names the receiver; else both are K_ANY. Completed by k_ikc_wait, which
 * gives n or -B_ENOTCONN (nobody listens there), -B_EIO (that cluster died). */
static inline int k_mailbox_awrite(int id, int node, int port, const void *buf, size_t n)
{
    return (int)k_call(K_NR_mailbox_awrite, id, node, port, (long)buf, (long)n);
}

/* Starts a read into buf of n bytes, which must stay valid until completion; *from (may be NULL)
 * is written at completion. Completed by k_ikc_wait, which gives the message's length, or
 * -B_EMSGSIZE if it was longer than n (the first n bytes were stored). */
static inline int k_mailbox_aread(int id, void *buf, size_t n, struct k_source *from)
{
    return (int)k_call(K_NR_mailbox_aread, id, (long)buf, (long)n, (long)from, 0);
}

/* A message in its owner's memory, aligned as declared, zeroed at first. */
struct k_mail {
    uint64_t kernel[5]; /* the kernel's while it is busy */
    uint32_t busy;      /* atomic: from k_mailbox_post until the kernel needs it no more */
    int32_t result;     /* then: 0, or the error that a write would have ended with */
    uint32_t size;      /* bytes of data, 0 .. HAL_MAIL_DATA */
    uint32_t urgent;    /* not 0: a program that computes is interrupted for it, or helped */
    uint8_t header[HAL_MAIL_HEADER]; /* the kernel's */
    uint8_t data[HAL_MAIL_DATA];
};

/* Sends m as a write would, but the output may have many under way, and none is an operation:
 * nobody waits for it. m must stay as it is while it is busy. Messages of one output to one port
 * arrive in the order in which they were posted; between posted and written ones there is none.
 * They count as writes, without latency. Not cancelled; k_mailbox_close answers -B_EBUSY while one
 * is under way. Never waits. -B_EBUSY: m is busy; -B_EHOSTUNREACH; -B_ENOMEM: in user mode, where
 * the kernel keeps what it needs of m in its own memory, as many are under way as the machine has
 * mail_slots for each of its mailbox_ports. */
static inline int k_mailbox_post(int id, int node, int port, struct k_mail *m)
{
    return (int)k_call(K_NR_mailbox_post, id, node, port, (long)m, 0);
}

static inline bool k_mail_busy(const struct k_mail *m)
{
    return __atomic_load_n(&m->busy, __ATOMIC_ACQUIRE) != 0;
}

/* Has m ring the bell of its output (k_ikc_attach) when it is free; one that fails always does.
 * False: it is free already. */
static inline bool k_mail_tell(struct k_mail *m)
{
    uint32_t busy = 1;
    return __atomic_compare_exchange_n(&m->busy, &busy, 2, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE) ||
           busy == 2;
}

/* From now on reads of this input take only messages of (node, port), either may be K_ANY. */
int k_mailbox_set_remote(int id, int node, int port);

/* The logical port of an object of either kind. */
int k_mailbox_get_port(int id);

/* Reads a counter (sys/k_types.h) of object `id`, or of the facility with K_ANY. */
int k_mailbox_stat(int id, enum k_stat what, uint64_t *value);

/* Blocking forms: start, then wait without time-out. */
int k_mailbox_write(int id, const void *buf, size_t n);
int k_mailbox_writeto(int id, int node, int port, const void *buf, size_t n);
int k_mailbox_read(int id, void *buf, size_t n, struct k_source *from);

#endif
