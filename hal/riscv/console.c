/* SPDX-License-Identifier: MIT */
/* The serial line, one writer at a time. */
#include "riscv.h"

#include <hal/console.h>

#define STATUS 5    /* register of the 16550 */
#define ROOM   0x20 /* in it: a byte may be written */
#define TRIES  1000000

void hal_console_write(const char *text, size_t n)
{
    struct rv_noc *noc = rv_noc();
    volatile uint8_t *uart = (volatile uint8_t *)RV_UART;
    uint32_t mine = atomic_fetch_add(&noc->ticket, 1);
    /* A hart that trapped while it wrote would wait for itself, so not for ever. */
    for (int i = 0; atomic_load(&noc->serving) != mine && i < TRIES; i++)
        rv_yield();
    for (size_t i = 0; i < n; i++) {
        while ((uart[STATUS] & ROOM) == 0)
            rv_yield();
        uart[0] = (uint8_t)text[i];
    }
    atomic_store(&noc->serving, mine + 1);
}
