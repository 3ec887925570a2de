/* SPDX-License-Identifier: MIT */
/* Sync: for each pair of clusters a ring of words that only the sender writes, and the receiver's
 * count of words taken. Same idea as the mailbox; the set of senders with words is exact, since
 * sync words are few. */
#include "port.h"

#include <stdlib.h>

#include <base/error.h>
#include <hal/lock.h>
#include <hal/sync.h>

static struct {
    struct hal_lock lock; /* guards all below: calls come from several cores */
    uint64_t *sent;       /* by receiver */
    uint64_t *taken;      /* by sender */
    int next;             /* round-robin */
} sync;

int lx_sync_attach(void)
{
    hal_lock_init(&sync.lock, "sync");
    sync.sent = calloc((size_t)lx.clusters, sizeof *sync.sent);
    sync.taken = calloc((size_t)lx.clusters, sizeof *sync.taken);
    return !sync.sent || !sync.taken ? -B_ENOMEM : 0;
}

static int put(int to, uint64_t word)
{
    struct lx_link *link = lx_link(lx.job, lx.cluster, to);
    uint32_t slots = lx.job->machine.sync_slots;
    uint64_t number = sync.sent[to];
    if (number - atomic_load(&link->taken) >= slots) {
        /* Ask for an event, then look again: the receiver counts, then reads the wish. */
        atomic_store(&link->starved, 1);
        if (number - atomic_load(&link->taken) >= slots)
            return -B_EAGAIN;
    }
    struct lx_word *w = &lx_words(lx.job, lx.cluster, to)[number % slots];
    atomic_store_explicit(&w->word, word, memory_order_relaxed);
    sync.sent[to] = number + 1;
    atomic_store(&w->flag, (uint32_t)(number + 1));
    return 0;
}

int hal_sync_signal(int to, uint64_t word)
{
    if (to < 0 || to >= lx.clusters)
        return -B_EHOSTUNREACH;
    if (lx_gone(to))
        return -B_EIO;
    hal_lock(&sync.lock);
    int rc = put(to, word);
    hal_unlock(&sync.lock);
    if (rc == 0) {
        lx_set_add(lx_cluster(lx.job, to)->words, lx.cluster);
        lx_event_news(lx.job, to);
    }
    return rc;
}

/* The oldest word of `from`, NULL if there is none. */
static struct lx_word *oldest(int from)
{
    uint64_t taken = sync.taken[from];
    struct lx_word *w = &lx_words(lx.job, from, lx.cluster)[taken % lx.job->machine.sync_slots];
    return atomic_load(&w->flag) == (uint32_t)(taken + 1) ? w : NULL;
}

static int look(int *from, uint64_t *word)
{
    atomic_ullong *words = lx.self->words;
    for (;;) {
        int sender = lx_set_next(words, lx.clusters, sync.next);
        if (sender < 0)
            return -B_EAGAIN;
        struct lx_word *w = oldest(sender);
        if (!w) {
            /* Out of the set, then look again: a sender writes its word before it enters. */
            lx_set_remove(words, sender);
            w = oldest(sender);
            if (!w)
                continue;
            lx_set_add(words, sender);
        }
        sync.next = sender + 1;
        *from = sender;
        *word = atomic_load_explicit(&w->word, memory_order_relaxed);
        return 0;
    }
}

int hal_sync_peek(int *from, uint64_t *word)
{
    if (lx_set_next(lx.self->words, lx.clusters, 0) < 0)
        return -B_EAGAIN; /* as nearly always */
    hal_lock(&sync.lock);
    int rc = look(from, word);
    hal_unlock(&sync.lock);
    return rc;
}

int hal_sync_release(int from)
{
    if (from < 0 || from >= lx.clusters)
        return -B_EINVAL;
    hal_lock(&sync.lock);
    bool there = oldest(from) != NULL;
    sync.taken[from] += there;
    uint64_t taken = sync.taken[from];
    struct lx_link *link = lx_link(lx.job, from, lx.cluster);
    atomic_store(&link->taken, taken);
    hal_unlock(&sync.lock);
    if (!there)
        return -B_EINVAL;
    if (atomic_load(&link->starved) != 0 && atomic_exchange(&link->starved, 0) != 0)
        lx_event_news(lx.job, from);
    return 0;
}
