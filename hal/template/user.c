/* SPDX-License-Identifier: MIT */
/* To write where the processor has a mode of fewer rights and something that protects memory from
 * it. Otherwise it stays as it is: programs then run with the kernel's rights. */
#include <hal/user.h>

#include <hal/power.h>

void hal_user_init(const struct hal_user_kernel *kernel, void *frames)
{
    (void)kernel;
    (void)frames;
}

size_t hal_user_grain(void)
{
    return 1;
}

bool hal_user_code(const void *fn)
{
    (void)fn;
    return false;
}

bool hal_user_memory(const void *at, size_t n, bool written)
{
    (void)at;
    (void)n;
    (void)written;
    return true;
}

size_t hal_user_stack(size_t size)
{
    return size;
}

void hal_user_waiting(int core, void **stack, size_t *size)
{
    (void)core;
    *stack = NULL;
    *size = 0;
}

_Noreturn void hal_user_run(void *stack, size_t n, void (*fn)(void *arg), void *arg, bool ends)
{
    (void)stack;
    (void)n;
    (void)fn;
    (void)arg;
    (void)ends;
    hal_abort(1, "this port has no user mode");
}
