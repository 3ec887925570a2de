/* SPDX-License-Identifier: MIT */
#include <ucontext.h>

#include <hal/hosted.h>

uintptr_t hal_interrupted(const void *context)
{
    const ucontext_t *uc = context;
    return uc->uc_mcontext.pc;
}

uintptr_t hal_interrupted_stack(const void *context)
{
    const ucontext_t *uc = context;
    return uc->uc_mcontext.sp;
}
