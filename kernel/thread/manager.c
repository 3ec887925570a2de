/* SPDX-License-Identifier: MIT */
#include "manager.h"

#include <hal/work.h>

#include "../ancestor/ancestor.h"

static void create_at_once(struct cluster *c)
{
    hal_work(c->machine->cost.thread_create);
}

static void end_at_once(struct cluster *c)
{
    (void)c;
}

static const struct kern_manager own = {create_at_once, end_at_once};

const struct kern_manager *kern_manager(const struct hal_machine *m)
{
    return m->ancestor_threads ? kern_ancestor->manager : &own;
}
