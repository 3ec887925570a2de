/* SPDX-License-Identifier: MIT */
/* Stacks that grow, on machines in virtual time: what a rank touches beyond what its stack was
 * charged when it began is charged to its cluster as it is touched, or ends the rank.
 * docs/sim.md, Memory.
 *
 * The part of a stack that is not charged is closed. A touch of it is a signal, on a stack beside:
 * what it interrupted, in the program or in this library, may hold locks and be in the middle of
 * malloc. So nothing here waits or allocates. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hal/console.h>
#include <hal/hosted.h>
#include <kernel/cluster.h>
#include <kernel/mem.h>
#include <process/image.h>

#include "behind.h"
#include "budget.h"

#define OWN     ((size_t)16 << 10) /* frames of this computer's libraries below the program's */
#define CALL    ((size_t)8 << 10)  /* stack of a call of the C library */
#define GUARD   ((size_t)64 << 10) /* below a stack: hal/mem.h */
#define LARGEST ((size_t)1 << 30)  /* of a single frame */
#define BELOW   128                /* bytes below the stack pointer are a function's, too: x86-64 */

static bool grows;

bool image_stacks_grow(void)
{
    return grows;
}

void image_stack_reach(void)
{
    volatile char room[CALL];
    room[0] = 0;
    (void)room[0];
}

static uintptr_t down_to_page(uintptr_t n)
{
    return n - n % (uintptr_t)sysconf(_SC_PAGESIZE);
}

static bool is_closed(const struct image_stack *s, uintptr_t address)
{
    return address >= s->base && address - s->base < s->closed;
}

/* Whose stack is it? A core that waits serves others meanwhile, on the stack of its thread. */
static struct {
    uintptr_t address;
    struct image_rank *rank;
} search;

static void look(struct image_rank *r)
{
    if (is_closed(&r->stack, search.address))
        search.rank = r;
}

static struct image_rank *owner(uintptr_t address)
{
    struct image_rank *self = image_rank_self();
    if (self && is_closed(&self->stack, address))
        return self;
    search.address = address;
    search.rank = NULL;
    image_ranks_each(look);
    return search.rank;
}

static enum hal_growth tell(const struct image_rank *r, uintptr_t pc, const char *what)
{
    char text[640], function[128];
    hal_function_name((const void *)pc, function, sizeof function);
    snprintf(text, sizeof text, "lwmpi: rank %d (cluster %d): stack overflow in %s: %s\n",
             r->place.rank, r->stack.cluster->id, function, what);
    hal_console_write(text, strlen(text));
    return HAL_STACK_FULL;
}

static enum hal_growth full(const struct image_rank *r, uintptr_t pc, size_t more, size_t left)
{
    char what[384];
    const struct image_stack *s = &r->stack;
    snprintf(what, sizeof what,
             "its stack has %zu KB and needs %zu bytes more, of its %zu KB the cluster has %zu "
             "left; fewer --ranks-per-cluster or a larger compute_memory (--set) leave more, "
             "--memory=report lets it run and says by how much the memory is too small",
             (s->size - s->closed + 1023) / 1024, more,
             (size_t)hal_machine_memory(hal_machine(), s->cluster->id) / 1024, left);
    return tell(r, pc, what);
}

/* All of the stack is open. Of a thread that is no rank the machine tells the same, which knows no
 * ranks. */
static enum hal_growth ended(const struct image_rank *r, uintptr_t pc)
{
    char what[128];
    snprintf(what, sizeof what, "the stack has %zu KB; LWMPI_STACK=<bytes> sets the size",
             r->stack.size / 1024);
    return tell(r, pc, what);
}

/* A frame may be larger than the whole stack, and reach into another rank's that lies below it. */
static enum hal_growth elsewhere(const struct hal_refused *at)
{
    char what[192];
    const struct image_rank *r = image_rank_self();
    uintptr_t base = r ? r->stack.base : 0;
    if (at->address < base && base - at->address <= GUARD)
        return ended(r, at->pc);
    if (at->sp >= base || base - at->sp > LARGEST || at->address >= base - GUARD ||
        at->address + BELOW < at->sp)
        return HAL_STACK_OTHER;
    snprintf(what, sizeof what,
             "it needs %zu bytes more than the %zu KB that a stack has at most; --memory=report "
             "and LWMPI_STACK=<bytes> allow more",
             (size_t)(base - at->sp), (r->stack.size + 1023) / 1024);
    return tell(r, at->pc, what);
}

/* Has the program's stack pointer left its rank's stack for that of r? */
static bool leapt(const struct image_rank *r, const struct hal_refused *at)
{
    const struct image_rank *self = image_rank_self();
    return self && self != r && at->sp < self->stack.base && at->sp >= r->stack.base &&
           !image_is_ours((const void *)at->pc);
}

static enum hal_growth grow(const struct hal_refused *at)
{
    struct image_rank *r = owner(at->address);
    size_t left;
    if (!r || leapt(r, at))
        return elsewhere(at);
    struct image_stack *s = &r->stack;
    size_t closed = down_to_page(at->address - s->base);
    size_t more = image_pages(s->uncharged - closed) - s->charged;
    if (kern_page_grow(s->cluster, more, &left) == 0)
        s->charged += more;
    else if (!image_is_ours((const void *)at->pc)) /* whose frames are no fault of the rank's */
        return full(r, at->pc, more, left);
    if (hal_stack_close((void *)s->base, s->size, closed) < 0)
        return HAL_STACK_OTHER;
    s->closed = closed;
    return HAL_STACK_GROWN;
}

/* A debugger would stop at each growth, below valgrind an instruction that a signal interrupted
 * cannot be repeated; with the thread sanitizer nothing here may stand before sigaction. */
static bool observed(void)
{
    static int known = -1;
    const char *preloaded = getenv("LD_PRELOAD");
    if (known < 0)
        known =
            STACKS_OPEN || image_is_debugged() || (preloaded && strstr(preloaded, "/vgpreload_"));
    return known;
}

void image_stack_begin(struct image_rank *r)
{
    const struct kern_thread *t = r->thread;
    size_t charged = hal_machine()->stack_size + OWN;
    if (image.memory == IMAGE_MEMORY_NO || t->stack_size <= charged || observed())
        return;
    size_t closed = down_to_page(t->stack_size - charged);
    if (hal_stack_close(t->stack, t->stack_size, closed) < 0)
        return;
    r->stack = (struct image_stack){.cluster = kern_cluster(),
                                    .base = (uintptr_t)t->stack,
                                    .size = t->stack_size,
                                    .uncharged = closed,
                                    .closed = closed};
    hal_stack_grows(grow);
    grows = true;
}

void image_stack_forked(void)
{
    const struct image_rank *r = image_rank_self();
    if (r && r->stack.cluster)
        hal_stack_close((void *)r->stack.base, r->stack.size, 0);
}

void image_stack_end(struct image_rank *r)
{
    if (r->stack.charged > 0)
        kern_page_uncharge(r->stack.cluster, KERN_CHARGE_STACKS, r->stack.charged);
    r->stack = (struct image_stack){0};
}
