/* SPDX-License-Identifier: MIT */
/* User mode: a context that has given up all rights but those on the program's text, the program's
 * data and the page frames of the window, and enters the kernel by calls, ticks and faults alone.
 * A port whose processor or host has no such mode knows no code of a program. */
#ifndef HAL_USER_H
#define HAL_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HAL_USER_ARGUMENTS = 5 };

/* What the kernel does for the context that runs in user mode: on that context's own stack of the
 * kernel, with no lock held, free to switch to others. */
struct hal_user_kernel {
    /* A call; returns its result. The arguments are the program's, and checked by nobody. */
    long (*call)(long number, const long arguments[HAL_USER_ARGUMENTS]);
    /* It has computed for a while. */
    void (*tick)(void);
    /* It did what it may not: `what` says what, where, with which address. Does not return. */
    void (*fault)(const char *what);
};

/* Before any context runs in user mode: what it enters, and where the page frames begin: `frames`
 * (a multiple of hal_user_grain) up to the end of the window. */
void hal_user_init(const struct hal_user_kernel *kernel, void *frames);

/* Bytes by which rights on memory can differ, a power of two; 1: nothing runs in user mode here. */
size_t hal_user_grain(void);

/* fn is the program's, and runs in user mode only. False on ports without one. */
bool hal_user_code(const void *fn);

/* User mode may read, or with `written` also write, all n bytes at `at`. n 0: yes. */
bool hal_user_memory(const void *at, size_t n, bool written);

/* Bytes of page frames for a stack of this size (0: the machine's stack_size) with what lies beside
 * it: a guard below, the thread's own variables above. */
size_t hal_user_stack(size_t size);

/* The stack on which a core waits for work (hal_core_start), so that whoever waits there can lend
 * it. size 0: there is none to lend. */
void hal_user_waiting(int core, void **stack, size_t *size);

/* The calling context goes on in user mode, on a stack in `n` bytes at `stack`, with fn(arg); with
 * `ends`, fn returns an int with which the cluster ends (k_power_off), else what fn returns is
 * dropped and the thread ends. The stack that it leaves becomes its stack in the kernel. */
_Noreturn void hal_user_run(void *stack, size_t n, void (*fn)(void *arg), void *arg, bool ends);

#endif
