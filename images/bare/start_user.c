/* SPDX-License-Identifier: MIT */
/* Where the kernel of each cluster begins, if ranks run in user mode. */
#include <stddef.h>

#include <hal/virt.h>
#include <kernel/boot.h>

#include "main.h"

void rv_main(void)
{
    kern_boot_user(bare_cluster_main, NULL);
}
