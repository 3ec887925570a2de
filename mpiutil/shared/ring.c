/* SPDX-License-Identifier: MIT */
#include "shared/ring.h"

#include <base/assert.h>
#include <base/mem.h>

static uint32_t entries_in(uint32_t bytes)
{
    uint32_t n = 1;
    while (2 * n * sizeof(struct mpu_entry) <= bytes)
        n *= 2;
    return bytes < sizeof(struct mpu_entry) ? 0 : n;
}

size_t mpu_ring_bytes(uint32_t bytes)
{
    uint32_t n = entries_in(bytes);
    return n ? sizeof(struct mpu_ring) + n * sizeof(struct mpu_entry) : 0;
}

void mpu_ring_init(struct mpu_ring *g, uint32_t bytes)
{
    g->entries = entries_in(bytes);
    b_assert(g->entries > 0 && (g->entries & (g->entries - 1)) == 0);
    mpu_ring_watch(g, 0);
}

/* Producer ------------------------------------------------------------------------------------- */

static inline bool fits(const struct mpu_ring *g, uint32_t tail, uint32_t n, uint32_t head)
{
    return (int32_t)(tail + n - head) <= (int32_t)g->entries;
}

/* Who filled the entries last is done with them, as the consumer has taken them since, and another
 * producer may have been the one who saw that. A tool that watches one process does not see what
 * consumers and producers of other ones do; it is shown here. */
static inline void follow(struct mpu_ring *g, uint32_t at, uint32_t n)
{
    if (!LWMPI_RACES_WATCHED)
        return;
    (void)atomic_load_explicit(&g->head, memory_order_acquire);
    for (uint32_t i = 0; i < n; i++)
        (void)atomic_load_explicit(&mpu_ring_entry(g, at + i)->sequence, memory_order_acquire);
}

bool mpu_ring_claim(struct mpu_ring *g, uint32_t n, uint32_t *at)
{
    b_assert(n > 0);
    uint32_t t = atomic_load_explicit(&g->tail, memory_order_relaxed);
    do {
        if (!fits(g, t, n, atomic_load_explicit(&g->room, memory_order_acquire))) {
            uint32_t head = atomic_load_explicit(&g->head, memory_order_acquire);
            atomic_store_explicit(&g->room, head, memory_order_release);
            if (!fits(g, t, n, head))
                return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&g->tail, &t, t + n, memory_order_relaxed,
                                                    memory_order_relaxed));
    *at = t;
    follow(g, t, n);
    return true;
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* What fills an entry is copied without a call. */
static void copy_more(uint8_t *to, const uint8_t *from, uint32_t n)
{
    if (n == MPU_ENTRY_MORE)
        memcpy(to, from, MPU_ENTRY_MORE);
    else
        memcpy(to, from, n);
}

/* Of a message in the entries from `at` on, the n bytes that the first one has no room for: filled
 * by a producer, or taken. */
static void move_more(struct mpu_ring *g, uint32_t at, uint8_t *data, uint32_t n, bool fill)
{
    for (uint32_t part; n > 0; data += part, n -= part) {
        struct mpu_entry *e = mpu_ring_entry(g, ++at);
        uint8_t *more = (uint8_t *)e + sizeof e->sequence;
        part = least(n, MPU_ENTRY_MORE);
        copy_more(fill ? more : data, fill ? data : more, part);
        if (fill)
            atomic_store_explicit(&e->sequence, at + 1, memory_order_release);
    }
}

void mpu_ring_fill(struct mpu_ring *g, uint32_t at, uint16_t to, unsigned int load,
                   const struct mpu_wire *w, const void *data, uint32_t n)
{
    b_assert(load < MPU_ENTRY_LOADS && n <= UINT16_MAX / MPU_ENTRY_LOADS);
    b_assert(mpu_ring_need(n) <= g->entries);
    struct mpu_entry *first = mpu_ring_entry(g, at);
    uint32_t part = least(n, MPU_ENTRY_DATA);
    move_more(g, at, (uint8_t *)(uintptr_t)data + part, n - part, true);
    first->to = to;
    first->content = (uint16_t)(n * MPU_ENTRY_LOADS + load);
    if (w)
        first->wire = *w;
    if (part) /* else there may be no data at all */
        memcpy(first->data, data, part);
}

/* If the consumer has meanwhile noted that this one waits, it may have done so for a room that was
 * there before *seen was read: then it is told too early, and must enter itself once more. */
bool mpu_ring_want(struct mpu_ring *g, int cluster, uint32_t n, uint32_t *seen)
{
    _Atomic(uintptr_t) *word = &g->wanting[cluster / MPU_RING_BITS];
    uintptr_t bit = (uintptr_t)1 << (cluster % MPU_RING_BITS);
    do {
        atomic_fetch_or(word, bit);
        atomic_store(&g->wanted, 1);
        *seen = atomic_load(&g->head);
    } while (!(atomic_load(word) & bit));
    return !fits(g, atomic_load_explicit(&g->tail, memory_order_relaxed), n, *seen);
}

/* Consumer ------------------------------------------------------------------------------------- */

void mpu_ring_get(struct mpu_ring *g, uint32_t at, void *data, uint32_t n)
{
    b_assert(mpu_ring_due(g, at) && mpu_ring_need(n) <= g->entries);
    uint32_t part = least(n, MPU_ENTRY_DATA);
    memcpy(data, mpu_ring_entry(g, at)->data, part);
    move_more(g, at, (uint8_t *)data + part, n - part, false);
}

/* Those who wait are to be told. forget: they enter themselves anew if they wait once more; who
 * enters itself meanwhile sets `wanted` after it was cleared. */
static void note_wanting(struct mpu_ring *g, bool forget)
{
    if (atomic_load(&g->wanted) == 0)
        return;
    g->any_due = true;
    if (forget)
        atomic_store(&g->wanted, 0);
    for (int i = 0; i < MPU_RING_WORDS; i++)
        g->due[i] |= forget ? atomic_exchange(&g->wanting[i], 0) : atomic_load(&g->wanting[i]);
}

/* `head` before `wanted`, both sequentially consistent, and producers the other way round: either
 * the producer sees the room, or the consumer that it is wanted. Whoever is told looks whether
 * `head` has changed, so who waits may only be forgotten before it does: else a producer could have
 * seen the new head, and found that others had filled the room, be told too early, and never
 * again. */
void mpu_ring_taken(struct mpu_ring *g, uint32_t at)
{
    b_assert((int32_t)(at - atomic_load_explicit(&g->head, memory_order_relaxed)) >= 0);
    note_wanting(g, true);
    atomic_store(&g->head, at);
    note_wanting(g, false);
}

int mpu_ring_wanted(struct mpu_ring *g)
{
    for (int i = 0; g->any_due && i < MPU_RING_WORDS; i++)
        if (g->due[i]) {
            int bit = __builtin_ctzl(g->due[i]);
            g->due[i] &= g->due[i] - 1;
            return MPU_RING_BITS * i + bit;
        }
    g->any_due = false;
    return -1;
}
