/* SPDX-License-Identifier: MIT */
/* hal/mem.h: windows of their own, zeroed, of the right size; copies; stacks. */
#include "contract.h"

#include <hal/mem.h>

#define STACKS 100
#define ENOUGH 20 /* of 1000, 2000, ... bytes: what the smallest machine has room for */

static void test_window(void)
{
    unsigned char *w, *again;
    size_t size, size_again;
    hal_mem_window((void **)&w, &size);
    hal_mem_window((void **)&again, &size_again);
    CHECK(w == again && size == size_again);
    CHECK_EQ(size, hal_machine_memory(hal_machine(), hal_cluster()));
    CHECK_EQ((uintptr_t)w % hal_machine()->page_size, 0);
    for (size_t i = 0; i < size; i++)
        CHECK_EQ(w[i], 0);
    memset(w, 0x10 + hal_cluster(), size);
    contract_meet();
    for (size_t i = 0; i < size; i++)
        CHECK_EQ(w[i], 0x10 + hal_cluster());
    contract_meet();
}

static void test_copy(void)
{
    static unsigned char from[8][3000], to[8][3000];
    unsigned char *f = from[hal_cluster()], *t = to[hal_cluster()];
    for (int i = 0; i < 3000; i++)
        f[i] = (unsigned char)(i * 7);
    hal_mem_copy(t, f, 0);
    CHECK_EQ(t[0], 0);
    hal_mem_copy(t + 1, f + 2, 2001);
    CHECK(memcmp(t + 1, f + 2, 2001) == 0 && t[0] == 0 && t[2002] == 0);
    hal_mem_copy(f + 1500, f, 1500); /* inside one array, not overlapping */
    CHECK(memcmp(f + 1500, f, 1500) == 0);
    const struct b_piece pieces[] = {{t + 1, f + 7, 40}, {t + 50, f, 0}, {t + 1900, t + 1, 40}};
    t[50] = 5;
    t[1900] = 6;
    hal_mem_copy_pieces(pieces, 0);
    CHECK_EQ(t[1900], 6);
    hal_mem_copy_pieces(pieces, 3);
    CHECK(memcmp(t + 1, f + 7, 40) == 0 && t[50] == 5 && memcmp(t + 1900, f + 7, 40) == 0);
}

static void test_stacks(void)
{
    void *stack[STACKS];
    size_t size[STACKS];
    int n = 0;
    for (; n < STACKS; n++) {
        size_t asked = n == 0 ? 0 : (size_t)n * 1000;
        if (hal_stack_alloc(asked, &stack[n], &size[n]) != 0)
            break;
        CHECK(size[n] >= asked && size[n] >= (n == 0 ? 2048 : 1));
        CHECK_EQ((uintptr_t)stack[n] % 16, 0);
        ((char *)stack[n])[0] = ((char *)stack[n])[size[n] - 1] = (char)n;
    }
    CHECK(n >= ENOUGH);
    for (int i = 0; i < n; i++) {
        CHECK_EQ(((char *)stack[i])[0], (char)i);
        CHECK_EQ(((char *)stack[i])[size[i] - 1], (char)i);
        hal_stack_free(stack[i], size[i]);
    }
    /* What was given back is there again. */
    CHECK_EQ(hal_stack_alloc(ENOUGH * 1000, &stack[0], &size[0]), 0);
    hal_stack_free(stack[0], size[0]);
    CHECK_EQ(hal_stack_alloc((size_t)-1, &stack[0], &size[0]), -B_ENOMEM);
    CHECK_EQ(hal_stack_alloc((SIZE_MAX >> 4) + 1, &stack[0], &size[0]), -B_ENOMEM);
}

/* Large and small ones in turn: where the guard of one may be is none of another. */
static void test_guards(void)
{
    enum { N = 8, GUARD = 256 };
    char *stack[N];
    size_t size[N];
    for (int i = 0; i < N; i++)
        CHECK_EQ(hal_stack_alloc(i % 2 ? 1000 : 8000, (void **)&stack[i], &size[i]), 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            CHECK(stack[j] >= stack[i] || stack[j] + size[j] + GUARD <= stack[i]);
    for (int i = 0; i < N; i++)
        hal_stack_free(stack[i], size[i]);
}

static void boot(void *arg)
{
    (void)arg;
    test_window();
    test_copy();
    test_stacks();
    test_guards();
}

/* The windows of a second machine are zero again. */
CONTRACT({.boot = boot}, {.boot = boot});
