/* SPDX-License-Identifier: MIT */
/* Boot of one cluster. */
#ifndef KERNEL_BOOT_H
#define KERNEL_BOOT_H

/* Called on core 0 of each cluster by the image: builds struct cluster in the memory window,
 * starts the other cores, and runs main(arg) as the first thread, on the first core for
 * programs. When main returns s, the cluster ends with status s (hal_power_off). Does not
 * return. */
_Noreturn void kern_boot(int (*main)(void *arg), void *arg);

/* The same, of a program in user mode (hal/user.h), whose code main is. What the kernel has for
 * such programs is linked only where this is called. */
_Noreturn void kern_boot_user(int (*main)(void *arg), void *arg);

/* The same, but the calling context itself becomes the first thread and continues; for images that
 * attached to a running process (hal_attach). Cluster without an asymmetric kernel only. The caller
 * ends with kern_shutdown, which stops the other cores and returns. */
void kern_adopt(void);
void kern_shutdown(void);

#endif
