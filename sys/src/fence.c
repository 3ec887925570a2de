/* SPDX-License-Identifier: MIT */
/* Fence: the last of n threads wakes the others. It can be met again at once: who arrives for the
 * next round queues behind an empty queue. */
#include <sys/k_wait.h>

#include <limits.h>

void k_fence_init(struct k_fence *f, int n)
{
    k_wait_init(&f->wait, "fence");
    f->n = n;
    f->arrived = 0;
}

void k_fence(struct k_fence *f)
{
    k_wait_lock(&f->wait);
    if (++f->arrived < f->n) {
        k_wait_on(&f->wait, K_FOREVER);
        return;
    }
    f->arrived = 0;
    k_wake(&f->wait, INT_MAX);
    k_wait_unlock(&f->wait);
}
