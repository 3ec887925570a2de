/* SPDX-License-Identifier: MIT */
/* Mailbox: for each pair of clusters a few slots that only the sender writes, and a verdict word
 * for each, which only the receiver writes. Both know from a message's number where it lies and
 * what its flag will be, so there is no shared head or tail.
 *
 * The receiver polls the slots of those senders that are in its `mail` set. A sender publishes,
 * then adds itself if it is not there; the receiver removes a sender that was silent for a while,
 * then looks at its slot once more. Accesses to flag and set are sequentially consistent, so one of
 * the two sees the other. While two clusters talk, the set does not change and its line stays
 * put.
 *
 * A verdict that its sender does not wait for (hal_mailbox_release_late) costs no line of its own:
 * it rides in the line of the next message that goes back, or is written when the cluster has
 * nothing else to do. */
#include "port.h"

#include <stdlib.h>
#include <string.h>

#include <base/error.h>
#include <hal/mailbox.h>

/* Bytes of data in the line of the flag. */
#define FIRST_DATA (LX_LINE - offsetof(struct lx_slot, mail) - HAL_MAIL_HEADER)

#define FEW      8   /* so many senders are polled also while they are silent ... */
#define PATIENCE 256 /* ... for so many looks */

#define LATE_MOST 64 /* late verdicts that a peer may be owed, if the slots do not bound them */

/* lx_slot.used: length, then the late verdicts that ride along: their value, how many, and the
 * number of the message after the last one they are for, modulo 2^9. */
enum { LENGTH = 0xff, VERDICT_SHIFT = 8, LATE_SHIFT = 16, LATE = 0x7f, TAKEN_SHIFT = 23 };
#define TAKEN UINT32_C(0x1ff)
_Static_assert(LATE_MOST <= LATE && HAL_MAIL_DATA <= LENGTH, "they fit");

/* This cluster's side of its two pairs with a peer. The counters of messages are written under the
 * caller's lock and read by other cores that poll. */
struct peer {
    alignas(LX_LINE) _Atomic(uint64_t) sent; /* messages to the peer */
    _Atomic(uint64_t) answered;              /* of those, verdicts taken */
    _Atomic(uint64_t) taken;                 /* messages of the peer that were released */
    struct lx_slot *out, *in;                /* slots of the two pairs */
    atomic_uint *due;     /* verdicts that rode with messages, as in the slots' */
    uint32_t silent;      /* looks in vain at the peer's slot */
    uint8_t late;         /* released, and the verdict not yet told */
    uint8_t late_verdict; /* which is this one */
};
_Static_assert(sizeof(struct peer) == LX_LINE, "a peer is one line");

static struct {
    struct peer *peer;
    uint32_t slots, mask;               /* mask: slots - 1 if that is a power of two, else 0 */
    uint32_t *mail_told, *verdict_told; /* by core and peer: what lx_mailbox_news told the core */
    atomic_ullong waiting[LX_SET];      /* peers that owe a verdict; under the caller's lock */
    atomic_ullong late[LX_SET];         /* peers that are owed late verdicts; the same */
    int peek_next, verdict_next;        /* round-robin; the same */
} box;

int lx_mailbox_attach(void)
{
    size_t n = (size_t)lx.clusters, cores = (size_t)lx.cores;
    uint32_t slots = lx.job->machine.mail_slots;
    box.slots = slots;
    box.mask = (slots & (slots - 1)) == 0 ? slots - 1 : 0;
    box.peer = aligned_alloc(LX_LINE, n * sizeof *box.peer);
    box.mail_told = calloc(n * cores, sizeof *box.mail_told);
    box.verdict_told = calloc(n * cores, sizeof *box.verdict_told);
    atomic_uint *due = calloc(n * slots, sizeof *due);
    if (!due || !box.peer || !box.mail_told || !box.verdict_told)
        return -B_ENOMEM;
    for (int i = 0; i < lx.clusters; i++) {
        box.peer[i] = (struct peer){.out = lx_slots(lx.job, lx.cluster, i),
                                    .in = lx_slots(lx.job, i, lx.cluster),
                                    .due = due + (size_t)i * slots};
    }
    return 0;
}

/* The verdict words that belong to slots. */
static inline atomic_uint *verdicts(struct lx_slot *slots)
{
    return (atomic_uint *)((char *)slots - lx_verdict_bytes(lx.job));
}

static inline uint64_t count(_Atomic(uint64_t) *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static inline void advance(_Atomic(uint64_t) *counter)
{
    atomic_store_explicit(counter, count(counter) + 1, memory_order_relaxed);
}

/* The slot that message number n of a pair uses. */
static inline uint32_t place(uint64_t n)
{
    return box.mask != 0 ? (uint32_t)n & box.mask : (uint32_t)(n % box.slots);
}

static inline int next_of(int peer)
{
    return peer + 1 < lx.clusters ? peer + 1 : 0;
}

/* Changes a set of peers which has one writer at a time. */
static inline void set_member(atomic_ullong *set, int peer, bool in)
{
    atomic_ullong *word = &set[peer / 64];
    uint64_t old = atomic_load_explicit(word, memory_order_relaxed), bit = 1ULL << (peer % 64);
    atomic_store_explicit(word, in ? old | bit : old & ~bit, memory_order_relaxed);
}

/* Whether the oldest unreleased message of a peer is there; its slot and number. */
static inline bool here(struct peer *p, struct lx_slot **slot, uint32_t *number)
{
    uint64_t taken = count(&p->taken);
    *slot = &p->in[place(taken)];
    *number = (uint32_t)(taken + 1);
    if (atomic_load(&(*slot)->flag) != *number)
        return false;
    if (((*slot)->used & LENGTH) > FIRST_DATA) {
        /* Its other lines come while the caller finds out whose message this is. */
        __builtin_prefetch((const char *)*slot + LX_LINE);
        __builtin_prefetch((const char *)*slot + (size_t)2 * LX_LINE);
    }
    return true;
}

static inline uint32_t verdict_word(uint64_t message, int verdict)
{
    return (uint32_t)(message + 1) << 8 | (uint32_t)verdict;
}

/* The verdict of the oldest unanswered message to a peer, or -B_EAGAIN. */
static inline int verdict_look(struct peer *p)
{
    uint64_t answered = count(&p->answered);
    uint32_t number = verdict_word(answered, 0) >> 8, slot = place(answered);
    uint32_t word = atomic_load_explicit(&p->due[slot], memory_order_relaxed);
    if (word >> 8 != number)
        word = atomic_load(&verdicts(p->out)[slot]);
    return word >> 8 == number ? (int)(word & 255) : -B_EAGAIN;
}

/* What rides with a message to a peer, which is told by that. */
static inline uint32_t ride(struct peer *p, int to)
{
    uint32_t late = p->late;
    if (late == 0)
        return 0;
    p->late = 0;
    set_member(box.late, to, false);
    return late << LATE_SHIFT | (uint32_t)p->late_verdict << VERDICT_SHIFT |
           (uint32_t)count(&p->taken) << TAKEN_SHIFT;
}

/* Takes the verdicts that rode with a message. */
static inline void unride(struct peer *p, uint32_t used)
{
    uint32_t late = used >> LATE_SHIFT & LATE;
    if (late == 0)
        return;
    uint64_t answered = count(&p->answered);
    uint64_t more = ((used >> TAKEN_SHIFT) - answered) & TAKEN;
    if (more > count(&p->sent) - answered)
        return; /* they were taken before */
    for (uint64_t n = more > late ? more - late : 0; n < more; n++) {
        atomic_store_explicit(&p->due[place(answered + n)],
                              verdict_word(answered + n, (int)(used >> VERDICT_SHIFT & 255)),
                              memory_order_relaxed);
    }
}

/* Copies by lines of the slot, because a copy of a fixed length is a few instructions. */
static inline void fill(struct lx_slot *slot, const struct hal_mail *m, size_t used, uint32_t rides)
{
    enum { FIRST = HAL_MAIL_HEADER + FIRST_DATA, SECOND = FIRST + LX_LINE };
    const char *from = (const char *)m;
    char *to = (char *)&slot->mail;
    memcpy(to, from, FIRST);
    if (HAL_MAIL_HEADER + used > FIRST)
        memcpy(to + FIRST, from + FIRST, LX_LINE);
    if (HAL_MAIL_HEADER + used > SECOND)
        memcpy(to + SECOND, from + SECOND, sizeof *m - SECOND);
    slot->used = (uint32_t)used | rides;
}

int hal_mailbox_send(int to, const struct hal_mail *m, size_t used)
{
    if (to < 0 || to >= lx.clusters)
        return -B_EHOSTUNREACH;
    if (used > HAL_MAIL_DATA)
        return -B_EINVAL;
    struct peer *p = &box.peer[to];
    uint64_t message = count(&p->sent);
    if (lx_gone(to))
        return -B_EIO;
    if (message - count(&p->answered) >= box.slots)
        return -B_EAGAIN;
    struct lx_slot *slot = &p->out[place(message)];
    fill(slot, m, used, ride(p, to));
    advance(&p->sent);
    set_member(box.waiting, to, true);
    atomic_exchange(&slot->flag, (uint32_t)(message + 1));
    atomic_ullong *mail = lx_cluster(lx.job, to)->mail;
    if (!lx_set_has(mail, lx.cluster))
        lx_set_add(mail, lx.cluster);
    lx_event_poke(lx.job, to);
    return 0;
}

int hal_mailbox_verdict(int to)
{
    if (to < 0 || to >= lx.clusters)
        return -B_EHOSTUNREACH;
    struct peer *p = &box.peer[to];
    if (count(&p->answered) == count(&p->sent))
        return -B_EAGAIN;
    bool dead = lx_gone(to); /* read before the verdict: it may have answered before it went */
    int verdict = verdict_look(p);
    if (verdict == -B_EAGAIN) {
        if (!dead)
            return -B_EAGAIN;
        verdict = -B_EIO;
    }
    advance(&p->answered);
    if (count(&p->answered) == count(&p->sent))
        set_member(box.waiting, to, false);
    return verdict;
}

int hal_mailbox_verdict_any(void)
{
    int first = lx_set_next(box.waiting, lx.clusters, box.verdict_next);
    for (int to = first; to >= 0;) {
        bool dead = lx_gone(to);
        if (verdict_look(&box.peer[to]) >= 0 || dead) {
            box.verdict_next = next_of(to);
            return to;
        }
        to = lx_set_next(box.waiting, lx.clusters, to + 1);
        if (to == first)
            break;
    }
    return -B_EAGAIN;
}

static bool few(atomic_ullong *set)
{
    int n = 0;
    for (int i = 0; i < (lx.clusters + 63) / 64; i++)
        n += __builtin_popcountll(atomic_load_explicit(&set[i], memory_order_relaxed));
    return n <= FEW;
}

/* Nothing of `from` is there: leaves it out from now on if that has been so for a while. Returns
 * true if something came in that moment. */
static bool forget(int from)
{
    atomic_ullong *mail = lx.self->mail;
    struct peer *p = &box.peer[from];
    struct lx_slot *slot;
    uint32_t number;
    if (++p->silent < PATIENCE && few(mail))
        return false;
    p->silent = 0;
    lx_set_remove(mail, from);
    if (!here(p, &slot, &number))
        return false;
    lx_set_add(mail, from);
    return true;
}

const struct hal_mail *hal_mailbox_peek(int *from)
{
    atomic_ullong *mail = lx.self->mail;
    int sender = box.peek_next;
    for (int walked = 0; walked < lx.clusters;) {
        int found = lx_set_next(mail, lx.clusters, sender);
        if (found < 0)
            break;
        walked += (found - sender + lx.clusters) % lx.clusters + 1;
        struct peer *p = &box.peer[found];
        struct lx_slot *slot;
        uint32_t number;
        if (walked <= lx.clusters &&
            (here(p, &slot, &number) || (forget(found) && here(p, &slot, &number)))) {
            p->silent = 0;
            unride(p, slot->used);
            box.mail_told[(size_t)hal_here_core * (size_t)lx.clusters + (size_t)found] = number;
            box.peek_next = next_of(found);
            *from = found;
            return &slot->mail;
        }
        sender = next_of(found);
    }
    return NULL;
}

/* Writes the late verdicts that a peer is owed, in their order. */
static void tell_late(struct peer *p, int from)
{
    if (p->late == 0)
        return;
    for (uint64_t message = count(&p->taken) - p->late; message < count(&p->taken); message++) {
        atomic_store_explicit(&verdicts(p->in)[place(message)],
                              verdict_word(message, p->late_verdict), memory_order_release);
    }
    p->late = 0;
    set_member(box.late, from, false);
    atomic_thread_fence(memory_order_seq_cst);
    lx_event_poke(lx.job, from);
}

/* The peer whose oldest message may be released with that verdict; NULL: there is none. */
static inline struct peer *releasable(int from, int verdict)
{
    struct lx_slot *slot;
    uint32_t number;
    if (from < 0 || from >= lx.clusters || verdict < 0 || verdict > 255)
        return NULL;
    return here(&box.peer[from], &slot, &number) ? &box.peer[from] : NULL;
}

int hal_mailbox_release(int from, int verdict)
{
    struct peer *p = releasable(from, verdict);
    if (!p)
        return -B_EINVAL;
    tell_late(p, from);
    uint64_t message = count(&p->taken);
    advance(&p->taken);
    atomic_exchange(&verdicts(p->in)[place(message)], verdict_word(message, verdict));
    lx_event_poke(lx.job, from);
    return 0;
}

int hal_mailbox_release_late(int from, int verdict)
{
    struct peer *p = releasable(from, verdict);
    if (!p)
        return -B_EINVAL;
    if (p->late_verdict != verdict) {
        tell_late(p, from);
        p->late_verdict = (uint8_t)verdict;
    }
    advance(&p->taken);
    set_member(box.late, from, true);
    if (++p->late >= LATE_MOST || 2 * p->late >= box.slots)
        tell_late(p, from);
    return 0;
}

void hal_mailbox_settle(void)
{
    for (int w = 0; w < (lx.clusters + 63) / 64; w++) {
        for (uint64_t set = atomic_load_explicit(&box.late[w], memory_order_relaxed); set != 0;
             set &= set - 1) {
            int from = w * 64 + __builtin_ctzll(set);
            tell_late(&box.peer[from], from);
        }
    }
}

/* Tells whether `number` differs from what the core was told of `peer`, and notes it. */
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
            if (here(&box.peer[from], &slot, &number))
                any |= tell(box.mail_told, core, from, number);
        }
        for (uint64_t set = atomic_load(&box.waiting[w]); set != 0; set &= set - 1) {
            int to = w * 64 + __builtin_ctzll(set);
            struct peer *p = &box.peer[to];
            if (verdict_look(p) >= 0)
                any |= tell(box.verdict_told, core, to, (uint32_t)count(&p->answered) + 1);
        }
    }
    return any;
}
