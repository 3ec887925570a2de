/* SPDX-License-Identifier: MIT */
/* The network's engine: the hart after the last. It stands for the hardware that moves data between
 * the memories of clusters, which none of their harts could do from its cage, so it has no cage
 * itself; it looks at every address it is given. It runs in the image as it was loaded and writes
 * no variable. */
#include "riscv.h"

#include <base/mem.h>

/* Ticks of the clock, 0.1 ms. Where QEMU counts instructions it lets a hart run until the next
 * timer of any: one that computes, or goes round without sleeping, makes others wait no longer. */
#define TURN 1000

/* n bytes at p lie in the cage of a cluster. */
RV_OUTSIDE static bool inside(uint64_t p, uint64_t n, int cluster)
{
    uint64_t cage = rv_cage(cluster);
    return p >= cage && n <= RV_CAGE_BYTES && p - cage <= RV_CAGE_BYTES - n;
}

RV_TEXT_OUTSIDE elsewhere[] =
    "network: a transfer between other memory than that of its two clusters\n";

RV_OUTSIDE static void move(int from, struct rv_transfer *t)
{
    struct rv_channel *c = &rv_noc()->channel[t->to][t->channel];
    uint32_t serial = atomic_load(&c->state) / RV_STATES;
    uint64_t n = t->n;
    if (n > 0 &&
        (n > c->capacity || !inside(t->buffer, n, from) || !inside(c->buffer, n, (int)t->to)))
        rv_refuse(elsewhere);
    memcpy((void *)(uintptr_t)c->buffer, (const void *)(uintptr_t)t->buffer, n);
    c->written = n;
    c->sender_cookie = t->cookie;
    atomic_store(&c->state, serial * RV_STATES + RV_WRITTEN);
    uint32_t to = t->to;
    atomic_store(&t->state, RV_DONE);
    rv_raise_noc((int)to);
    rv_raise_noc(from);
    rv_awake_less();
}

RV_OUTSIDE static bool serve(int clusters)
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

/* A register of what leads interrupts of devices to harts: the serial line's here, to the engine in
 * machine mode. */
RV_OUTSIDE static volatile uint32_t *plic(unsigned offset)
{
    return (volatile uint32_t *)(uintptr_t)(RV_PLIC + offset);
}

enum { SERIAL = 10, PRIORITY = 4 * SERIAL, ENABLE = 0x2000, CLAIM = 0x200004 };
enum { UART_INTERRUPTS = 1, UART_STATUS = 5, UART_HAS_BYTE = 1 };

RV_OUTSIDE static void listen(unsigned self)
{
    *plic(PRIORITY) = 1;
    *plic(ENABLE + 0x80 * 2 * self) = 1u << SERIAL;
    ((volatile uint8_t *)RV_UART)[UART_INTERRUPTS] = 1;
    RV_WRITE(mie, RV_MIE_SOFTWARE | RV_MIE_TIMER | RV_MIE_DEVICE);
}

/* What comes by the serial line asks for the report. The first core of each cluster gives it. */
RV_OUTSIDE static void hear(unsigned self, int clusters)
{
    volatile uint8_t *uart = (volatile uint8_t *)RV_UART;
    volatile uint32_t *claim = plic(CLAIM + 0x1000 * 2 * self);
    bool asked = false;
    uint32_t source = *claim;
    while ((uart[UART_STATUS] & UART_HAS_BYTE) != 0)
        asked = uart[0] == HAL_VIRT_REPORT || asked;
    if (source != 0)
        *claim = source;
    if (!asked)
        return;
    atomic_fetch_add(&rv_noc()->asked, 1);
    for (int i = 0; i < clusters; i++)
        rv_raise(rv_hart(i, 0));
}

/* It runs, or will as soon as it has its turn. */
RV_OUTSIDE static bool busy(struct rv_hart *h)
{
    uint32_t asleep = atomic_load(&h->asleep);
    return asleep == RV_AWAKE || (asleep == RV_ASLEEP && atomic_load(&h->event) != 0);
}

/* When the engine shall look again by itself: at the end of a turn, or never, as long as all sleep,
 * since each of its looks would take QEMU longer than it skips. Pairs with rv_woke: we say that we
 * rest before we look, who wakes up says so before it looks whether we rest. */
RV_OUTSIDE static uint64_t next_look(int harts)
{
    atomic_store(&rv_noc()->resting, 1);
    for (int i = 0; i < harts; i++) {
        if (busy(&rv_noc()->hart[i])) {
            atomic_store(&rv_noc()->resting, 0);
            return rv_time() + TURN;
        }
    }
    return UINT64_MAX;
}

RV_OUTSIDE _Noreturn void rv_engine(void)
{
    int self = rv_harts(), clusters = hal_machine_clusters(&rv_board()->machine);
    struct rv_hart *h = &rv_noc()->hart[self];
    listen((unsigned)self);
    atomic_store(&h->asleep, RV_ASLEEP); /* always told by an interrupt */
    for (;;) {
        while (serve(clusters)) {
        }
        *rv_msip(self) = 0;
        RV_ORDER();
        rv_timer(self, next_look(self));
        if (atomic_exchange(&h->event, 0) == 0)
            __asm__ volatile("wfi");
        hear((unsigned)self, clusters);
    }
}
