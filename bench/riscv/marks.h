/* SPDX-License-Identifier: MIT */
/* What is measured on bare metal stands between marks, at which count.c notes how many instructions
 * the hart, and all harts, have executed. A program prints `mark N PARTS OF NAME` for each N. */
#ifndef BENCH_RISCV_MARKS_H
#define BENCH_RISCV_MARKS_H

#include <stdio.h>

/* slti zero, zero, n: does nothing, of the instructions that RISC-V leaves to be told apart by who
 * watches. As a word, as the program is also compiled for the computer that runs QEMU, where main
 * alone runs. */
#define MARK(n) __asm__ volatile(".4byte (%c0 & 0xfff) << 20 | 0x2013" ::"i"(n) : "memory")

/* n: 1 .. 255, constant, one for each thing that is measured; a thread may not move meanwhile. */
#define MEASURE(n, what)                                                                           \
    do {                                                                                           \
        MARK(n);                                                                                   \
        what;                                                                                      \
        MARK(-(n));                                                                                \
    } while (0)

/* Of what count.c notes at each mark, what counts: the instructions of the hart itself, of all
 * harts together, or the steps in which each hart that runs executes one. */
enum mark_of { MARK_OWN, MARK_ALL, MARK_STEPS };

/* One measurement is that of so many `parts`. The lines are long enough to be written at once. */
static inline void mark_name(int n, int parts, enum mark_of of, const char *name)
{
    printf("mark %d %d %d %s\n", n, parts, of, name);
}

#endif
