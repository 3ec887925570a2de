/* SPDX-License-Identifier: MIT */
/* Where a context goes on that hal_cpu_redirect has redirected: r12 = the function, rdi and rsi =
 * its arguments, rbx = rsp = the saved state, to which rt_sigreturn goes back. */
        .text
        .globl  hal_cpu_faulted
        .hidden hal_cpu_faulted
        .type   hal_cpu_faulted, @function
        .p2align 4
hal_cpu_faulted:
        .cfi_startproc
        .cfi_undefined rip
        callq   *%r12
        movq    %rbx, %rsp
        movl    $15, %eax
        syscall
        ud2
        .cfi_endproc
        .size   hal_cpu_faulted, . - hal_cpu_faulted

        .section .note.GNU-stack, "", @progbits
