/* SPDX-License-Identifier: MIT */
/* What a test inside an image of the bare machine knows of the run it is in: QEMU's memory holds it
 * (hal/test/riscv/qemu.h). For parts of the test in the kernel's mode and in user mode. */
#ifndef TEST_BARE_H
#define TEST_BARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hal/machine.h>

/* Which of the test's machines is asked for, from 0; how an earlier one ended; this one. */
unsigned bare_argument(void);
int bare_earlier(unsigned argument);
const struct hal_machine *bare_machine(void);

/* How the test speaks and ends, with the kernel's rights (hal/test/riscv/kernel_mode.c) or in user
 * mode (kernel/test/riscv/user_mode.c). bare_abort: the whole machine, with a line, or NULL. */
void bare_say(const char *text, size_t n);
_Noreturn void bare_end(int status);
_Noreturn void bare_abort(int status, const char *why);

/* The test's main, which starts machines (hal/test/riscv/machines_bare.c). */
_Noreturn void bare_main(void);

/* What the console showed in the machine that ended last; NULL inside an image. */
const char *bare_console(void);

/* Whether machines that are started from now on may ask the computer that runs QEMU; at first not.
 */
void bare_ask(bool may);

/* Where things lie that a program has no business with; the cage of a cluster, from its first
 * byte, which is kernel text, and its length. */
enum bare_place { BARE_FINISHER, BARE_INTERRUPTS, BARE_SERIAL, BARE_IMAGE, BARE_NETWORK };
uintptr_t bare_at(enum bare_place place);
uintptr_t bare_cage(int cluster);
uintptr_t bare_cage_bytes(void);

/* The kernel's gate itself, in user mode: what the program answers by itself goes there as well. */
long k_enter(int number, long a0, long a1, long a2, long a3, long a4);

/* The image's own first function: see hal/riscv/riscv.h. */
void rv_main(void);

#endif
