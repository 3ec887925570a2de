/* SPDX-License-Identifier: MIT */
#include "../cpu.h"

#include <stdint.h>

#include "width.h"

extern void hal_cpu_start(void);

/* The layout of a suspended context, see context.S. */
struct frame {
    uintptr_t resume, s0, s1, s2, s3_to_s11[9];
    uintptr_t fcsr;
    unsigned char fs[12 * RV_FLOAT];
} __attribute__((aligned(16)));

void *hal_cpu_frame_make(void *top, void (*entry)(struct hal_context *left, void *arg), void *arg)
{
    struct frame *f = (struct frame *)((uintptr_t)top & ~(uintptr_t)15) - 1;
    *f = (struct frame){
        .resume = (uintptr_t)hal_cpu_start, .s1 = (uintptr_t)entry, .s2 = (uintptr_t)arg};
#if RV_FLOAT > 0
    __asm__("frcsr %0" : "=r"(f->fcsr));
#endif
    return f;
}

void *hal_cpu_frame_resume(const void *sp)
{
    return (void *)((const struct frame *)sp)->resume;
}

void *hal_cpu_frame_pointer(const void *sp)
{
    return (void *)((const struct frame *)sp)->s0;
}
