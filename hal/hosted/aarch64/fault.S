/* SPDX-License-Identifier: MIT */
/* Where a context goes on that hal_fault_redirect has redirected: x19 = the function, x0 and x1 =
 * its arguments, sp = the saved state, to which rt_sigreturn goes back. */
        .text
        .globl  hal_fault_enter
        .hidden hal_fault_enter
        .type   hal_fault_enter, %function
        .p2align 4
hal_fault_enter:
        .cfi_startproc
        .cfi_undefined x30
        blr     x19
        mov     x8, #139
        svc     #0
        udf     #0
        .cfi_endproc
        .size   hal_fault_enter, . - hal_fault_enter

        .section .note.GNU-stack, "", %progbits
