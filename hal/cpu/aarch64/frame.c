/* SPDX-License-Identifier: MIT */
#include "../cpu.h"

#include <hal/debug.h>

#include <stdint.h>

extern void hal_cpu_start(void);

/* The layout of a suspended context, see context.S. */
struct frame {
    uint64_t x19, x20, x21_to_x28[8], x29, resume;
    uint64_t d8_to_d15[8];
    uint64_t fpcr, spare;
};

const struct hal_debug_word hal_debug_context[] = {
    {HAL_DEBUG_MEMBER(frame, x19)},
    {HAL_DEBUG_MEMBER(frame, x20)},
    {"frame.x21", offsetof(struct frame, x21_to_x28[0])},
    {"frame.x22", offsetof(struct frame, x21_to_x28[1])},
    {"frame.x23", offsetof(struct frame, x21_to_x28[2])},
    {"frame.x24", offsetof(struct frame, x21_to_x28[3])},
    {"frame.x25", offsetof(struct frame, x21_to_x28[4])},
    {"frame.x26", offsetof(struct frame, x21_to_x28[5])},
    {"frame.x27", offsetof(struct frame, x21_to_x28[6])},
    {"frame.x28", offsetof(struct frame, x21_to_x28[7])},
    {HAL_DEBUG_MEMBER(frame, x29)},
    {HAL_DEBUG_MEMBER(frame, resume)},
    {HAL_DEBUG_SIZE(frame)},
    {NULL, 0},
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
