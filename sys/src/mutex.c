/* SPDX-License-Identifier: MIT */
/* Mutex: unlock hands over to the first waiter, so nobody can overtake a thread that waits. */
#include <sys/k_wait.h>

#include <base/error.h>
#include <sys/k_thread.h>

enum { FREE = 0, HANDED = -1 };

/* Under wait.lock. `holder` repeats the owner for reports. */
static void own(struct k_mutex *m, int owner)
{
    m->owner = owner;
    m->wait.holder = owner > 0 ? owner : 0;
}

void k_mutex_init(struct k_mutex *m)
{
    k_wait_init(&m->wait, "mutex");
    m->owner = FREE;
}

int k_mutex_lock(struct k_mutex *m)
{
    int self = k_thread_self() + 1;
    k_wait_lock(&m->wait);
    if (m->owner == self) {
        k_wait_unlock(&m->wait);
        return -B_EDEADLK;
    }
    if (m->owner != FREE) {
        int error = k_wait_on(&m->wait, K_FOREVER);
        if (error != 0)
            return error;
        /* The owner is HANDED, which keeps everybody else out until we have put our name there. */
        k_wait_lock(&m->wait);
    }
    own(m, self);
    k_wait_unlock(&m->wait);
    return 0;
}

int k_mutex_trylock(struct k_mutex *m)
{
    int result = -B_EBUSY;
    k_wait_lock(&m->wait);
    if (m->owner == FREE) {
        own(m, k_thread_self() + 1);
        result = 0;
    }
    k_wait_unlock(&m->wait);
    return result;
}

int k_mutex_unlock(struct k_mutex *m)
{
    int result = -B_EPERM;
    k_wait_lock(&m->wait);
    if (m->owner == k_thread_self() + 1) {
        own(m, k_wake(&m->wait, 1) == 1 ? HANDED : FREE);
        result = 0;
    }
    k_wait_unlock(&m->wait);
    return result;
}
