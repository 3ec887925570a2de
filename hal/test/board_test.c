/* SPDX-License-Identifier: MIT */
/* hal/board.h: zeroed, the same memory in all clusters, and no change is missed by who was told of
 * it. */
#include "contract.h"

#include <hal/board.h>

#define TURNS 2000
#define BYTES 10000

struct board {
    atomic_uint turn;
    _Alignas(64) atomic_uint there;
    _Atomic(uintptr_t) own[3];
};

static void boot_without(void *arg)
{
    (void)arg;
    size_t bytes = 1;
    CHECK(!hal_board(&bytes));
    CHECK_EQ(bytes, 0);
    CHECK_EQ(hal_board_tell(0), -B_ENOSYS);
    CHECK_EQ(hal_board_wake(0, 0), -B_ENOSYS);
    CHECK_EQ(hal_board_read(0, (uintptr_t)&bytes, &bytes, 1), -B_ENOSYS);
}

static void check_memory(struct board *b, size_t bytes)
{
    size_t again;
    CHECK(b && (uintptr_t)b % hal_machine()->page_size == 0);
    CHECK_EQ(bytes, hal_machine()->shared_memory);
    CHECK(hal_board(&again) == b && again == bytes);
    CHECK_EQ(hal_board_tell(-1), -B_EHOSTUNREACH);
    CHECK_EQ(hal_board_tell(3), -B_EHOSTUNREACH);
    CHECK_EQ(hal_board_wake(3, 0), -B_EHOSTUNREACH);
    CHECK_EQ(hal_board_wake(0, -1), -B_EHOSTUNREACH);
    CHECK_EQ(hal_board_wake(0, HAL_CORES_MAX), -B_EHOSTUNREACH);
    for (size_t i = sizeof *b; i < bytes; i++)
        CHECK(((const char *)b)[i] == 0);
}

/* What each cluster has for itself, at an address that it tells the others. On a machine whose
 * clusters cannot read each other's memory all are told so. */
static void check_read(struct board *b, unsigned me, unsigned all)
{
    static char own[BYTES], got[BYTES];
    memset(own, (int)me + 1, BYTES);
    atomic_store(&b->own[me], (uintptr_t)own);
    for (unsigned i = 0; i < all; i++)
        CHECK_EQ(hal_board_tell((int)i), 0);
    for (unsigned i = 0; i < all; i++) {
        uintptr_t at;
        UNTIL((at = atomic_load(&b->own[i])) != 0);
        int rc = hal_board_read((int)i, at + 1, got, BYTES - 1);
        CHECK(rc == 0 || rc == -B_ENOSYS);
        for (size_t k = 0; rc == 0 && k < BYTES - 1; k++)
            CHECK_EQ(got[k], (char)(i + 1));
        if (rc == 0) {
            CHECK_EQ(hal_board_read((int)i, 1, got, 1), -B_EFAULT);
            CHECK_EQ(hal_board_read((int)all, at, got, 1), -B_EHOSTUNREACH);
            CHECK_EQ(hal_board_read(-1, at, got, 1), -B_EHOSTUNREACH);
        }
    }
}

/* The clusters take turns, and each tells the next one only: if one is not told, nobody goes on. */
static void boot(void *arg)
{
    (void)arg;
    size_t bytes;
    struct board *b = hal_board(&bytes);
    unsigned me = (unsigned)hal_cluster(), all = 3;
    check_memory(b, bytes);
    if (atomic_fetch_add(&b->there, 1) + 1 == all)
        for (int i = 0; i < (int)all; i++)
            CHECK_EQ(hal_board_tell(i), 0);
    UNTIL(atomic_load(&b->there) == all);
    check_read(b, me, all);
    for (unsigned i = 0; i < TURNS; i++) {
        UNTIL(atomic_load(&b->turn) == i * all + me);
        ((char *)b)[bytes - 1 - me] = (char)i;
        atomic_fetch_add(&b->turn, 1);
        CHECK_EQ(hal_board_tell((int)((me + 1) % all)), 0);
    }
    UNTIL(atomic_load(&b->turn) >= (TURNS - 1) * all + me + 1);
    if (me == all - 1)
        for (unsigned i = 0; i < all; i++)
            CHECK_EQ(((char *)b)[bytes - 1 - i], (char)(TURNS - 1));
}

static void share_nothing(struct hal_machine *m)
{
    m->shared_memory = 0;
}

CONTRACT({.boot = boot}, {.boot = boot_without, .adapt = share_nothing});
