/* SPDX-License-Identifier: MIT */
#include <sys/k_thread.h>

_Noreturn void k_thread_exit(void *value)
{
    for (;;)
        k_call(K_NR_thread_exit, (long)value, 0, 0, 0, 0);
}
