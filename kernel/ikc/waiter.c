/* SPDX-License-Identifier: MIT */
/* The own style of waiting for communication: threads sleep. */
#include "ikc/waiter.h"

#include <kernel/cluster.h>
#include <kernel/ikc.h>

#include "../ancestor/ancestor.h"
#include "ikc/internal.h"

static size_t no_bytes(const struct hal_machine *m)
{
    (void)m;
    return 0;
}

static bool at_once(struct kern_ikc *k, struct kern_object *o, const struct k_bell *bell)
{
    (void)k, (void)o, (void)bell;
    return true;
}

static void nothing(struct kern_ikc *k)
{
    (void)k;
}

static const struct kern_waiter own = {no_bytes, at_once, nothing};

const struct kern_waiter *kern_waiter(const struct hal_machine *m)
{
    return m->ancestor_waiting ? kern_ancestor->waiter : &own;
}

bool kern_ikc_before_bell(const struct k_bell *b)
{
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->done);
    bool may = k->waiter->before(k, NULL, b);
    hal_unlock(&k->done);
    return may;
}

void kern_ikc_after_bell(void)
{
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->done);
    k->waiter->after(k);
    hal_unlock(&k->done);
}

void kern_waiter_init(struct kern_ikc *k, void *memory)
{
    k->reserved = memory;
}
