/* SPDX-License-Identifier: MIT */
/* To write: hal/cpu/<processor>/context.S, the switch, if hal/cpu has none yet, and this file
 * around it as in hal/hosted/context.c without the sanitizers. Images are linked with the folder of
 * hal/cpu that has the name of the toolchain's CMAKE_SYSTEM_PROCESSOR; it defines
 * hal_context_switch and hal_context_return too (hal/cpu/cpu.h), which then go from here. Here a
 * switch does not happen. */
#include <hal/context.h>

#include "missing.h"

void hal_context_init(struct hal_context *c, void *stack, size_t size, void (*fn)(void *arg),
                      void *arg)
{
    MISSING();
    (void)stack;
    (void)size;
    (void)fn;
    (void)arg;
    *c = (struct hal_context){.sp = NULL};
}

void hal_context_switch(struct hal_context *from, struct hal_context *to)
{
    MISSING();
    (void)from;
    (void)to;
}

int hal_context_return(int value)
{
    return value;
}

void hal_context_fini(struct hal_context *c)
{
    (void)c;
}
