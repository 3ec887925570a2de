/* SPDX-License-Identifier: MIT */
/* Virtual syncs: sys/k_sync.h. A signal is one word of the control NoC, the hash of the sync.
 * Signals are counted per sender: in the sync if it exists, else in the latch table; if that is
 * full the word stays where it is, and its sender's words behind it too, until a sync is created
 * that takes it. */
#include "ikc/internal.h"

#include <base/assert.h>
#include <base/error.h>
#include <base/mem.h>
#include <hal/clock.h>
#include <hal/event.h>
#include <hal/power.h>
#include <hal/sync.h>
#include <kernel/call.h>
#include <kernel/cluster.h>
#include <sys/k_sync.h>

/* One round of a mixing function: xor-shift and odd multiplications, each a bijection. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    return x;
}

/* docs/wire.md fixes it: the master counts by its place, the others by being there. */
static uint64_t hash_of(enum k_sync_type type, const int *nodes, int n)
{
    uint64_t h = mix((uint64_t)type + 1) + mix((uint64_t)(uint32_t)nodes[0] + 0x100000);
    for (int i = 1; i < n; i++)
        h += mix((uint64_t)(uint32_t)nodes[i] + 0x200000);
    return mix(h);
}

static struct b_bitmap members(const struct kern_ikc *k, const struct kern_sync *s)
{
    return (struct b_bitmap){.words = s->member, .bits = (uint32_t)k->clusters};
}

static uint32_t latch_count(const struct hal_machine *m)
{
    uint32_t n = 4 * m->syncs;
    return n < KERN_SYNC_LATCHES_MAX ? n : KERN_SYNC_LATCHES_MAX;
}

size_t kern_sync_bytes(const struct hal_machine *m, uint32_t words, int clusters)
{
    size_t one = sizeof(struct kern_sync) + words * sizeof(uint64_t);
    size_t counts = ((size_t)clusters * sizeof(uint16_t) + 7) & ~(size_t)7;
    return 2 * m->syncs * (one + counts) + latch_count(m) * sizeof(struct kern_latch);
}

void kern_sync_init(struct kern_ikc *k, void *memory)
{
    uint32_t n = k->machine->syncs;
    size_t counts = ((size_t)k->clusters + 3) & ~(size_t)3;
    k->sync_in = memory;
    k->sync_out = k->sync_in + n;
    uint64_t *words = (uint64_t *)(k->sync_out + n);
    uint16_t *count = (uint16_t *)(words + 2 * (size_t)n * k->words);
    for (uint32_t i = 0; i < 2 * n; i++) {
        struct kern_sync *s = &k->sync_in[i];
        kern_object_init(k, &s->o, K_SYNC, i < n ? KERN_IN : KERN_OUT, (int)(i < n ? i : i - n));
        s->member = words + (size_t)i * k->words;
        s->count = count + i * counts;
    }
    k->latch = (struct kern_latch *)(count + 2 * n * counts);
    k->latches = latch_count(k->machine);
}

/* Signals that arrive -------------------------------------------------------------------------- */

/* With `done` held: counts a signal. False: it stays in the network. */
static bool count_signal(struct kern_ikc *k, struct kern_sync *s, int from, uint32_t times)
{
    struct b_bitmap m = members(k, s);
    if (!b_bitmap_test(&m, (uint32_t)from))
        return true; /* nobody of this sync: not a signal */
    if (s->count[from] + times > UINT16_MAX)
        return false;
    b_assert(s->count[from] > 0 || s->missing > 0);
    if (s->count[from] == 0)
        s->missing--;
    s->count[from] = (uint16_t)(s->count[from] + times);
    if (s->missing == 0)
        kern_wake(&s->o.wait, (int)k->machine->threads);
    return true;
}

static bool latch(struct kern_ikc *k, int from, uint64_t word)
{
    struct kern_latch *free = NULL;
    for (uint32_t i = 0; i < k->latches; i++) {
        struct kern_latch *l = &k->latch[i];
        if (l->count == 0) {
            free = free ? free : l;
        } else if (l->hash == word && l->from == from) {
            bool room = l->count < UINT16_MAX;
            l->count += room;
            return room;
        }
    }
    if (free)
        *free = (struct kern_latch){word, (uint16_t)from, 1};
    return free != NULL;
}

static struct kern_sync *sync_of(struct kern_ikc *k, struct kern_sync *table, uint64_t hash)
{
    for (uint32_t i = 0; i < k->machine->syncs; i++)
        if (table[i].o.used && table[i].hash == hash)
            return &table[i];
    return NULL;
}

static bool arrivals(struct kern_ikc *k)
{
    bool any = false;
    int from, stuck = 0;
    uint64_t word;
    while (stuck < k->clusters && hal_sync_peek(&from, &word) == 0) {
        struct kern_sync *s = sync_of(k, k->sync_in, word);
        hal_lock(&k->done);
        bool taken = s ? count_signal(k, s, from, 1) : latch(k, from, word);
        hal_unlock(&k->done);
        if (taken) {
            hal_sync_release(from);
            any = true;
        } else {
            stuck++;
        }
    }
    return any;
}

/* Signals to send ------------------------------------------------------------------------------ */

static void settle(struct kern_ikc *k, struct kern_sync *s, int node, uint32_t times)
{
    hal_lock(&k->done);
    b_assert(s->count[node] >= times && s->missing >= times && k->owing > 0);
    s->count[node] = (uint16_t)(s->count[node] - times);
    s->missing -= times;
    if (s->missing == 0) {
        k->owing--;
        kern_wake(&s->o.wait, (int)k->machine->threads);
    }
    hal_unlock(&k->done);
}

/* Sends what the network takes. */
static bool send(struct kern_ikc *k, struct kern_sync *s)
{
    struct b_bitmap m = members(k, s);
    bool any = false;
    for (int n = b_bitmap_next(&m, 0); n >= 0; n = b_bitmap_next(&m, (uint32_t)n + 1)) {
        while (s->count[n] > 0) {
            int r = kern_dead(k, n) ? -B_EIO : hal_sync_signal(n, s->hash);
            if (r == -B_EAGAIN || (r < 0 && !kern_dead(k, n)))
                break;
            if (r < 0)
                s->error = -B_EIO;
            settle(k, s, n, r < 0 ? s->count[n] : 1);
            any = true;
        }
    }
    return any;
}

bool kern_sync_poll(struct kern_ikc *k)
{
    bool any = arrivals(k);
    for (uint32_t i = 0; k->owing > 0 && i < k->machine->syncs; i++) {
        struct kern_sync *s = &k->sync_out[i];
        any |= s->o.used && s->missing > 0 && send(k, s);
    }
    return any;
}

void kern_sync_bury(struct kern_ikc *k, int node)
{
    for (uint32_t i = 0; i < k->machine->syncs; i++) {
        struct kern_sync *s = &k->sync_in[i];
        struct b_bitmap m = members(k, s);
        hal_lock(&k->done);
        if (s->o.used && b_bitmap_test(&m, (uint32_t)node) && s->count[node] == 0) {
            s->error = -B_EIO;
            kern_wake(&s->o.wait, (int)k->machine->threads);
        }
        hal_unlock(&k->done);
    }
}

/* Waiting -------------------------------------------------------------------------------------- */

static void consume(struct kern_ikc *k, struct kern_sync *s)
{
    struct b_bitmap m = members(k, s);
    for (int n = b_bitmap_next(&m, 0); n >= 0; n = b_bitmap_next(&m, (uint32_t)n + 1)) {
        if (s->count[n]-- == UINT16_MAX)
            hal_event_notify(0); /* a signal may have stayed in the network for want of room here */
        if (s->count[n] == 0) {
            s->missing++;
            if (hal_power_ended(n))
                s->error = -B_EIO; /* for the next wait */
        }
    }
    s->o.count++;
    k->stat[K_SYNC][K_STAT_WAITS]++;
}

long kern_sync_result(struct kern_ikc *k, struct kern_object *o, bool take)
{
    struct kern_sync *s = b_container(o, struct kern_sync, o);
    long error = s->error;
    if (s->missing > 0 && (error == 0 || o->role == KERN_OUT))
        return -B_EAGAIN;
    if (o->role == KERN_OUT) {
        if (take)
            s->error = 0;
        return error;
    }
    if (s->missing > 0)
        return error;
    if (take)
        consume(k, s);
    return 0;
}

/* Kernel calls --------------------------------------------------------------------------------- */

/* Checks the list; the calling cluster must be the master if `master`, else one of the others. */
static long check(const struct kern_ikc *k, const int *nodes, long n, long type, bool master)
{
    if (!nodes || n < 2 || n > k->clusters || (type != K_ONE_TO_ALL && type != K_ALL_TO_ONE))
        return -B_EINVAL;
    uint64_t words[B_BITMAP_WORDS(HAL_CLUSTERS_MAX)];
    struct b_bitmap seen;
    b_bitmap_init(&seen, words, (uint32_t)k->clusters);
    for (long i = 0; i < n; i++) {
        if (nodes[i] < 0 || nodes[i] >= k->clusters || b_bitmap_test(&seen, (uint32_t)nodes[i]))
            return -B_EINVAL;
        b_bitmap_set(&seen, (uint32_t)nodes[i]);
    }
    bool mine = master ? nodes[0] == k->self
                       : nodes[0] != k->self && b_bitmap_test(&seen, (uint32_t)k->self);
    return mine ? 0 : -B_EINVAL;
}

/* Signals that came before the sync. */
static void unlatch(struct kern_ikc *k, struct kern_sync *s)
{
    for (uint32_t i = 0; i < k->latches; i++) {
        struct kern_latch *l = &k->latch[i];
        if (l->count > 0 && l->hash == s->hash)
            l->count = count_signal(k, s, l->from, l->count) ? 0 : l->count;
    }
}

/* The others of the list are members: of an input those who signal, of an output those
 * signalled. */
static void set_up(struct kern_ikc *k, struct kern_sync *s, const int *nodes, int n,
                   enum k_sync_type type, uint64_t hash)
{
    bool in = s->o.role == KERN_IN;
    bool many = (type == K_ALL_TO_ONE) == in;
    struct b_bitmap m = members(k, s);
    b_bitmap_init(&m, s->member, (uint32_t)k->clusters);
    memset(s->count, 0, (size_t)k->clusters * sizeof *s->count);
    for (int i = many ? 1 : 0; i < (many ? n : 1); i++)
        b_bitmap_set(&m, (uint32_t)nodes[i]);
    s->hash = hash;
    s->refs = 0;
    s->error = 0;
    s->members = (uint16_t)b_bitmap_count(&m);
    s->missing = in ? s->members : 0;
}

static void note_the_dead(struct kern_ikc *k, struct kern_sync *s)
{
    struct b_bitmap m = members(k, s);
    for (int n = b_bitmap_next(&m, 0); n >= 0; n = b_bitmap_next(&m, (uint32_t)n + 1))
        if (s->count[n] == 0 && kern_dead(k, n))
            s->error = -B_EIO;
}

static long attach(struct kern_ikc *k, enum kern_role role, const int *nodes, long n, long type)
{
    struct kern_sync *table = role == KERN_IN ? k->sync_in : k->sync_out;
    long r = check(k, nodes, n, type, (type == K_ALL_TO_ONE) == (role == KERN_IN));
    if (r < 0)
        return r;
    uint64_t hash = hash_of((enum k_sync_type)type, nodes, (int)n);
    struct kern_sync *s = sync_of(k, table, hash);
    bool fresh = !s;
    if (fresh) {
        r = kern_object_choose(k, K_SYNC, role, K_ANY, k->machine->syncs);
        if (r < 0)
            return r;
        s = &table[r];
        set_up(k, s, nodes, (int)n, (enum k_sync_type)type, hash);
        s->id = kern_object_open(k, &s->o);
        if (role == KERN_IN) {
            hal_lock(&k->done);
            unlatch(k, s);
            note_the_dead(k, s);
            hal_unlock(&k->done);
            arrivals(k); /* what found no latch */
        }
    }
    s->refs++;
    kern_stat_add(k, K_SYNC, role == KERN_IN ? K_STAT_CREATES : K_STAT_OPENS, 1);
    return s->id;
}

/* Signals that nobody waited for outlive the input, for the next one that is created. False: there
 * are not enough latches for them, and the input keeps them all. */
static bool relatch(struct kern_ikc *k, struct kern_sync *s)
{
    struct b_bitmap m = members(k, s);
    for (int n = b_bitmap_next(&m, 0); n >= 0; n = b_bitmap_next(&m, (uint32_t)n + 1)) {
        for (; s->count[n] > 0; s->count[n]--) {
            if (!latch(k, n, s->hash)) {
                unlatch(k, s);
                return false;
            }
            s->missing += s->count[n] == 1;
        }
    }
    return true;
}

static long detach(struct kern_ikc *k, enum kern_role role, long id)
{
    struct kern_object *o = kern_object_find(k, K_SYNC, id);
    if (!o || o->role != role)
        return -B_EBADF;
    struct kern_sync *s = b_container(o, struct kern_sync, o);
    hal_lock(&k->done);
    bool busy = role == KERN_OUT ? s->missing > 0 : s->refs == 1 && !relatch(k, s);
    hal_unlock(&k->done);
    if (busy)
        return -B_EBUSY;
    kern_stat_add(k, K_SYNC, role == KERN_IN ? K_STAT_UNLINKS : K_STAT_CLOSES, 1);
    b_assert(s->refs > 0);
    if (--s->refs == 0)
        kern_object_close(k, o);
    return 0;
}

long kern_sys_sync_create(long nodes, long n, long type, long a3, long a4)
{
    (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    long r = attach(k, KERN_IN, (const int *)nodes, n, type);
    hal_unlock(&k->lock);
    return r;
}

long kern_sys_sync_open(long nodes, long n, long type, long a3, long a4)
{
    (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    long r = attach(k, KERN_OUT, (const int *)nodes, n, type);
    hal_unlock(&k->lock);
    return r;
}

long kern_sys_sync_unlink(long id, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    long r = detach(k, KERN_IN, id);
    hal_unlock(&k->lock);
    return r;
}

long kern_sys_sync_close(long id, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    long r = detach(k, KERN_OUT, id);
    hal_unlock(&k->lock);
    return r;
}

/* One more signal is owed to every member; false: the network refuses for so long that the
 * counts are full. */
static bool owe(struct kern_ikc *k, struct kern_sync *s)
{
    struct b_bitmap m = members(k, s);
    for (int n = b_bitmap_next(&m, 0); n >= 0; n = b_bitmap_next(&m, (uint32_t)n + 1))
        if (s->count[n] == UINT16_MAX)
            return false;
    hal_lock(&k->done);
    k->owing += s->missing == 0;
    for (int n = b_bitmap_next(&m, 0); n >= 0; n = b_bitmap_next(&m, (uint32_t)n + 1))
        s->count[n]++;
    s->missing += s->members;
    s->o.count++;
    k->stat[K_SYNC][K_STAT_SIGNALS]++;
    hal_unlock(&k->done);
    return true;
}

long kern_sys_sync_signal(long id, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    struct kern_object *o = kern_object_find(k, K_SYNC, id);
    long r = !o || o->role != KERN_OUT ? -B_EBADF : 0;
    struct kern_sync *s = r == 0 ? b_container(o, struct kern_sync, o) : NULL;
    if (r == 0 && !owe(k, s))
        r = -B_EBUSY;
    if (r == 0) {
        send(k, s);
        hal_lock(&k->done);
        r = s->missing > 0 ? 1 : kern_sync_result(k, o, true);
        hal_unlock(&k->done);
    }
    hal_unlock(&k->lock);
    return r;
}

long kern_sys_sync_control(long id, long what, long a, long b, long a4)
{
    (void)a4;
    return what == K_CONTROL_STAT
               ? kern_stat_read(kern_cluster()->ikc, K_SYNC, id, a, (uint64_t *)b)
               : -B_EINVAL;
}
