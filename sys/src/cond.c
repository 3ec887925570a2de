/* SPDX-License-Identifier: MIT */
/* Condition variable. The queue's lock is taken before the mutex is released, and a signal takes it
 * too: a signal sent after the mutex was released finds the thread in the queue. */
#include <sys/k_wait.h>

#include <limits.h>

#include <base/error.h>
#include <sys/k_thread.h>

void k_cond_init(struct k_cond *c)
{
    k_wait_init(&c->wait, "condition");
}

int k_cond_wait(struct k_cond *c, struct k_mutex *m, uint64_t timeout)
{
    k_wait_lock(&c->wait);
    int error = k_mutex_unlock(m);
    if (error != 0) {
        k_wait_unlock(&c->wait);
        return error;
    }
    int result = k_wait_on(&c->wait, timeout);
    error = k_mutex_lock(m);
    return error != 0 ? error : result;
}

static void wake(struct k_cond *c, int n)
{
    k_wait_lock(&c->wait);
    k_wake(&c->wait, n);
    k_wait_unlock(&c->wait);
}

void k_cond_signal(struct k_cond *c)
{
    wake(c, 1);
}

void k_cond_broadcast(struct k_cond *c)
{
    wake(c, INT_MAX);
}
