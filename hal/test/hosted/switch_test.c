/* SPDX-License-Identifier: MIT */
/* The context switch of the hosted ports by itself, without a machine: registers, control state,
 * stack alignment, many contexts, sanitizers, and what one switch takes. */
#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <hal/console.h>
#include <hal/context.h>
#include <hal/core.h>
#include <hal/hosted.h>
#include <hal/mem.h>
#include <test/check.h>

#include "../../hosted/stack.h"

/* The lowest answers that the stack guard needs from a port. */
_Thread_local int hal_here_core;

int hal_cluster(void)
{
    return 0;
}

void hal_mem_window(void **base, size_t *size)
{
    *base = NULL;
    *size = 0;
}

void hal_console_write(const char *text, size_t n)
{
    fwrite(text, 1, n, stderr);
}

static struct hal_context home, other;
static int steps;

static void prints_a_double(void *arg)
{
    /* printf of a double uses aligned vector stores: it crashes on a misaligned stack. */
    char text[64];
    snprintf(text, sizeof text, "%.3f %s", 3.25, (const char *)arg);
    CHECK(strcmp(text, "3.250 here") == 0);
    CHECK(((uintptr_t)__builtin_frame_address(0) & 15) == 0);
    steps++;
    for (;;) {
        hal_context_switch(&other, &home);
        steps++;
    }
}

static void test_runs_and_resumes(void)
{
    void *stack;
    size_t size;
    CHECK_EQ(hal_stack_alloc(0, &stack, &size), 0);
    CHECK(size >= 256 * 1024);
    hal_context_init(&other, stack, size, prints_a_double, "here");
    for (int i = 1; i <= 3; i++) {
        hal_context_switch(&home, &other);
        CHECK_EQ(steps, i);
    }
    hal_context_fini(&other);
    hal_stack_free(stack, size);
}

static void rounds_down(void *arg)
{
    CHECK_EQ(fegetround(), *(int *)arg);
    fesetround(FE_DOWNWARD);
    hal_context_switch(&other, &home);
    CHECK_EQ(fegetround(), FE_DOWNWARD);
    hal_context_switch(&other, &home);
}

static void test_floating_point_control(void)
{
    void *stack;
    size_t size;
    CHECK_EQ(hal_stack_alloc(64 * 1024, &stack, &size), 0);
    int mine = FE_UPWARD;
    CHECK_EQ(fesetround(mine), 0);
    hal_context_init(&other, stack, size, rounds_down, &mine);
    hal_context_switch(&home, &other);
    CHECK_EQ(fegetround(), FE_UPWARD);
    hal_context_switch(&home, &other);
    CHECK_EQ(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
    hal_context_fini(&other);
    hal_stack_free(stack, size);
}

#define RING 100

static struct hal_context ring[RING];
static int order[RING * 3], ordered;

/* Values kept in callee-saved registers over each switch. */
static void passes_on(void *arg)
{
    int me = (int)(intptr_t)arg;
    volatile int seed = me;
    int a = seed * 3, b = seed * 5, c = seed * 7, d = seed * 11, e = seed * 13, f = seed * 17;
    for (int round = 0;; round++) {
        order[ordered++] = me;
        hal_context_switch(&ring[me], me + 1 < RING ? &ring[me + 1] : &home);
        CHECK(a == me * 3 && b == me * 5 && c == me * 7 && d == me * 11 && e == me * 13 &&
              f == me * 17);
    }
}

static void test_many(void)
{
    void *stack[RING];
    size_t size[RING];
    for (int i = 0; i < RING; i++) {
        CHECK_EQ(hal_stack_alloc(64 * 1024, &stack[i], &size[i]), 0);
        hal_context_init(&ring[i], stack[i], size[i], passes_on, (void *)(intptr_t)i);
    }
    for (int round = 0; round < 3; round++)
        hal_context_switch(&home, &ring[0]);
    CHECK_EQ(ordered, 3 * RING);
    for (int i = 0; i < ordered; i++)
        CHECK_EQ(order[i], i % RING);
    for (int i = 0; i < RING; i++) {
        hal_context_fini(&ring[i]);
        hal_stack_free(stack[i], size[i]);
    }
}

/* A function that contexts leave in the middle, and its callers, of which each must be the own. */
static __attribute__((noinline)) int passes(int n, bool leave, struct hal_context *from,
                                            struct hal_context *to)
{
    if (leave)
        hal_context_switch(from, to);
    return hal_context_return(n);
}

static __attribute__((noinline)) int passes_deep(int n, struct hal_context *from,
                                                 struct hal_context *to)
{
    return n > 0 ? 1 + passes_deep(n - 1, from, to) : passes(-7, true, from, to);
}

static void calls_and_is_left(void *arg)
{
    (void)arg;
    for (int i = 0;; i++) {
        CHECK_EQ(passes_deep(i % 5, &other, &home), i % 5 - 7);
        CHECK_EQ(passes(i, false, NULL, NULL), i);
        steps++;
    }
}

static void test_returns(void)
{
    void *stack;
    size_t size;
    CHECK_EQ(hal_stack_alloc(0, &stack, &size), 0);
    hal_context_init(&other, stack, size, calls_and_is_left, NULL);
    steps = 0;
    for (int i = 0; i < 100; i++) {
        CHECK_EQ(steps, i > 0 ? i - 1 : 0);
        CHECK_EQ(passes(i, i % 2 == 0, &home, &other), i);
        CHECK_EQ(passes(i, i % 2 == 1, &home, &other), i);
    }
    hal_context_fini(&other);
    hal_stack_free(stack, size);
}

/* More stacks than one chunk of the table holds, freed and taken again in another order. */
static void test_stacks(void)
{
    enum { STACKS = 1300 };
    static void *stack[STACKS];
    static size_t size[STACKS];
    uint64_t random = 1;
    for (int i = 0; i < STACKS; i++) {
        CHECK_EQ(hal_stack_alloc(64 * 1024, &stack[i], &size[i]), 0);
        CHECK_EQ(hal_stack_overflown((char *)stack[i] - 1), size[i]);
        CHECK(!hal_stack_overflown(stack[i]));
    }
    for (int round = 0; round < 5000; round++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        int i = (int)(random >> 33) % STACKS;
        if (stack[i]) {
            *(char *)stack[i] = 1;
            hal_stack_free(stack[i], size[i]);
            stack[i] = NULL;
        } else {
            CHECK_EQ(hal_stack_alloc(i % 2 == 0 ? 64 * 1024 : 0, &stack[i], &size[i]), 0);
            ((char *)stack[i])[size[i] - 1] = 1;
            CHECK(hal_stack_overflown((char *)stack[i] - 64 * 1024));
        }
    }
    for (int i = 0; i < STACKS; i++) {
        if (stack[i]) {
            CHECK_EQ(hal_stack_overflown((char *)stack[i] - 1), size[i]);
            hal_stack_free(stack[i], size[i]);
        }
    }
}

/* A stack that grows: what was asked for and by whom. */
static struct {
    char *base;
    size_t size, closed;
    int times;
} grown;

static enum hal_growth grow(const struct hal_refused *r)
{
    uintptr_t base = (uintptr_t)grown.base, at = r->address - base;
    if (r->address < base || at >= grown.closed)
        return HAL_STACK_OTHER;
    bool inside = r->sp >= base && r->sp < base + grown.size && r->pc != 0;
    grown.closed = at - at % (uintptr_t)sysconf(_SC_PAGESIZE);
    grown.times++;
    return inside && hal_stack_close(grown.base, grown.size, grown.closed) == 0 ? HAL_STACK_GROWN
                                                                                : HAL_STACK_FULL;
}

static double deep(int kilobytes, double a)
{
    volatile char room[1024];
    room[0] = room[1023] = (char)kilobytes;
    double below = kilobytes == 0 ? a : deep(kilobytes - 1, a + 1);
    return below + a + (room[0] == (char)kilobytes) + (room[1023] == (char)kilobytes);
}

static void goes_deep(void *arg)
{
    (void)arg;
    for (;;) {
        steps = deep(200, 0.5) == 20803; /* 0.5 to 200.5, once more the last, 2 each */
        hal_context_switch(&other, &home);
    }
}

static int mappings(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    int n = 0;
    for (int c; (c = fgetc(maps)) != EOF;)
        n += c == '\n';
    fclose(maps);
    return n;
}

/* It is closed at 64 KB and grows by what is touched, once; the next who has it finds it open. */
static void test_growth(void)
{
    void *again;
    CHECK_EQ(hal_stack_alloc(0, (void **)&grown.base, &grown.size), 0);
    int before = mappings();
    grown.closed = (grown.size - 64 * 1024) / (64 * 1024) * (64 * 1024);
    grown.base[0] = 1;
    CHECK_EQ(hal_stack_close(grown.base, grown.size, grown.closed), 0);
    CHECK(mappings() <= before + 1);
    hal_stack_grows(grow);
    hal_context_init(&other, grown.base, grown.size, goes_deep, NULL);
    hal_context_switch(&home, &other);
    CHECK_EQ(steps, 1);
    CHECK(grown.times >= 30 && grown.closed <= grown.size - 200 * 1024);
    int times = grown.times;
    hal_context_switch(&home, &other);
    CHECK(steps == 1 && grown.times == times);
    hal_context_fini(&other);
    hal_stack_grows(NULL);
    hal_stack_free(grown.base, grown.size);
    CHECK_EQ(hal_stack_alloc(0, &again, &grown.size), 0);
    CHECK(again == grown.base && grown.base[0] == 0);
    grown.base[0] = 1;
    hal_stack_free(again, grown.size);
}

static void bounces(void *arg)
{
    (void)arg;
    for (;;)
        hal_context_switch(&other, &home);
}

static void test_speed(void)
{
    void *stack;
    size_t size;
    CHECK_EQ(hal_stack_alloc(0, &stack, &size), 0);
    hal_context_init(&other, stack, size, bounces, NULL);
    double best = 1e9;
    for (int round = 0; round < 20; round++) {
        struct timespec t0, t1;
        timespec_get(&t0, TIME_UTC);
        for (int i = 0; i < 10000; i++)
            hal_context_switch(&home, &other);
        timespec_get(&t1, TIME_UTC);
        double ns = (double)(t1.tv_sec - t0.tv_sec) * 1e9 + (double)(t1.tv_nsec - t0.tv_nsec);
        best = ns / 20000 < best ? ns / 20000 : best;
    }
    printf("one switch: %.1f ns\n", best);
    hal_context_fini(&other);
    hal_stack_free(stack, size);
}

int main(void)
{
    test_runs_and_resumes();
    test_floating_point_control();
    test_many();
    test_returns();
    test_growth();
    test_stacks();
    test_speed();
    return 0;
}
