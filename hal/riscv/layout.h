/* SPDX-License-Identifier: MIT */
/* Where everything lies in the physical memory of QEMU's `virt` (docs/riscv.md has the picture).
 * For C and assembly. */
#ifndef HAL_RISCV_LAYOUT_H
#define HAL_RISCV_LAYOUT_H

/* Devices. */
#define RV_FINISHER 0x00100000 /* ends QEMU with an exit code */
#define RV_CLINT    0x02000000 /* software interrupts and timers of all harts */
#define RV_PLIC     0x0c000000 /* interrupts of devices */
#define RV_UART     0x10000000

/* What the kernel may touch of them to end the machine and for interrupts: one range has both. */
#define RV_CONTROL       0x00000000
#define RV_CONTROL_BYTES 0x04000000

/* Memory. */
#define RV_BOOT        0x80000000 /* the image as it was loaded, twice (load.c) */
#define RV_BOARD       0x80800000 /* struct hal_virt, loaded beside it (hal/virt.h) */
#define RV_BOARD_BYTES 0x20000
#define RV_STACKS      0x80a00000 /* of harts that have no cage yet, or never */
#define RV_STACK_STEP  0x1000
#define RV_NOC         0x80c00000 /* struct rv_noc (noc.h) */
#define RV_NOC_BYTES   0x00400000
#define RV_CAGES       0x81000000 /* cage of cluster c: RV_CAGES + c * RV_CAGE_BYTES */
#define RV_CAGE_BYTES  0x00200000

#define RV_HARTS_MAX 512 /* of `virt` */
#define RV_PAGE      4096

/* Rights of the 16 protection registers, a byte each (start.c says what each is for): the lower
 * eight, and the upper ones, the kernel's and those of user mode. What machine mode touches on the
 * way in and out must be in one that is on, with or without rights, as the last one denies. */
#define RV_RIGHTS_LOW    0x00190f0b000b0018
#define RV_RIGHTS_KERNEL 0x981b1b1b0b8d0000
#define RV_RIGHTS_USER   0x98000000088d0008

#define RV_START_BYTES 32 /* of each core, where it is started (core.c) */
#define RV_TRAP_BYTES  64 /* above the stack for traps, where a register is kept */

#define RV_MPRV 0x20000 /* of mstatus: loads and stores have the rights of user mode */

#define RV_CALL_HOST 0x10000 /* the port's own call of user mode, beside the kernel's: ask.c */

#define RV_STATUS_OF_FAULT 139 /* of a machine that a fault ended: what a shell shows for one */

#endif
