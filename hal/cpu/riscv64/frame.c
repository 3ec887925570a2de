/* SPDX-License-Identifier: MIT */
#include "../cpu.h"

#include <stdint.h>

extern void hal_cpu_start(void);

/* The layout of a suspended context, see context.S. */
struct frame {
    uint64_t resume, s0, s1, s2, s3_to_s11[9];
    uint64_t fcsr, fs[12];
};

void *hal_cpu_frame_make(void *top, void (*entry)(struct hal_context *left, void *arg), void *arg)
{
    struct frame *f = (struct frame *)((uintptr_t)top & ~(uintptr_t)15) - 1;
    *f = (struct frame){
        .resume = (uint64_t)hal_cpu_start, .s1 = (uint64_t)entry, .s2 = (uint64_t)arg};
    __asm__("frcsr %0" : "=r"(f->fcsr));
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
