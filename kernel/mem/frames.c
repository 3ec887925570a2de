/* SPDX-License-Identifier: MIT */
/* Page frames: a bitmap of the frames in use and one of the frames where an allocation starts,
 * so that only what was given can be given back. Memory charged for stacks has no place here but
 * counts. */
#include <base/error.h>
#include <base/mem.h>
#include <hal/trace.h>
#include <hal/user.h>
#include <hal/work.h>
#include <kernel/call.h>
#include <kernel/cluster.h>
#include <kernel/mem.h>

#include "layout.h"

static size_t frames_for(const struct kern_frames *f, size_t n)
{
    return n / f->page + (n % f->page != 0);
}

static size_t in_use(const struct kern_frames *f)
{
    return f->pools + (f->taken + f->charged) * f->page;
}

void kern_frames_init(struct cluster *c, void *window, size_t size, size_t pools)
{
    struct kern_frames *f = &c->frames;
    size_t grain = hal_user_grain(); /* user mode has the frames, and not the pools */
    f->page = c->machine->page_size;
    grain = grain > f->page ? grain : f->page;
    f->pools = (pools + grain - 1) / grain * grain;
    f->memory = hal_machine_memory(c->machine, c->id);
    f->lent = c->machine->lent_memory;
    f->base = (uint8_t *)window + f->pools;
    f->count = (size - f->pools) / f->page;
    f->high = f->pools;
    b_bitmap_init(&f->used, f->used.words, (uint32_t)f->count);
    b_bitmap_init(&f->first, f->first.words, (uint32_t)f->count);
}

static void note_high(struct kern_frames *f)
{
    if (in_use(f) > f->high) {
        f->high = in_use(f);
        f->high_taken = f->taken;
        memcpy(f->high_charges, f->charges, sizeof f->charges);
    }
}

/* What is in use has changed. */
static void note(struct kern_frames *f)
{
    hal_trace_value("memory", in_use(f));
    note_high(f);
}

/* A stack that grows between the question and the taking may use what was affordable. */
static bool affordable(const struct kern_frames *f, size_t n)
{
    size_t gone = f->taken + (f->lent ? 0 : f->charged);
    return gone <= f->count && n <= f->count - gone;
}

/* How many of the n frames from `at` on were given before. The window is zero at boot (hal/mem.h),
 * so the others are; where windows are the host's memory it has no page yet for what was never
 * touched. Under the lock. */
static size_t frames_stale(struct kern_frames *f, size_t at, size_t n)
{
    size_t fresh = f->fresh, stale = fresh > at ? fresh - at : 0;
    f->fresh = at + n > fresh ? at + n : fresh;
    return stale < n ? stale : n;
}

int kern_page_alloc(struct cluster *c, size_t n, bool zeroed, void **p)
{
    struct kern_frames *f = &c->frames;
    size_t need = frames_for(f, n);
    if (n == 0)
        return -B_EINVAL;
    hal_lock(&c->lock);
    int at = affordable(f, need) ? b_bitmap_take_run(&f->used, (uint32_t)need) : -1;
    if (at < 0) {
        hal_unlock(&c->lock);
        return -B_ENOMEM;
    }
    b_bitmap_set(&f->first, (uint32_t)at);
    size_t stale = frames_stale(f, (size_t)at, need);
    f->taken += need;
    note(f);
    hal_unlock(&c->lock);

    *p = f->base + (size_t)at * f->page;
    if (zeroed)
        memset(*p, 0, stale * f->page);
    const struct hal_cost *cost = &c->machine->cost;
    uint64_t written = zeroed ? (uint64_t)need * f->page : 0;
    hal_work(cost->copy_setup + written * cost->copy_byte_milli / 1000);
    return 0;
}

/* Is [at, at+n) exactly one allocation? It ends at the last frame, or where the next one starts or
 * a free frame follows. Under the lock. */
static bool is_allocation(const struct kern_frames *f, size_t at, size_t n)
{
    uint32_t begin = (uint32_t)at, end = (uint32_t)(at + n), more = (uint32_t)n - 1;
    if (n == 0 || at >= f->count || n > f->count - at || !b_bitmap_test(&f->first, begin))
        return false;
    return b_bitmap_any(&f->first, begin + 1, more) < 0 &&
           b_bitmap_any_free(&f->used, begin + 1, more) < 0 &&
           (end == f->count || b_bitmap_test(&f->first, end) || !b_bitmap_test(&f->used, end));
}

int kern_page_free(struct cluster *c, void *p, size_t n)
{
    struct kern_frames *f = &c->frames;
    uintptr_t offset = (uintptr_t)p - (uintptr_t)f->base; /* huge if p lies below */
    size_t at = offset / f->page, count = frames_for(f, n);
    int error = -B_EINVAL;
    hal_lock(&c->lock);
    if (offset % f->page == 0 && is_allocation(f, at, count)) {
        for (size_t i = at; i < at + count; i++)
            b_bitmap_clear(&f->used, (uint32_t)i);
        b_bitmap_clear(&f->first, (uint32_t)at);
        f->taken -= count;
        note(f);
        error = 0;
    }
    hal_unlock(&c->lock);
    return error;
}

int kern_page_charge(struct cluster *c, enum kern_charge what, size_t n)
{
    struct kern_frames *f = &c->frames;
    size_t need = frames_for(f, n);
    int error = -B_ENOMEM;
    hal_lock(&c->lock);
    if (f->lent || affordable(f, need)) {
        f->charged += need;
        f->charges[what] += need;
        note(f);
        error = 0;
    }
    hal_unlock(&c->lock);
    return error;
}

void kern_page_uncharge(struct cluster *c, enum kern_charge what, size_t n)
{
    struct kern_frames *f = &c->frames;
    hal_lock(&c->lock);
    f->charged -= frames_for(f, n);
    f->charges[what] -= frames_for(f, n);
    note(f);
    hal_unlock(&c->lock);
}

/* Traces may be what was interrupted, so the next change of any other use tells them. */
int kern_page_grow(struct cluster *c, size_t n, size_t *left)
{
    struct kern_frames *f = &c->frames;
    size_t need = frames_for(f, n), used = in_use(f);
    *left = used < f->memory ? f->memory - used : 0;
    if (!f->lent && !affordable(f, need))
        return -B_ENOMEM;
    f->charged += need;
    f->charges[KERN_CHARGE_STACKS] += need;
    note_high(f);
    return 0;
}

void kern_memory_map(struct cluster *c, struct kern_memory_map *m)
{
    const struct kern_frames *f = &c->frames;
    *m = (struct kern_memory_map){
        .limit = f->memory, .high = f->high, .pools = f->pools, .pages = f->high_taken * f->page};
    for (int i = 0; i < KERN_CHARGES; i++)
        m->charged[i] = f->high_charges[i] * f->page;
}

void kern_memory(struct cluster *c, size_t *used, size_t *high, size_t *limit)
{
    hal_lock(&c->lock);
    *used = in_use(&c->frames);
    *high = c->frames.high;
    *limit = c->frames.memory;
    hal_unlock(&c->lock);
}

long kern_sys_page_alloc(long a0, long a1, long a2, long a3, long a4)
{
    (void)a3, (void)a4;
    if (a1 == 0)
        return -B_EFAULT;
    return kern_page_alloc(kern_cluster(), (size_t)a0, a2 != 0, (void **)a1);
}

long kern_sys_page_free(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    return kern_page_free(kern_cluster(), (void *)a0, (size_t)a1);
}

/* What leaves less for pages: what is lent is used first, and charges take nothing. */
static size_t gone(const struct kern_frames *f)
{
    size_t pages = f->taken * f->page;
    if (f->lent == 0)
        return in_use(f);
    return f->pools + (pages > f->lent ? pages - f->lent : 0);
}

long kern_sys_memory(long a0, long a1, long a2, long a3, long a4)
{
    (void)a3, (void)a4;
    struct cluster *c = kern_cluster();
    hal_lock(&c->lock);
    size_t value[3] = {gone(&c->frames), c->frames.high, c->frames.memory};
    hal_unlock(&c->lock);
    long where[3] = {a0, a1, a2};
    for (int i = 0; i < 3; i++)
        if (where[i] != 0)
            *(size_t *)where[i] = value[i];
    return 0;
}
