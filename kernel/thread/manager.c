/* SPDX-License-Identifier: MIT */
#include "manager.h"

#include <hal/work.h>

static void create_at_once(struct cluster *c)
{
    hal_work(c->machine->cost.thread_create);
}

static void end_at_once(struct cluster *c)
{
    (void)c;
}

/* Threads that have a slot, ended ones that nobody joined among them. */
static uint64_t entries(struct cluster *c)
{
    uint64_t n = 0;
    hal_lock(&c->lock);
    for (uint32_t i = 0; i < c->machine->threads; i++) {
        n += c->thread[i].slot != KERN_FREE;
    }
    hal_unlock(&c->lock);
    return n;
}

/* One core at a time walks over all entries, the others queue behind its lock: the price of a start
 * grows with the threads there are and with the cores that end one meanwhile. */
static void search(struct cluster *c)
{
    hal_lock(&c->table);
    hal_work(entries(c) * c->machine->cost.thread_search);
    hal_unlock(&c->table);
}

static const struct kern_manager own = {create_at_once, end_at_once};
static const struct kern_manager ancestor = {search, search};

const struct kern_manager *kern_manager(const struct hal_machine *m)
{
    return m->ancestor_threads ? &ancestor : &own;
}
