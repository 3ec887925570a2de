/* SPDX-License-Identifier: MIT */
/* The serial line, one writer at a time. */
#include "riscv.h"

#include <hal/console.h>

#define STATUS 5    /* register of the 16550 */
#define ROOM   0x20 /* in it: a byte may be written */
#define TRIES  1000000

static void put(volatile uint8_t *uart, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        while ((uart[STATUS] & ROOM) == 0)
            rv_yield();
        uart[0] = (uint8_t)text[i];
    }
}

void rv_console(const struct b_piece *pieces, int n)
{
    struct rv_noc *noc = rv_noc();
    uint32_t mine = atomic_fetch_add(&noc->ticket, 1);
    /* A hart that trapped while it wrote would wait for itself, so not for ever. */
    for (int i = 0; atomic_load(&noc->serving) != mine && i < TRIES; i++)
        rv_yield();
    for (int i = 0; i < n; i++)
        put((volatile uint8_t *)RV_UART, pieces[i].from, pieces[i].n);
    atomic_store(&noc->serving, mine + 1);
}

void hal_console_write(const char *text, size_t n)
{
    rv_console(&(struct b_piece){.from = text, .n = n}, 1);
}
