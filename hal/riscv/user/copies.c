/* SPDX-License-Identifier: MIT */
/* The copies of a program whose ranks are threads in user mode. Thread-local variables are the
 * thread's own, and so the rank's, from its beginning. */
#include <hal/virt.h>

extern char rv_program[], rv_program_linked[], rv_image_end[];

void *hal_virt_copy(int i, const void *of)
{
    return rv_program + ((const char *)of - rv_program_linked) + i * (rv_image_end - rv_program);
}

void hal_virt_enter(int i)
{
    (void)i;
}

void hal_virt_leave(void)
{
}
