/* SPDX-License-Identifier: MIT */
/* What a program in user mode knows of the machine without a call: its description. */
#include "../riscv.h"

const struct hal_virt *hal_virt(void)
{
    return rv_board();
}
