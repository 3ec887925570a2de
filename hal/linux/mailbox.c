/* SPDX-License-Identifier: MIT */
/* Mailbox: for each pair of clusters a few slots that only the sender writes, and a verdict word for
 * each, which only the receiver writes. Both know from a message's number where it lies and what its
 * flag will be, so there is no shared head or tail.
 *
 * The receiver polls the slots of those senders that are in its `mail` set. A sender publishes, then
 * adds itself if it is not there; the receiver removes a sender that was silent for a while, then
 * looks at its slot once more. Accesses to flag and set are sequentially consistent, so one of the
 * two sees the other. While two clusters talk, the set does not change and its line stays put. */
#include "port.h"

#include <stdlib.h>
#include <string.h>

#include <base/error.h>
#include <hal/mailbox.h>

#define FEW      8   /* so many senders are polled also while they are silent ... */
#define PATIENCE 256 /* ... for so many looks */

/* This cluster's side of its pairs, by peer. Counters of messages; other cores only read them. */
static struct {
    _Atomic(uint64_t) *sent;     /* to the peer */
    _Atomic(uint64_t) *answered; /* of those, verdicts taken */
    _Atomic(uint64_t) *taken;    /* from the peer, released */
    uint16_t *silent;            /* looks in vain at the peer's slot; under the caller's lock */
    uint32_t *mail_told,
        *verdict_told;             /* by core and peer: what lx_mailbox_news has told; the core's */
    atomic_ullong waiting[LX_SET]; /* peers that owe a verdict */
    int peek_next, verdict_next;   /* round-robin; under the caller's lock */
} box;

int lx_mailbox_attach(void)
{
    size_t n = (size_t)lx.clusters, cores = (size_t)lx.cores;
    box.sent = calloc(n, sizeof *box.sent);
    box.answered = calloc(n, sizeof *box.answered);
    box.taken = calloc(n, sizeof *box.taken);
    box.silent = calloc(n, sizeof *box.silent);
    box.mail_told = calloc(n * cores, sizeof *box.mail_told);
    box.verdict_told = calloc(n * cores, sizeof *box.verdict_told);
    if (box.sent == NULL || box.answered == NULL || box.taken == NULL || box.silent == NULL ||
        box.mail_told == NULL || box.verdict_told == NULL) {
        return -B_ENOMEM;
    }
    return 0;
}

static inline uint64_t count(_Atomic(uint64_t) *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static inline void advance(_Atomic(uint64_t) *counter)
{
    atomic_store_explicit(counter, count(counter) + 1, memory_order_relaxed);
}

/* The slot of the oldest unreleased message of `from`, and whether the message is there. */
static inline struct lx_slot *head(int from, uint32_t *number)
{
    uint64_t taken = count(&box.taken[from]);
    *number = (uint32_t)(taken + 1);
    return &lx_slots(lx.job, from, lx.cluster)[taken % lx.job->machine.mail_slots];
}

static inline bool here(int from, struct lx_slot **slot, uint32_t *number)
{
    *slot = head(from, number);
    return atomic_load(&(*slot)->flag) == *number;
}

static inline uint32_t verdict_word(uint64_t message, int verdict)
{
    return (uint32_t)(message + 1) << 8 | (uint32_t)verdict;
}

/* The verdict of the oldest unanswered message to `to`, or -B_EAGAIN. */
static int verdict_look(int to)
{
    uint64_t answered = count(&box.answered[to]);
    uint32_t word =
        atomic_load(&lx_verdicts(lx.job, lx.cluster, to)[answered % lx.job->machine.mail_slots]);
    return word >> 8 == verdict_word(answered, 0) >> 8 ? (int)(word & 255) : -B_EAGAIN;
}

int hal_mailbox_send(int to, const struct hal_mail *m, size_t used)
{
    if (to < 0 || to >= lx.clusters) {
        return -B_EHOSTUNREACH;
    }
    if (used > HAL_MAIL_DATA) {
        return -B_EINVAL;
    }
    if (lx_gone(to)) {
        return -B_EIO;
    }
    uint64_t message = count(&box.sent[to]);
    uint32_t slots = lx.job->machine.mail_slots;
    if (message - count(&box.answered[to]) >= slots) {
        return -B_EAGAIN;
    }
    struct lx_slot *slot = &lx_slots(lx.job, lx.cluster, to)[message % slots];
    slot->used = (uint32_t)used;
    memcpy(&slot->mail, m, HAL_MAIL_HEADER + used);
    advance(&box.sent[to]);
    lx_set_add(box.waiting, to);
    atomic_exchange(&slot->flag, (uint32_t)(message + 1));
    atomic_ullong *mail = lx_cluster(lx.job, to)->mail;
    if (!lx_set_has(mail, lx.cluster)) {
        lx_set_add(mail, lx.cluster);
    }
    lx_event_poke(lx.job, to);
    return 0;
}

int hal_mailbox_verdict(int to)
{
    if (to < 0 || to >= lx.clusters) {
        return -B_EHOSTUNREACH;
    }
    if (count(&box.answered[to]) == count(&box.sent[to])) {
        return -B_EAGAIN;
    }
    bool dead = lx_gone(to); /* read before the verdict: it may have answered just before it went */
    int verdict = verdict_look(to);
    if (verdict == -B_EAGAIN) {
        if (!dead) {
            return -B_EAGAIN;
        }
        verdict = -B_EIO;
    }
    advance(&box.answered[to]);
    if (count(&box.answered[to]) == count(&box.sent[to])) {
        lx_set_remove(box.waiting, to);
    }
    return verdict;
}

int hal_mailbox_verdict_any(void)
{
    int first = lx_set_next(box.waiting, lx.clusters, box.verdict_next);
    for (int to = first; to >= 0;) {
        bool dead = lx_gone(to);
        if (verdict_look(to) >= 0 || dead) {
            box.verdict_next = to + 1;
            return to;
        }
        to = lx_set_next(box.waiting, lx.clusters, to + 1);
        if (to == first) {
            break;
        }
    }
    return -B_EAGAIN;
}

/* Nothing of `from` is there: leaves it out from now on if that has been so for a while. Returns true
 * if something came in that moment. */
static bool forget(int from, int members)
{
    if (members <= FEW && ++box.silent[from] < PATIENCE) {
        return false;
    }
    atomic_ullong *mail = lx.self->mail;
    struct lx_slot *slot;
    uint32_t number;
    box.silent[from] = 0;
    lx_set_remove(mail, from);
    if (here(from, &slot, &number)) {
        lx_set_add(mail, from);
        return true;
    }
    return false;
}

static int members(atomic_ullong *set)
{
    int n = 0;
    for (int i = 0; i < (lx.clusters + 63) / 64; i++) {
        n += __builtin_popcountll(atomic_load_explicit(&set[i], memory_order_relaxed));
    }
    return n;
}

const struct hal_mail *hal_mailbox_peek(int *from)
{
    atomic_ullong *mail = lx.self->mail;
    int polled = members(mail);
    int sender = box.peek_next;
    for (int looks = polled; looks > 0; looks--) {
        struct lx_slot *slot;
        uint32_t number;
        sender = lx_set_next(mail, lx.clusters, sender);
        if (sender < 0) {
            break;
        }
        if (here(sender, &slot, &number) ||
            (forget(sender, polled) && here(sender, &slot, &number))) {
            box.silent[sender] = 0;
            box.mail_told[(size_t)lx_core * (size_t)lx.clusters + (size_t)sender] = number;
            box.peek_next = sender + 1;
            *from = sender;
            return &slot->mail;
        }
        sender++;
    }
    return NULL;
}

int hal_mailbox_release(int from, int verdict)
{
    struct lx_slot *slot;
    uint32_t number;
    if (from < 0 || from >= lx.clusters || verdict < 0 || verdict > 255 ||
        !here(from, &slot, &number)) {
        return -B_EINVAL;
    }
    uint64_t message = count(&box.taken[from]);
    atomic_uint *word =
        &lx_verdicts(lx.job, from, lx.cluster)[message % lx.job->machine.mail_slots];
    advance(&box.taken[from]);
    atomic_exchange(word, verdict_word(message, verdict));
    lx_event_poke(lx.job, from);
    return 0;
}

/* Tells whether `seen` differs from what the core was told of `peer`, and notes it. */
static bool tell(uint32_t *told, int core, int peer, uint32_t number)
{
    uint32_t *last = &told[(size_t)core * (size_t)lx.clusters + (size_t)peer];
    bool new = *last != number;
    *last = number;
    return new;
}

bool lx_mailbox_news(int core)
{
    bool any = false;
    for (int w = 0; w < (lx.clusters + 63) / 64; w++) {
        for (uint64_t set = atomic_load(&lx.self->mail[w]); set != 0; set &= set - 1) {
            int from = w * 64 + __builtin_ctzll(set);
            struct lx_slot *slot;
            uint32_t number;
            if (here(from, &slot, &number)) {
                any |= tell(box.mail_told, core, from, number);
            }
        }
        for (uint64_t set = atomic_load(&box.waiting[w]); set != 0; set &= set - 1) {
            int to = w * 64 + __builtin_ctzll(set);
            if (verdict_look(to) >= 0) {
                any |= tell(box.verdict_told, core, to, (uint32_t)count(&box.answered[to]) + 1);
            }
        }
    }
    return any;
}
