/* SPDX-License-Identifier: MIT */
/* What a program in user mode knows and does of the machine without a call. */
#include "../riscv.h"

const struct hal_virt *hal_virt(void)
{
    return rv_board();
}

/* A thread in user mode always has a tick, which ends its turn. */
void rv_yield(void)
{
}
