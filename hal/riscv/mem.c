/* SPDX-License-Identifier: MIT */
/* The cage of a cluster, from below: the image, what each core has, stacks, and at its top the
 * window. Stacks are taken by pages, those of half a page by halves. A large one has a page below
 * it as its guard. One that fits a page or its half leaves the top of it free, as the guard of the
 * one above: QEMU looks at the protection of each access to a page of which a guard is a part, and
 * a stack's own page would be such a page wherever that stack runs, as it is for the upper half of
 * a page. So no large one ends where a small one begins: the small ones are taken from below, the
 * large ones from above. */
#include "riscv.h"

#include <base/error.h>
#include <base/mem.h>
#include <hal/clock.h>
#include <hal/lock.h>
#include <hal/mem.h>
#include <hal/trace.h>

#define HALF       (RV_PAGE / 2)
#define HALVES_MAX (RV_CAGE_BYTES / HALF)
#define PAINT      0x5a /* of a stack that nothing has touched, if that is asked for */

extern char rv_image[], rv_text_end[], rv_program[];

/* What half a page is, and that the top of the stack there is free. */
enum { FREE, SYSTEM, RANK, SMALL = 4 };
static const char *const names[] = {[SYSTEM] = "stack.system", [RANK] = "stack.rank"};

static struct {
    struct hal_lock lock;
    uint8_t half[HALVES_MAX];
    size_t halves[RANK + 1], most[RANK + 1]; /* now, and at most, with their guards */
} stacks;

void hal_mem_window(void **base, size_t *size)
{
    *size = hal_machine_memory(hal_machine(), rv_cluster);
    *base = (void *)((rv_cage(rv_cluster + 1) - *size) & ~(uintptr_t)(RV_PAGE - 1));
}

void hal_mem_copy_pieces(const struct b_piece *pieces, int n)
{
    b_copy_pieces(pieces, n);
}

static uintptr_t area(size_t *halves)
{
    void *window;
    size_t size;
    hal_mem_window(&window, &size);
    int cores = hal_machine_cores(hal_machine(), rv_cluster);
    uintptr_t from = rv_core(cores) + (uintptr_t)cores * RV_START_BYTES + rv_guard_bytes(0);
    from = (from + RV_PAGE - 1) & ~(uintptr_t)(RV_PAGE - 1);
    *halves = ((uintptr_t)window - from) / HALF;
    return from;
}

/* The halves of a stack and its guard: one, or whole pages. */
static size_t halves_of(size_t bytes, size_t guard)
{
    return bytes + guard <= HALF ? 1 : (bytes + guard + RV_PAGE - 1) / RV_PAGE * 2;
}

/* Under the lock. */
static void mark(size_t first, size_t n, uint8_t what, bool small)
{
    memset(stacks.half + first, small ? what | SMALL : what, n);
    stacks.halves[what] += n;
    if (stacks.most[what] < stacks.halves[what])
        stacks.most[what] = stacks.halves[what];
}

static bool fits(size_t first, size_t n, size_t halves, bool small)
{
    for (size_t i = first; i < first + n; i++)
        if (stacks.half[i] != FREE)
            return false;
    if (small)
        return first == 0 || stacks.half[first - 1] == FREE || stacks.half[first - 1] & SMALL;
    return first + n == halves || (stacks.half[first + n] & SMALL) == 0;
}

/* The first of n free halves in a row, or `halves`. */
static size_t find(size_t n, size_t halves, bool small)
{
    for (size_t i = 0; i + n <= halves; i += n == 1 ? 1 : 2) {
        size_t first = small ? i : halves - n - i;
        if (fits(first, n, halves, small))
            return first;
    }
    return halves;
}

void rv_paint(void *stack, size_t n)
{
    if (rv_board()->stats)
        memset(stack, PAINT, n);
}

int hal_stack_alloc(size_t size, void **base, size_t *got)
{
    size_t halves, bytes = size == 0 ? rv_stack_bytes() : size;
    uintptr_t from = area(&halves);
    if (bytes > RV_CAGE_BYTES)
        return -B_ENOMEM;
    size_t guard = rv_guard_bytes(bytes), n = halves_of(bytes, guard);
    bool small = guard < RV_PAGE;
    hal_lock(&stacks.lock);
    size_t first = find(n, halves, small);
    if (first < halves)
        mark(first, n, size == 0 || small ? SYSTEM : RANK, small);
    hal_unlock(&stacks.lock);
    *base = (void *)(from + first * HALF + (small ? 0 : guard));
    *got = n * HALF - guard;
    if (first == halves)
        return -B_ENOMEM;
    rv_paint(*base, *got);
    return 0;
}

/* How much of a stack was used; nothing is known of one that is not painted. */
static void look(const char *of, const void *base, size_t got)
{
    const unsigned char *text = base;
    size_t i = 0;
    while (i < got && text[i] == PAINT)
        i++;
    if (i > 0)
        hal_count_max(of, got - i);
}

void hal_stack_free(void *base, size_t got)
{
    size_t halves, guard = rv_guard_bytes(got), n = (got + guard) / HALF;
    size_t first = ((uintptr_t)base - (guard < RV_PAGE ? 0 : guard) - area(&halves)) / HALF;
    uint8_t what = stacks.half[first] & ~SMALL;
    look(names[what], base, got);
    hal_lock(&stacks.lock);
    memset(stacks.half + first, FREE, n);
    stacks.halves[what] -= n;
    hal_unlock(&stacks.lock);
}

bool hal_stack_beside(void)
{
    return true;
}

void rv_memory_count(void)
{
    int cores = hal_machine_cores(hal_machine(), rv_cluster);
    for (int i = 1; i < cores; i++)
        look("stack.core", (void *)rv_core(i), (size_t)(rv_core_storage(i) - (char *)rv_core(i)));
    hal_count_max(HAL_VIRT_CYCLES, hal_clock_cycles());
    hal_count_max("cage.text", (size_t)(rv_text_end - rv_image));
    hal_count_max("cage.variables", (size_t)(rv_program - rv_text_end));
    hal_count_max("cage.programs", rv_image_bytes(rv_cluster) - (size_t)(rv_program - rv_image));
    hal_count_max("cage.cores", rv_core(cores) - rv_core(0));
    hal_count_max("cage.stacks", stacks.most[SYSTEM] * HALF);
    hal_count_max("cage.rank_stacks", stacks.most[RANK] * HALF);
}
