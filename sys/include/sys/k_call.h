/* SPDX-License-Identifier: MIT */
/* The gate into the kernel: a function call on linux and sim, an ecall on riscv. */
#ifndef SYS_K_CALL_H
#define SYS_K_CALL_H

enum k_call_number {
#define K_CALL(number, name, class, arguments) K_NR_##name = number,
#include <sys/syscalls.def>
#undef K_CALL
};

/* Performs kernel call `number`. Returns what the call returns; -B_ENOSYS for an unknown number,
 * -B_EPERM where there is no kernel (before kern_boot, or outside of the cores it runs) or, for
 * a call that another core serves, no calling thread. */
long k_call(int number, long a0, long a1, long a2, long a3, long a4);

#endif
