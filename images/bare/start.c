/* SPDX-License-Identifier: MIT */
/* Where the kernel of each cluster begins, and what it runs. */
#include <stddef.h>

#include <hal/virt.h>
#include <kernel/boot.h>

#include "main.h"

void rv_main(void)
{
    kern_boot(bare_cluster_main, NULL);
}
