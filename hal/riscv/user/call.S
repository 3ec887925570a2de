/* SPDX-License-Identifier: MIT */
/* The kernel's gate, for a program that runs in user mode:
 *     long k_enter(int number, long a0, long a1, long a2, long a3, long a4)
 * The kernel takes the number from a7, the arguments from a0 .. a4, and answers in a0. */
#include "../layout.h"

        .text
        .globl  k_enter
        .type   k_enter, @function
        .p2align 2
k_enter:
        mv      a7, a0
        mv      a0, a1
        mv      a1, a2
        mv      a2, a3
        mv      a3, a4
        mv      a4, a5
        ecall
        ret
        .size   k_enter, . - k_enter

/* long hal_virt_host(long operation, const void *arguments) */
        .globl  hal_virt_host
        .type   hal_virt_host, @function
        .p2align 2
hal_virt_host:
        li      a7, RV_CALL_HOST
        ecall
        ret
        .size   hal_virt_host, . - hal_virt_host

        .section .note.GNU-stack, "", @progbits
