/* SPDX-License-Identifier: MIT */
/* Contexts: the switch is the processor's (hal/cpu/aarch64). */
#include <hal/context.h>

#include <hal/power.h>

#include "../cpu/cpu.h"
#include "port.h"

/* Two contexts that hand the core to each other may wait for what another core does. */
void hal_context_switch(struct hal_context *from, struct hal_context *to)
{
    static _Thread_local unsigned switches;
    port_turn(&switches);
    hal_cpu_switch(from, to);
}

static void enter(struct hal_context *left, void *arg)
{
    (void)left;
    struct hal_context *c = arg;
    ((void (*)(void *arg))c->tool[0])(c->tool[1]);
    hal_abort(1, "a context returned");
}

void hal_context_init(struct hal_context *c, void *stack, size_t size, void (*fn)(void *arg),
                      void *arg)
{
    *c = (struct hal_context){.tool = {(void *)fn, arg}};
    c->sp = hal_cpu_frame_make((char *)stack + size, enter, c);
}

void hal_context_fini(struct hal_context *c)
{
    (void)c;
}
