/* SPDX-License-Identifier: MIT */
#include "../cpu.h"

#include <stdint.h>

extern void hal_cpu_start(void);

/* The layout of a suspended context, see context.S. */
struct frame {
    uint64_t x19, x20, x21_to_x28[8], x29, resume;
    uint64_t d8_to_d15[8];
    uint64_t fpcr, spare;
};

void *hal_cpu_frame_make(void *top, void (*entry)(struct hal_context *left, void *arg), void *arg)
{
    struct frame *f = (struct frame *)((uintptr_t)top & ~(uintptr_t)15) - 1;
    *f = (struct frame){
        .x19 = (uint64_t)entry, .x20 = (uint64_t)arg, .resume = (uint64_t)hal_cpu_start};
    __asm__("mrs %0, fpcr" : "=r"(f->fpcr));
    return f;
}

void *hal_cpu_frame_resume(const void *sp)
{
    return (void *)((const struct frame *)sp)->resume;
}

void *hal_cpu_frame_pointer(const void *sp)
{
    return (void *)((const struct frame *)sp)->x29;
}
