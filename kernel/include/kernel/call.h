/* SPDX-License-Identifier: MIT */
/* The functions behind the kernel calls, one for each line of sys/syscalls.def. They run without
 * any lock held; pointers come from the program and are checked before use. */
#ifndef KERNEL_CALL_H
#define KERNEL_CALL_H

#define K_CALL(name, class, arguments)                                                             \
    long kern_sys_##name(long a0, long a1, long a2, long a3, long a4);
#include <sys/syscalls.def>
#undef K_CALL

#endif
