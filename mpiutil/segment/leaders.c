/* SPDX-License-Identifier: MIT */
/* Meetings of leaders, in memory that all clusters share (sys/k_board.h):
 *
 *     | table: lock, keys | meeting 0 | meeting 1 | ...
 *
 * A key says which communicator meets where. It is found by the communicator's context and the
 * world rank of its first member, which no two have in common at a time; so the ranks need not
 * agree by messages. A communicator for which no meeting was free has a key, too, that says so to
 * all of its ranks. When a rank frees the communicator its context may become another one's, so the
 * key is closed to those who look, and lives on until all who found it have left.
 *
 * Whoever arrives counts itself after it filled in its slot, so the last one sees them all; it
 * opens the gate after it wrote the result, and tells those that sleep. A leader has its bell rung
 * when `opened` changes. */
#include <base/mem.h>
#include <sys/k_board.h>

#include "progress/progress.h"
#include "segment/cluster.h"

/* Keys, meetings at most; how often a leader lets others run before it goes to sleep: who sleeps
 * has to be woken, which takes longer than a turn of one that looks and finds nothing. */
enum { KEYS = 4096, MEETINGS = 32, PASSES = 4 };
enum { NONE = -1 };

struct key {
    uint32_t context;
    int32_t first;   /* world rank */
    uint32_t users;  /* clusters; 0: the key is free */
    int16_t meeting; /* or NONE */
    int16_t open;    /* can be found */
};

/* All but the lock is under it. */
struct table {
    _Alignas(KERN_LINE) _Atomic uint32_t lock;
    uint32_t used; /* keys above were never used */
    uint32_t full; /* there was no free key once: from then on none is given */
    uint64_t busy; /* meetings, as bits */
    struct key key[KEYS];
};
_Static_assert(MEETINGS <= 64, "a bit for each");

struct leader_slot {
    _Alignas(KERN_LINE) struct mpu_signature said;
    _Atomic uint32_t at;     /* 1 + number of the call that its leader is at; 0: none */
    _Atomic uint32_t asleep; /* its leader must be told of the release; both read at any time */
    _Alignas(16) uint8_t
        operand[2][MPU_SEGMENT_HEAD + MPU_SEGMENT_BYTES]; /* by parity of the release before */
};

struct mpu_leaders {
    struct mpu_gate gate;
    struct mpu_outcome outcome;
    _Alignas(16) uint8_t result[MPU_SEGMENT_BYTES];
    struct leader_slot slot[]; /* by cluster, as the segments number them */
};

static size_t meeting_bytes(int clusters)
{
    return sizeof(struct mpu_leaders) + (size_t)clusters * sizeof(struct leader_slot);
}

size_t mpu_leaders_bytes(int clusters)
{
    return sizeof(struct table) + MEETINGS * meeting_bytes(clusters);
}

bool mpu_leaders_may_meet(void)
{
    const struct mpu_cluster *c = mpu_cluster();
    return c->board.bytes >= mpu_leaders_bytes(c->info.clusters);
}

static struct table *table(void)
{
    return mpu_cluster()->board.at;
}

static struct mpu_leaders *meeting_at(int number)
{
    uint8_t *first = (uint8_t *)(table() + 1);
    return (struct mpu_leaders *)(first +
                                  (size_t)number * meeting_bytes(mpu_cluster()->info.clusters));
}

/* Held for a look through the keys. */
static struct table *lock(void)
{
    struct table *t = table();
    while (atomic_exchange_explicit(&t->lock, 1, memory_order_acquire))
        k_relax(0);
    return t;
}

static void unlock(struct table *t)
{
    atomic_store_explicit(&t->lock, 0, memory_order_release);
}

static int free_meeting(struct table *t)
{
    for (int i = 0; i < MEETINGS; i++)
        if (!(t->busy >> i & 1)) {
            t->busy |= UINT64_C(1) << i;
            return i;
        }
    return NONE;
}

/* The key that is open to those who look for it, or a new one; NONE. */
static int find(struct table *t, uint32_t context, int first)
{
    uint32_t at = t->used;
    for (uint32_t i = t->used; i-- > 0;) {
        const struct key *k = &t->key[i];
        if (k->users && k->open && k->context == context && k->first == first)
            return (int)i;
        at = k->users ? at : i;
    }
    t->full |= at == KEYS;
    if (t->full)
        return NONE;
    t->used += at == t->used;
    t->key[at] = (struct key){context, first, 0, (int16_t)free_meeting(t), true};
    return (int)at;
}

/* Whether each leader is the first rank of its core: ranks are dealt out to the cores of a cluster
 * in turn (svc/spawn.h). */
static bool have_rooms(const struct mpu_rank *r, const struct mpu_segment *s)
{
    const struct mpu_cluster *c = r->cluster;
    for (int i = 0; i < s->clusters; i++) {
        struct mpu_endpoint e = c->endpoint[s->leaders[i]];
        if (e.core != c->info.user_core + e.local)
            return false;
    }
    return true;
}

void mpu_leaders_join(const struct mpu_rank *r, struct mpu_segment *s)
{
    s->key = NONE;
    s->rooms = false;
    if (s->clusters == 1 || !r->cluster->info.oversubscribed || !mpu_leaders_may_meet())
        return;
    struct table *t = lock();
    s->key = find(t, s->context, s->leaders[0]);
    if (s->key != NONE) {
        struct key *k = &t->key[s->key];
        k->users++;
        s->shared = k->meeting == NONE ? NULL : meeting_at(k->meeting);
        s->rooms = s->shared && have_rooms(r, s);
    }
    unlock(t);
}

void mpu_leaders_close(struct mpu_segment *s)
{
    if (s->key == NONE)
        return;
    struct table *t = lock();
    t->key[s->key].open = false;
    unlock(t);
}

void mpu_leaders_leave(struct mpu_segment *s)
{
    if (s->key == NONE)
        return;
    struct table *t = lock();
    struct key *k = &t->key[s->key];
    if (--k->users == 0 && k->meeting != NONE)
        t->busy &= ~(UINT64_C(1) << k->meeting);
    unlock(t);
}

/* Meeting -------------------------------------------------------------------------------------- */

struct waiting {
    struct mpu_leaders *at;
    struct mpu_visit *visit;
    uint32_t seen, clusters;
};

static bool passed(void *arg)
{
    const struct waiting *w = arg;
    struct mpu_visit *v = w->visit;
    if (mpu_gate_passed(&w->at->gate, w->seen))
        return true;
    v->left = v->cancelled && v->cancelled(v->arg) &&
              mpu_gate_retract(&w->at->gate, w->seen, w->clusters);
    return v->left;
}

/* It says that it sleeps before the word is looked at once more (k_board_watch); who opens the gate
 * changes the word before it looks who sleeps. */
static void sleep_until_passed(struct leader_slot *slot, struct mpu_rank *r, struct waiting *w)
{
    struct k_watch watch = {
        .word = &w->at->gate.opened, .value = w->seen, .bits = MPU_RUNG, .bell = &r->bell};
    atomic_store(&slot->asleep, 1);
    k_board_watch(&watch);
    mpu_until(r, passed, w);
    k_board_forget(&watch);
    atomic_store_explicit(&slot->asleep, 0, memory_order_relaxed);
}

enum mpu_met mpu_leaders_arrive(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v,
                                const void *operand, uint64_t n)
{
    struct mpu_leaders *l = s->shared;
    struct leader_slot *slot = &l->slot[s->cluster];
    struct waiting w = {l, v, mpu_gate_releases(&l->gate), (uint32_t)s->clusters};
    slot->said = v->said;
    s->parity = w.seen % 2;
    if (n)
        memcpy(slot->operand[s->parity], operand, n);
    atomic_store(&slot->at, v->said.number + 1);
    mpu_poll(r);
    v->left = v->cancelled && v->cancelled(v->arg);
    if (!v->left && mpu_gate_arrive(&l->gate, w.seen, w.clusters))
        return MPU_CLOSES;
    for (int i = 0; i < PASSES && !v->left && !mpu_gate_passed(&l->gate, w.seen); i++)
        k_relax(0);
    if (!v->left && !mpu_gate_passed(&l->gate, w.seen))
        sleep_until_passed(slot, r, &w);
    atomic_store_explicit(&slot->at, 0, memory_order_release);
    return v->left ? MPU_LEFT : MPU_RELEASED;
}

bool mpu_leaders_alike(const struct mpu_segment *s, struct mpu_outcome *o)
{
    *o = mpu_outcome_of(&s->shared->slot[0].said);
    for (int i = 1; i < s->clusters; i++)
        mpu_outcome_compare(o, &s->shared->slot[i].said);
    return o->agreed;
}

const void *mpu_leaders_given(const struct mpu_segment *s, int i)
{
    return s->shared->slot[i].operand[s->parity];
}

void mpu_leaders_release(struct mpu_segment *s, const struct mpu_rank *r,
                         const struct mpu_outcome *o)
{
    struct mpu_leaders *l = s->shared;
    l->outcome = *o;
    atomic_store_explicit(&l->slot[s->cluster].at, 0, memory_order_relaxed);
    mpu_gate_open(&l->gate);
    for (int i = 0; i < s->clusters; i++)
        if (atomic_load(&l->slot[i].asleep))
            k_board_tell(r->cluster->endpoint[s->leaders[i]].cluster);
}

void mpu_leaders_meet(struct mpu_segment *s, struct mpu_rank *r, const struct mpu_visit *v)
{
    struct mpu_visit again = {.said = v->said};
    const struct mpu_outcome o = s->shared->outcome;
    if (mpu_leaders_arrive(s, r, &again, NULL, 0) == MPU_CLOSES)
        mpu_leaders_release(s, r, &o);
}

struct mpu_room *mpu_leaders_room(const struct mpu_segment *s, int i, int number)
{
    const struct mpu_cluster *c = mpu_cluster();
    const struct mpu_endpoint *e = &c->endpoint[s->leaders[i]];
    return mpu_place_room(&c->places, mpu_place_number(&c->places, e->cluster, e->core), number);
}

uint64_t mpu_leaders_room_bytes(void)
{
    return mpu_cluster()->places.room;
}

void *mpu_leaders_result(struct mpu_segment *s)
{
    return s->shared->result;
}

const struct mpu_outcome *mpu_leaders_outcome(const struct mpu_segment *s)
{
    return &s->shared->outcome;
}

int mpu_leaders_missing(const struct mpu_segment *s, uint32_t number, int *i)
{
    while (*i < s->clusters) {
        uint32_t at = atomic_load(&s->shared->slot[*i].at);
        int leader = s->leaders[(*i)++];
        if (at != number + 1)
            return leader;
    }
    return -1;
}

/* Those who are leaving are awake, and need no word from here. */
void mpu_leaders_clear(struct mpu_segment *s, struct mpu_rank *r, uint32_t number)
{
    for (int i = 0; i < s->clusters;) {
        uint32_t at = atomic_load(&s->shared->slot[i].at);
        bool behind = at && (int32_t)(at - (number + 1)) < 0;
        if (!behind || i == s->cluster)
            i++;
        else if (!mpu_poll(r))
            mpu_yield(r);
    }
}
