/* SPDX-License-Identifier: MIT */
/* Where a context goes on that hal_fault_redirect has redirected: r12 = the function, rdi and rsi =
 * its arguments, rbx = rsp = the saved state, to which rt_sigreturn goes back. */
        .text
        .globl  hal_fault_enter
        .hidden hal_fault_enter
        .type   hal_fault_enter, @function
        .p2align 4
hal_fault_enter:
        .cfi_startproc
        .cfi_undefined rip
        callq   *%r12
        movq    %rbx, %rsp
        movl    $15, %eax
        syscall
        ud2
        .cfi_endproc
        .size   hal_fault_enter, . - hal_fault_enter

        .section .note.GNU-stack, "", @progbits
