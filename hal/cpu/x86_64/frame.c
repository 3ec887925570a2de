/* SPDX-License-Identifier: MIT */
#include "../cpu.h"

#include <hal/debug.h>

#include <stdint.h>

extern void hal_cpu_start(void);

/* The layout of a suspended context, see context.S. */
struct frame {
    uint32_t mxcsr;
    uint16_t x87_control, spare;
    uint64_t r15, r14, r13, r12, rbx, rbp, resume;
};

const struct hal_debug_word hal_debug_context[] = {
    {HAL_DEBUG_MEMBER(frame, r15)},
    {HAL_DEBUG_MEMBER(frame, r14)},
    {HAL_DEBUG_MEMBER(frame, r13)},
    {HAL_DEBUG_MEMBER(frame, r12)},
    {HAL_DEBUG_MEMBER(frame, rbx)},
    {HAL_DEBUG_MEMBER(frame, rbp)},
    {HAL_DEBUG_MEMBER(frame, resume)},
    {HAL_DEBUG_SIZE(frame)},
    {NULL, 0},
};

void *hal_cpu_frame_make(void *top, void (*entry)(struct hal_context *left, void *arg), void *arg)
{
    struct frame *f = (struct frame *)((uintptr_t)top & ~(uintptr_t)15) - 1;
    *f = (struct frame){
        .r12 = (uint64_t)arg, .rbx = (uint64_t)entry, .resume = (uint64_t)hal_cpu_start};
    __asm__("stmxcsr %0" : "=m"(f->mxcsr));
    __asm__("fnstcw %0" : "=m"(f->x87_control));
    return f;
}

void *hal_cpu_frame_resume(const void *sp)
{
    return (void *)((const struct frame *)sp)->resume;
}

void *hal_cpu_frame_pointer(const void *sp)
{
    return (void *)((const struct frame *)sp)->rbp;
}
