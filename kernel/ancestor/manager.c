/* SPDX-License-Identifier: MIT */
/* The ancestor's thread manager, which keeps all threads in a table that it searches. */
#include "ancestor.h"

#include <hal/work.h>

#include "thread/manager.h"

/* Threads that have a slot, ended ones that nobody joined among them. */
static uint64_t entries(struct cluster *c)
{
    uint64_t n = 0;
    hal_lock(&c->lock);
    for (uint32_t i = 0; i < c->machine->threads; i++)
        n += c->thread[i].slot != KERN_FREE;
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

const struct kern_manager kern_ancestor_manager = {search, search};
