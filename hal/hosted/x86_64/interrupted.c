/* SPDX-License-Identifier: MIT */
#include <ucontext.h>

#include <hal/hosted.h>

uintptr_t hal_interrupted(const void *context)
{
    const ucontext_t *uc = context;
    return (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
}

uintptr_t hal_interrupted_stack(const void *context)
{
    const ucontext_t *uc = context;
    return (uintptr_t)uc->uc_mcontext.gregs[REG_RSP];
}
