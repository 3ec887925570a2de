/* SPDX-License-Identifier: MIT */
/* Where a context that runs in user mode has its registers while it is in the kernel (user.c). For
 * C and assembly. */
#ifndef HAL_RISCV_FRAME_H
#define HAL_RISCV_FRAME_H

#include "../cpu/riscv/width.h"

#define RV_FRAME_FLOAT      (32 * RV_WORD)
#define RV_FRAME_FCSR       (RV_FRAME_FLOAT + 32 * RV_FLOAT)
#define RV_FRAME_TP         (RV_FRAME_FCSR + RV_WORD)
#define RV_FRAME_TRAPS      (RV_FRAME_FCSR + 2 * RV_WORD)
#define RV_FRAME_GUARD      (RV_FRAME_FCSR + 3 * RV_WORD)
#define RV_FRAME_USER_GUARD (RV_FRAME_FCSR + 4 * RV_WORD)
#define RV_FRAME_BYTES      ((RV_FRAME_FCSR + 5 * RV_WORD + 15) & ~15)

#endif
