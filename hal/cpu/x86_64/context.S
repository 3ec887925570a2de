/* SPDX-License-Identifier: MIT */
/* The x86-64 context switch. A suspended context is its stack pointer; from there upwards lie MXCSR
 * and the x87 control word (8 bytes), r15, r14, r13, r12, rbx, rbp and the address to resume at.
 * Both control words are saved and loaded without a test: a branch on them costs more. It leaves by
 * `ret`, though to another stack: contexts mostly wait at the same place, so what the processor
 * predicts for this return and for those of the callers is right. A jump would leave its prediction
 * one return behind, and each of them wrong. */
        .text

/* struct hal_context *hal_cpu_switch(struct hal_context *from, struct hal_context *to)
 * Returns, on the side of `to`, the context that was left. */
        .globl  hal_cpu_switch
        .hidden hal_cpu_switch
        .type   hal_cpu_switch, @function
        .p2align 4
hal_cpu_switch:
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        subq    $8, %rsp
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)
        movq    (%rsi), %rsp
        ldmxcsr (%rsp)
        fldcw   4(%rsp)
        addq    $8, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        movq    %rdi, %rax
        ret
        .size   hal_cpu_switch, . - hal_cpu_switch

/* Where a new context starts: rax = the context left, rbx = the function, r12 = its argument. The
 * frame pointer is 0 and no return address follows, so debuggers and call chains end here. */
        .globl  hal_cpu_start
        .hidden hal_cpu_start
        .type   hal_cpu_start, @function
        .p2align 4
hal_cpu_start:
        .cfi_startproc
        .cfi_undefined rip
        movq    %rax, %rdi
        movq    %r12, %rsi
        callq   *%rbx
        ud2
        .cfi_endproc
        .size   hal_cpu_start, . - hal_cpu_start

        .section .note.GNU-stack, "", @progbits
