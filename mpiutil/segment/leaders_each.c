/* SPDX-License-Identifier: MIT */
/* How few leaders, each with a processor of its own, meet without a gate.
 *
 * Whoever arrives fills in an entry of its slot, says so there, and looks at the slots of all
 * others until they have, too. A slot has two entries, used one after the other: before a leader
 * fills in one again it has seen all others come to the call in between, or to a later one, so
 * nobody reads it any more, as who is at a call reads nothing of one before. Who left a call to
 * which it had not seen all come waits for that. A leader may have left a call before it was there,
 * so entries of leaders may differ, and a leader's is the one that bears the call's number. */

#include <base/fence.h>

#include "progress/progress.h"
#include "segment/leaders.h"

enum { NONE = -1 };

/* In which entry a leader is at the call, probably `entry`; NONE: it is elsewhere. */
static int entry_at(const struct leader_slot *slot, uint32_t at, int entry)
{
    if (atomic_load(&slot->entry[entry].at) == at)
        return entry;
    return atomic_load(&slot->entry[!entry].at) == at ? !entry : NONE;
}

/* The entry in which a leader says where it is: at this call; or at a later one, if it was
 * somewhere else meanwhile, and so differs from the visitor. It stays at that until the visitor has
 * come: if it has been at this call, too, it is found there after it is seen at the later one.
 * NONE: it is to come. */
static int entry_from(const struct leader_slot *slot, uint32_t at, int own)
{
    int entry = entry_at(slot, at, own);
    if (entry != NONE)
        return entry;
    uint32_t latest = leader_latest(slot);
    if (!mpu_later(latest, at))
        return NONE;
    entry = entry_at(slot, at, own);
    return entry != NONE ? entry : entry_at(slot, latest, own);
}

/* All others are here. Whoever has written its entry changes the gate's word if any sleep, as they
 * cannot know which entry it is. */
static mpu_word *not_here(struct mpu_await *a)
{
    struct mpu_segment *s = a->segment;
    struct mpu_leader_wait *w = (struct mpu_leader_wait *)a;
    for (; w->next < s->clusters; w->next++) {
        if (w->next == s->cluster)
            continue;
        int entry = entry_from(&s->shared->slot[w->next], s->last_at, !s->entry);
        if (entry == NONE)
            return &s->shared->gate.opened;
        s->found[w->next] = (uint8_t)entry;
    }
    s->seen_at = s->last_at;
    return NULL;
}

/* All have come to the call before: nobody reads the entry any more that is to be filled in. */
static mpu_word *entry_read(struct mpu_await *a)
{
    struct mpu_segment *s = a->segment;
    struct mpu_leader_wait *w = (struct mpu_leader_wait *)a;
    for (; w->next < s->clusters; w->next++)
        if (mpu_later(s->last_at, leader_latest(&s->shared->slot[w->next])))
            return &s->shared->gate.opened;
    s->seen_at = s->last_at;
    return NULL;
}

static void wake_others(struct mpu_segment *s, const struct mpu_rank *r)
{
    if (!mpu_any_sleeps(s, MPU_FOR_LEADERS))
        return;
    atomic_fetch_add(&s->shared->gate.opened, 1);
    mpu_tell(s, r, MPU_FOR_LEADERS);
}

/* Its own entry may be what others wait for. */
static void before_sleep(struct mpu_await *a)
{
    b_fence();
    wake_others(a->segment, a->rank);
}

static const struct mpu_awaited all_have_read = {MPU_FOR_LEADERS, entry_read, NULL, before_sleep};
static const struct mpu_awaited all_are_here = {MPU_FOR_LEADERS, not_here, NULL, before_sleep};

static bool begin(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct mpu_leader_wait w = {.await = {s, r, v, &all_have_read, NULL, 0}};
    return s->seen_at == s->last_at || mpu_await_word(&w.await);
}

static void come(struct mpu_leader_wait *w)
{
    struct mpu_segment *s = w->await.segment;
    w->await.awaited = &all_are_here;
    w->next = 0;
    w->last_at = s->last_at;
    s->last_at = mpu_at_call(w->await.visit->signature.number);
    s->found[s->cluster] = s->entry; /* not turned yet: leaders_come has filled it in */
    s->entry = !s->entry;
}

/* All were at the call before, which ended well. */
static void withdraw(struct mpu_leader_wait *w)
{
    struct mpu_segment *s = w->await.segment;
    s->entry = !s->entry;
    s->last_at = s->seen_at = w->last_at;
}

/* The gate counts no arrivals here, but was opened for those that slept. */
void mpu_leaders_wipe(struct mpu_segment *s)
{
    mpu_gate_clear(&s->shared->gate);
    for (int i = 0; i < s->clusters && s->each; i++)
        for (int entry = 0; entry < 2; entry++)
            atomic_store_explicit(&s->shared->slot[i].entry[entry].at, 0, memory_order_relaxed);
}

static void wipe(struct mpu_segment *s)
{
    mpu_leaders_wipe(s);
    if (mpu_multicasts_wipe)
        mpu_multicasts_wipe(s);
    if (mpu_channels_wipe)
        mpu_channels_wipe(s);
}

const struct mpu_each mpu_each = {begin, come, withdraw, wake_others, wipe};
