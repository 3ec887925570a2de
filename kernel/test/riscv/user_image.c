/* SPDX-License-Identifier: MIT */
/* The kernel's part of an image whose test runs in user mode. */
#include <kernel/boot.h>

#include <test/bare.h>

int user_main(void *arg); /* the program's */

void rv_main(void)
{
    kern_boot_user(user_main, (void *)(uintptr_t)bare_argument());
}
