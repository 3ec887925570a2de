/* SPDX-License-Identifier: MIT */
/* A ticket lock: word[0] is the next ticket, word[1] the one that is served. */
#include "riscv.h"

#include <hal/lock.h>

#define LOOKS 100 /* before others get a turn: the holder may be one of them */

void hal_lock_init(struct hal_lock *l, const char *name)
{
    *l = (struct hal_lock){.name = name};
}

void hal_lock(struct hal_lock *l)
{
    uintptr_t mine = __atomic_fetch_add(&l->word[0], 1, __ATOMIC_RELAXED);
    for (int looks = 0; __atomic_load_n(&l->word[1], __ATOMIC_ACQUIRE) != mine; looks++) {
        if (looks == LOOKS) {
            rv_yield();
            looks = 0;
        }
    }
}

void hal_unlock(struct hal_lock *l)
{
    __atomic_store_n(&l->word[1], l->word[1] + 1, __ATOMIC_RELEASE);
}
