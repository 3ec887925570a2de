/* SPDX-License-Identifier: MIT */
/* Where a context that runs in user mode has its registers while it is in the kernel, in its own
 * memory (struct rv_frame), and what is kept of it in the kernel's (struct rv_gate): user.c. For C
 * and assembly. */
#ifndef HAL_RISCV_FRAME_H
#define HAL_RISCV_FRAME_H

#include "../cpu/riscv/width.h"

#define RV_FRAME_FLOAT (32 * RV_WORD)
#define RV_FRAME_FCSR  (RV_FRAME_FLOAT + 32 * RV_FLOAT)

#define RV_GATE_FRAME      0
#define RV_GATE_SCRATCH    RV_WORD /* also where there is no gate, but RV_TRAP_BYTES: trap.S */
#define RV_GATE_TP         (2 * RV_WORD)
#define RV_GATE_TRAPS      (3 * RV_WORD)
#define RV_GATE_GUARD      (4 * RV_WORD)
#define RV_GATE_USER_GUARD (5 * RV_WORD)

#endif
