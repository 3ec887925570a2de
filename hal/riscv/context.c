/* SPDX-License-Identifier: MIT */
/* Contexts: the processor's switch, and the guard of the stack that runs. */
#include <hal/context.h>
#include <hal/core.h>

#include "../cpu/cpu.h"
#include "riscv.h"

/* Use of hal_context.tool, until the context runs. */
enum { TOOL_FUNCTION, TOOL_ARGUMENT, TOOL_GUARD };

/* QEMU 7.2 remembers what may be done to a page, guard or not, until it is told to look again. */
static void set_guard(uintptr_t guard)
{
    RV_WRITE(pmpaddr0, guard);
    __asm__ volatile("sfence.vma" ::: "memory");
}

static void enter(struct hal_context *left, void *arg)
{
    struct hal_context *c = arg;
    void (*fn)(void *arg);
    (void)left;
    rv_storage_take(rv_core_storage(hal_here_core));
    set_guard((uintptr_t)c->tool[TOOL_GUARD]);
    *(void **)&fn = c->tool[TOOL_FUNCTION];
    fn(c->tool[TOOL_ARGUMENT]);
}

void hal_context_init(struct hal_context *c, void *stack, size_t size, void (*fn)(void *arg),
                      void *arg)
{
    *c = (struct hal_context){.sp = NULL};
    c->tool[TOOL_FUNCTION] = (void *)fn;
    c->tool[TOOL_ARGUMENT] = arg;
    c->tool[TOOL_GUARD] = (void *)rv_guard(stack, rv_guard_bytes(size));
    c->sp = hal_cpu_frame_make((char *)stack + size, enter, c);
}

/* Until the context that comes has set its own guard, that of the other one stands, which hurts
 * nobody. Two contexts that hand the hart to each other may wait for what another hart does. */
void hal_context_switch(struct hal_context *from, struct hal_context *to)
{
    rv_turn();
    uintptr_t guard = RV_READ(pmpaddr0);
    char *storage = rv_storage();
    hal_cpu_switch(from, to);
    set_guard(guard);
    rv_storage_take(storage);
}

void hal_context_fini(struct hal_context *c)
{
    (void)c;
}
