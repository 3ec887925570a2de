/* SPDX-License-Identifier: MIT */
/* Messages in the receiver's memory, a ring for each sender, with the verdicts beside them. `sent`
 * and `known` are the sender's to write, `released` the receiver's: between known and released are
 * verdicts that nobody took, between released and sent messages; a slot is free before known. */
#include <hal/mailbox.h>

#include <stdatomic.h>

#include <base/error.h>
#include <base/mem.h>
#include <hal/core.h>

#include "port.h"

enum { SLOTS = 64 };

static struct ring {
    _Alignas(KERN_LINE) _Atomic(uint32_t) sent;
    _Atomic(uint32_t) known;
    _Alignas(KERN_LINE) _Atomic(uint32_t) released;
    uint8_t verdict[SLOTS];
    struct hal_mail mail[SLOTS];
} rings[CLUSTERS];

static unsigned next_verdict, next_mail;

static int clusters(void)
{
    return hal_machine_clusters(hal_machine());
}

/* Where the messages of this cluster to another one are. */
static struct ring *sent_to(int to)
{
    return port_there(to, &rings[hal_cluster()]);
}

int hal_mailbox_send(int to, const struct hal_mail *m, size_t used)
{
    if (to < 0 || to >= clusters())
        return -B_EHOSTUNREACH;
    if (used > HAL_MAIL_DATA)
        return -B_EINVAL;
    struct ring *r = sent_to(to);
    uint32_t n = atomic_load(&r->sent);
    if (n - atomic_load(&r->known) == hal_machine()->mail_slots)
        return -B_EAGAIN;
    memcpy(&r->mail[n % SLOTS], m, HAL_MAIL_HEADER + used);
    atomic_store(&r->sent, n + 1);
    port_event_network(to);
    return 0;
}

int hal_mailbox_verdict(int to)
{
    if (to < 0 || to >= clusters())
        return -B_EAGAIN;
    struct ring *r = sent_to(to);
    uint32_t n = atomic_load(&r->known);
    if (atomic_load(&r->released) == n)
        return -B_EAGAIN;
    int verdict = r->verdict[n % SLOTS];
    atomic_store(&r->known, n + 1);
    next_verdict = (unsigned)to + 1;
    return verdict;
}

int hal_mailbox_verdict_any(void)
{
    unsigned all = (unsigned)clusters();
    for (unsigned i = 0; i < all; i++) {
        unsigned to = (next_verdict + i) % all;
        struct ring *r = sent_to((int)to);
        if (atomic_load(&r->released) != atomic_load(&r->known))
            return (int)to;
    }
    return -B_EAGAIN;
}

const struct hal_mail *hal_mailbox_peek(int *from)
{
    unsigned all = (unsigned)clusters();
    for (unsigned i = 0; i < all; i++) {
        unsigned sender = (next_mail + i) % all;
        struct ring *r = &rings[sender];
        uint32_t n = atomic_load(&r->released);
        if (atomic_load(&r->sent) != n) {
            next_mail = sender + 1;
            *from = (int)sender;
            return &r->mail[n % SLOTS];
        }
    }
    return NULL;
}

int hal_mailbox_release(int from, int verdict)
{
    if (from < 0 || from >= clusters() || verdict < 0 || verdict > 255)
        return -B_EINVAL;
    struct ring *r = &rings[from];
    uint32_t n = atomic_load(&r->released);
    if (atomic_load(&r->sent) == n)
        return -B_EINVAL;
    r->verdict[n % SLOTS] = (uint8_t)verdict;
    atomic_store(&r->released, n + 1);
    port_event_network(from);
    return 0;
}

/* A verdict costs a store and an event here: it comes at once. */
int hal_mailbox_release_late(int from, int verdict)
{
    return hal_mailbox_release(from, verdict);
}

void hal_mailbox_settle(void)
{
}
