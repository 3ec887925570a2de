/* SPDX-License-Identifier: MIT */
/* A trap is a fault of the system: it names what happened and ends the machine. */
#include "riscv.h"

#include <base/assert.h>
#include <base/fmt.h>
#include <hal/core.h>
#include <hal/power.h>

void rv_trap(uintptr_t cause, uintptr_t pc, uintptr_t address, uintptr_t sp);

static const char *const causes[] = {
    "misaligned jump", "jump to where it may not", "illegal instruction", "breakpoint",
    "misaligned load", "load where it may not",    "misaligned store",    "store where it may not",
};

void rv_describe(char *text, size_t size, uintptr_t cause, uintptr_t pc, uintptr_t address,
                 uintptr_t sp, uintptr_t guard)
{
    /* Ones in the lowest bits say how large a power of two of bytes it is (PMP, NAPOT). */
    uintptr_t ones = guard & ~(guard + 1), from = (guard & ~ones) << 2, bytes = (ones + 1) * 8;
    bool access = cause == RV_CAUSE_LOAD || cause == RV_CAUSE_STORE;
    /* A frame larger than the guard begins below it. */
    bool overflow = access && (sp < from + bytes || (address >= from && address < from + bytes));
    const char *what = cause < sizeof causes / sizeof causes[0] ? causes[cause] : "trap";
    b_fmt(text, size, "%s: cause %d, pc 0x%llx, address 0x%llx, stack pointer 0x%llx, hart %d",
          overflow ? "stack overflow" : what, (int)cause, (unsigned long long)pc,
          (unsigned long long)address, (unsigned long long)sp, rv_self());
}

void rv_trap(uintptr_t cause, uintptr_t pc, uintptr_t address, uintptr_t sp)
{
    char text[160];
    hal_here_core = rv_self() - rv_hart(rv_cluster, 0); /* it may have been written over */
    rv_describe(text, sizeof text, cause, pc, address, sp, RV_READ(pmpaddr0));
    hal_abort(RV_STATUS_OF_FAULT, text);
}

_Noreturn void b_assert_failed(const char *condition, const char *file, int line)
{
    char text[160];
    b_fmt(text, sizeof text, "%s:%d: assertion failed: %s", file, line, condition);
    hal_abort(134, text);
}
