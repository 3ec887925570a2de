/* SPDX-License-Identifier: MIT */
/* The end: a cluster's is a word of the network's, the machine's a word to QEMU's finisher. */
#include "riscv.h"

#include <base/fmt.h>
#include <hal/core.h>
#include <hal/event.h>
#include <hal/power.h>

enum { FINISH_PASS = 0x5555, FINISH_FAIL = 0x3333 };

_Noreturn void rv_finish(int status)
{
    volatile uint32_t *finisher = (volatile uint32_t *)RV_FINISHER;
    RV_ORDER();
    *finisher = status == 0 ? FINISH_PASS : (uint32_t)(status & 255) << 16 | FINISH_FAIL;
    RV_WRITE(mie, 0);
    for (;;)
        __asm__ volatile("wfi");
}

/* What this cluster gave to the engine has arrived. */
static void drain(void)
{
    for (int i = 0; i < RV_TRANSFERS; i++)
        while (atomic_load(&rv_noc()->transfer[rv_cluster][i].state) == RV_ASKED)
            rv_yield();
}

_Noreturn void hal_power_off(int status)
{
    struct rv_noc *noc = rv_noc();
    int clusters = hal_machine_clusters(hal_machine());
    uint32_t none = 0;
    drain();
    rv_memory_count();
    if (atomic_exchange(&noc->cluster[rv_cluster].ended, 1) != 0)
        rv_park();
    if ((status & 255) != 0)
        atomic_compare_exchange_strong(&noc->status, &none, (uint32_t)status & 255);
    if ((int)atomic_fetch_add(&noc->ended, 1) + 1 == clusters)
        rv_finish((int)atomic_load(&noc->status));
    for (int i = 0; i < clusters; i++)
        if (atomic_load(&noc->cluster[i].ended) == 0)
            rv_raise_noc(i);
    for (int i = rv_hart(rv_cluster, 0); i < rv_hart(rv_cluster + 1, 0); i++)
        rv_raise(i); /* they stop */
    rv_park();
}

_Noreturn void hal_abort(int status, const char *why)
{
    if (why) {
        char head[40];
        int n = b_fmt(head, sizeof head, "cluster %d core %d: ", rv_cluster, hal_here_core);
        const struct b_piece line[] = {
            {NULL, head, (size_t)n}, {NULL, why, strlen(why)}, {NULL, "\n", 1}};
        rv_console(line, 3);
    }
    rv_finish(status & 255);
}

int hal_power_ended_count(void)
{
    return (int)atomic_load(&rv_noc()->ended);
}

uint64_t hal_power_ended_set(int word)
{
    uint64_t ended = 0;
    int clusters = hal_machine_clusters(hal_machine());
    for (int i = 0; i < 64 && word * 64 + i < clusters; i++)
        ended |= (uint64_t)(atomic_load(&rv_noc()->cluster[word * 64 + i].ended) != 0) << i;
    return ended;
}
