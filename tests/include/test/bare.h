/* SPDX-License-Identifier: MIT */
/* What a test inside an image of the bare machine knows of the run it is in: QEMU's memory holds it
 * (hal/test/riscv/qemu.h). For parts of the test in the kernel's mode and in user mode. */
#ifndef TEST_BARE_H
#define TEST_BARE_H

#include <hal/machine.h>

/* Which of the test's machines is asked for, from 0; how an earlier one ended; this one. */
unsigned bare_argument(void);
int bare_earlier(unsigned argument);
const struct hal_machine *bare_machine(void);

/* The image's own first function: see hal/riscv/riscv.h. */
void rv_main(void);

#endif
