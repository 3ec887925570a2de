/* SPDX-License-Identifier: MIT */
/* A ticket lock: the next ticket and the one that is served. */
#include <hal/lock.h>

void hal_lock_init(struct hal_lock *l, const char *name)
{
    *l = (struct hal_lock){.name = name};
}

void hal_lock(struct hal_lock *l)
{
    uintptr_t mine = __atomic_fetch_add(&l->word[0], 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&l->word[1], __ATOMIC_ACQUIRE) != mine)
        __asm__ volatile("yield");
}

void hal_unlock(struct hal_lock *l)
{
    __atomic_store_n(&l->word[1], l->word[1] + 1, __ATOMIC_RELEASE);
}
