/* SPDX-License-Identifier: MIT */
/* Sync: for each pair of clusters a ring of words that only the sender writes, and the receiver's
 * count of words taken. Same idea as the mailbox; the set of senders with words is exact, since sync
 * words are few. */
#include "port.h"

#include <stdlib.h>

#include <base/error.h>
#include <hal/sync.h>

static struct {
    uint64_t *sent;  /* by receiver */
    uint64_t *taken; /* by sender */
    int next;        /* round-robin */
} sync;

int lx_sync_attach(void)
{
    sync.sent = calloc((size_t)lx.clusters, sizeof *sync.sent);
    sync.taken = calloc((size_t)lx.clusters, sizeof *sync.taken);
    return sync.sent == NULL || sync.taken == NULL ? -B_ENOMEM : 0;
}

int hal_sync_signal(int to, uint64_t word)
{
    if (to < 0 || to >= lx.clusters) {
        return -B_EHOSTUNREACH;
    }
    if (lx_gone(to)) {
        return -B_EIO;
    }
    struct lx_link *link = lx_link(lx.job, lx.cluster, to);
    uint32_t slots = lx.job->machine.sync_slots;
    uint64_t number = sync.sent[to];
    if (number - atomic_load(&link->taken) >= slots) {
        /* Ask for an event, then look again: the receiver counts, then reads the wish. */
        atomic_store(&link->starved, 1);
        if (number - atomic_load(&link->taken) >= slots) {
            return -B_EAGAIN;
        }
    }
    struct lx_word *w = &lx_words(lx.job, lx.cluster, to)[number % slots];
    atomic_store_explicit(&w->word, word, memory_order_relaxed);
    sync.sent[to] = number + 1;
    atomic_store(&w->flag, (uint32_t)(number + 1));
    lx_set_add(lx_cluster(lx.job, to)->words, lx.cluster);
    lx_event_news(lx.job, to);
    return 0;
}

/* The oldest word of `from`, NULL if there is none. */
static struct lx_word *oldest(int from)
{
    uint64_t taken = sync.taken[from];
    struct lx_word *w = &lx_words(lx.job, from, lx.cluster)[taken % lx.job->machine.sync_slots];
    return atomic_load(&w->flag) == (uint32_t)(taken + 1) ? w : NULL;
}

int hal_sync_peek(int *from, uint64_t *word)
{
    atomic_ullong *words = lx.self->words;
    for (;;) {
        int sender = lx_set_next(words, lx.clusters, sync.next);
        if (sender < 0) {
            return -B_EAGAIN;
        }
        struct lx_word *w = oldest(sender);
        if (w == NULL) {
            /* Out of the set, then look again: a sender writes its word before it enters the set. */
            lx_set_remove(words, sender);
            w = oldest(sender);
            if (w == NULL) {
                continue;
            }
            lx_set_add(words, sender);
        }
        sync.next = sender + 1;
        *from = sender;
        *word = atomic_load_explicit(&w->word, memory_order_relaxed);
        return 0;
    }
}

int hal_sync_release(int from)
{
    if (from < 0 || from >= lx.clusters || oldest(from) == NULL) {
        return -B_EINVAL;
    }
    struct lx_link *link = lx_link(lx.job, from, lx.cluster);
    sync.taken[from]++;
    atomic_store(&link->taken, sync.taken[from]);
    if (atomic_load(&link->starved) != 0 && atomic_exchange(&link->starved, 0) != 0) {
        lx_event_news(lx.job, from);
    }
    return 0;
}
