/* SPDX-License-Identifier: MIT */
/* The network's engine: the hart after the last. It stands for the hardware that moves data between
 * the memories of clusters, which none of their harts could do from its cage, so it has no cage
 * itself; it looks at every address it is given. It runs in the image as it was loaded and writes
 * no variable. */
#include "riscv.h"

#include <base/mem.h>

/* n bytes at p lie in the cage of a cluster. */
static bool inside(uint64_t p, uint64_t n, int cluster)
{
    uint64_t cage = rv_cage(cluster);
    return p >= cage && n <= RV_CAGE_BYTES && p - cage <= RV_CAGE_BYTES - n;
}

static void move(int from, struct rv_transfer *t)
{
    struct rv_channel *c = &rv_noc()->channel[t->to][t->channel];
    uint32_t serial = atomic_load(&c->state) / RV_STATES;
    uint64_t n = t->n;
    if (n > 0 &&
        (n > c->capacity || !inside(t->buffer, n, from) || !inside(c->buffer, n, (int)t->to))) {
        rv_refuse("network: a transfer between other memory than that of its two clusters\n");
    }
    memcpy((void *)c->buffer, (const void *)t->buffer, n);
    c->written = n;
    c->sender_cookie = t->cookie;
    atomic_store(&c->state, serial * RV_STATES + RV_WRITTEN);
    uint32_t to = t->to;
    atomic_store(&t->state, RV_DONE);
    rv_raise_noc((int)to);
    rv_raise_noc(from);
    rv_awake_less();
}

static bool serve(int clusters)
{
    bool served = false;
    for (int from = 0; from < clusters; from++) {
        for (int i = 0; i < RV_TRANSFERS; i++) {
            struct rv_transfer *t = &rv_noc()->transfer[from][i];
            if (atomic_load(&t->state) == RV_ASKED) {
                move(from, t);
                served = true;
            }
        }
    }
    return served;
}

_Noreturn void rv_engine(void)
{
    int self = rv_harts(), clusters = hal_machine_clusters(&rv_board()->machine);
    struct rv_hart *h = &rv_noc()->hart[self];
    RV_WRITE(mie, RV_MIE_SOFTWARE);
    atomic_store(&h->asleep, RV_ASLEEP); /* always told by an interrupt */
    for (;;) {
        while (serve(clusters)) {
        }
        *rv_msip(self) = 0;
        RV_ORDER();
        if (atomic_exchange(&h->event, 0) == 0) {
            __asm__ volatile("wfi");
        }
    }
}
