/* SPDX-License-Identifier: MIT */
/* Semaphore. `up` gives its unit to the first waiter directly: the count is above zero only while
 * nobody waits, so a thread that waits cannot be overtaken. */
#include <sys/k_wait.h>

#include <base/error.h>

void k_sem_init(struct k_sem *s, int count)
{
    k_wait_init(&s->wait, "semaphore");
    s->count = count;
}

int k_sem_down(struct k_sem *s, uint64_t timeout)
{
    k_wait_lock(&s->wait);
    if (s->count <= 0)
        return k_wait_on(&s->wait, timeout);
    s->count--;
    k_wait_unlock(&s->wait);
    return 0;
}

int k_sem_trydown(struct k_sem *s)
{
    int result = -B_EAGAIN;
    k_wait_lock(&s->wait);
    if (s->count > 0) {
        s->count--;
        result = 0;
    }
    k_wait_unlock(&s->wait);
    return result;
}

void k_sem_up(struct k_sem *s)
{
    k_wait_lock(&s->wait);
    if (s->count < 0 || k_wake(&s->wait, 1) == 0)
        s->count++;
    k_wait_unlock(&s->wait);
}
