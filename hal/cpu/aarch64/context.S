/* SPDX-License-Identifier: MIT */
/* The AArch64 context switch. A suspended context is its stack pointer; from there upwards lie
 * x19..x28, x29 and the address to resume at, d8..d15, and FPCR (176 bytes with padding). It
 * leaves by `ret`, as on x86-64, for the sake of predicted returns. */
        .text

/* struct hal_context *hal_cpu_switch(struct hal_context *from, struct hal_context *to)
 * Returns, on the side of `to`, the context that was left: x0 is not touched. */
        .globl  hal_cpu_switch
        .hidden hal_cpu_switch
        .type   hal_cpu_switch, %function
        .weak   hal_context_switch
        .hidden hal_context_switch
        .type   hal_context_switch, %function
        .p2align 4
hal_context_switch:
hal_cpu_switch:
        sub     sp, sp, #176
        mrs     x9, fpcr
        stp     x19, x20, [sp, #0]
        stp     x21, x22, [sp, #16]
        stp     x23, x24, [sp, #32]
        stp     x25, x26, [sp, #48]
        stp     x27, x28, [sp, #64]
        stp     x29, x30, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        str     x9, [sp, #160]
        mov     x10, sp
        str     x10, [x0]
        ldr     x10, [x1]
        mov     sp, x10
        ldr     x9, [sp, #160]
        ldp     x19, x20, [sp, #0]
        ldp     x21, x22, [sp, #16]
        ldp     x23, x24, [sp, #32]
        ldp     x25, x26, [sp, #48]
        ldp     x27, x28, [sp, #64]
        ldp     x29, x30, [sp, #80]
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        msr     fpcr, x9
        add     sp, sp, #176
        ret
        .size   hal_cpu_switch, . - hal_cpu_switch

/* int hal_context_return(int value): as any function returns; what an indirect jump does for it
 * here was not measured. */
        .globl  hal_context_return
        .hidden hal_context_return
        .type   hal_context_return, %function
        .p2align 4
hal_context_return:
        ret
        .size   hal_context_return, . - hal_context_return

/* Where a new context starts: x0 = the context left, x19 = the function, x20 = its argument. */
        .globl  hal_cpu_start
        .hidden hal_cpu_start
        .type   hal_cpu_start, %function
        .p2align 4
hal_cpu_start:
        .cfi_startproc
        .cfi_undefined x30
        mov     x1, x20
        blr     x19
        brk     #1
        .cfi_endproc
        .size   hal_cpu_start, . - hal_cpu_start

        .section .note.GNU-stack, "", %progbits
