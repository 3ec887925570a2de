/* SPDX-License-Identifier: MIT */
/* To delete at the end. Says, on QEMU's RISC-V `virt`, which function of the template was called
 * although the port still has to write it, and ends the machine. */
#include <stdint.h>

#include "../missing.h"

#define UART     ((volatile uint8_t *)0x10000000)
#define FINISHER ((volatile uint32_t *)0x00100000)
#define FAIL     0x3333u
#define STATUS   77u

static void say(const char *text)
{
    for (; *text != '\0'; text++)
        *UART = (uint8_t)*text;
}

void hal_template_missing(const char *function)
{
    say("missing: ");
    say(function);
    say("\n");
    *FINISHER = STATUS << 16 | FAIL;
    for (;;) {
    }
}
