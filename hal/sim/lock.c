/* SPDX-License-Identifier: MIT */
/* Locks: the holder hands over to the first core that waits, so the order is that of arrival. */
#include <hal/lock.h>

#include "sim.h"
#include "trace.h"

enum { HOLDER, FIRST, LAST }; /* of hal_lock.word: addresses of cores, 0 = none */

static struct sim_core *core_at(const struct hal_lock *l, int i)
{
    return (struct sim_core *)(uintptr_t)l->word[i];
}

void hal_lock_init(struct hal_lock *l, const char *name)
{
    *l = (struct hal_lock){.name = name};
}

static bool take(struct hal_lock *l)
{
    if (l->word[HOLDER] != 0)
        return false;
    l->word[HOLDER] = (uintptr_t)sim.core;
    return true;
}

void hal_lock(struct hal_lock *l)
{
    if (take(l))
        return;
    struct sim_core *me = sim.core;
    me->next = NULL;
    if (l->word[FIRST] == 0)
        l->word[FIRST] = (uintptr_t)me;
    else
        core_at(l, LAST)->next = me;
    l->word[LAST] = (uintptr_t)me;
    uint64_t from = sim.now;
    me->lock = l;
    sim_block(SIM_LOCKING);
    me->lock = NULL;
    sim_trace_wait(me, sim_lock_name(l), from);
}

void hal_unlock(struct hal_lock *l)
{
    struct sim_core *heir = core_at(l, FIRST);
    l->word[HOLDER] = (uintptr_t)heir;
    if (heir) {
        l->word[FIRST] = (uintptr_t)heir->next;
        sim_wake(heir);
    }
}

const char *sim_lock_name(const struct hal_lock *l)
{
    return l->name ? l->name : "unnamed";
}

const struct sim_core *sim_lock_holder(const struct hal_lock *l)
{
    return core_at(l, HOLDER);
}
