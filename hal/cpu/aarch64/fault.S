/* SPDX-License-Identifier: MIT */
/* Where a context goes on that hal_cpu_redirect has redirected: x19 = the function, x0 and x1 = its
 * arguments, sp = the saved state, to which rt_sigreturn goes back. */
        .text
        .globl  hal_cpu_faulted
        .hidden hal_cpu_faulted
        .type   hal_cpu_faulted, %function
        .p2align 4
hal_cpu_faulted:
        .cfi_startproc
        .cfi_undefined x30
        blr     x19
        mov     x8, #139
        svc     #0
        udf     #0
        .cfi_endproc
        .size   hal_cpu_faulted, . - hal_cpu_faulted

        .section .note.GNU-stack, "", %progbits
