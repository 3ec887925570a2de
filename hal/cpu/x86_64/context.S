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
        .weak   hal_context_switch
        .hidden hal_context_switch
        .type   hal_context_switch, @function
        .p2align 4
hal_context_switch:
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
        movq    hal_cpu_changed@gottpoff(%rip), %rcx
        movb    $1, %fs:(%rcx)
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

/* int hal_context_return(int value)
 * After a switch the return that the processor predicts here is one of the context that was left:
 * so it leaves by a jump. Jumps are predicted by the addresses of the jumps before them, and those
 * of contexts that run the same code differ too little. So each context takes a jump of its own,
 * one of 256 that all do the same, chosen by where its stack is: which one the context before took
 * tells who is next. */
        .globl  hal_context_return
        .hidden hal_context_return
        .type   hal_context_return, @function
        .p2align 4
hal_context_return:
        movq    hal_cpu_changed@gottpoff(%rip), %rcx
        movl    %edi, %eax
        cmpb    $0, %fs:(%rcx)
        jne     1f
        ret
1:      movb    $0, %fs:(%rcx)
        movq    %rsp, %rdx
        shrq    $12, %rdx
        imull   $0x9e3779b9, %edx, %edx
        shrl    $24, %edx
        leaq    2f(%rip), %rcx
        leaq    (%rcx, %rdx, 2), %rdx
        popq    %rcx
        jmp     *%rdx
        .p2align 6
2:      .fill   256, 2, 0xe1ff  /* jmp *%rcx */
        .size   hal_context_return, . - hal_context_return

/* Of a core: a context was switched to, and has not yet returned by hal_context_return. */
        .section .tbss, "awT", @nobits
        .type   hal_cpu_changed, @object
        .size   hal_cpu_changed, 1
hal_cpu_changed:
        .zero   1

        .section .note.GNU-stack, "", @progbits
