/* SPDX-License-Identifier: MIT */
/* Starts QEMU's `virt` with an image of the bare machine. */
#ifndef HAL_TEST_RISCV_QEMU_H
#define HAL_TEST_RISCV_QEMU_H

#include <stdbool.h>

#include <hal/machine.h>

/* Runs the image that LWMPI_TEST_IMAGE names on the machine, its program with this argument, and
 * tells it how the runs with smaller ones ended. Returns QEMU's exit code, which is the machine's
 * status; *text is what the console showed, valid until the next call. Deterministic: all harts
 * take turns on one thread and time is the number of instructions.
 *
 * If LWMPI_TEST_RUN is set that command runs instead (docs/porting.md): LWMPI_TEST_CASE is the
 * argument, LWMPI_TEST_BOARD a file with the description, LWMPI_TEST_CORES how many cores the
 * machine has, all in all; its output is the console, its exit code the status, unless the last
 * line says "status N". */
int qemu_run(const struct hal_machine *m, unsigned argument, const char **text);

/* Whether machines that run from now on may ask this computer (hal_virt.hosted); at first not. */
void qemu_ask(bool may);

#endif
