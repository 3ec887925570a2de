/* SPDX-License-Identifier: MIT */
/* Calls of threads in user mode. */
#ifndef KERNEL_CALL_USER_H
#define KERNEL_CALL_USER_H

#include <stddef.h>

struct cluster;

/* At boot, when the frames are known. */
void kern_user_init(struct cluster *c);

/* Copies a text of the program, or as much of it as there is room for, with a terminator.
 * -B_EFAULT: user mode may not read it. */
int kern_user_text(char *to, size_t size, const char *from);

#endif
