/* SPDX-License-Identifier: MIT */
/* Where things are, for C and assembly. */
#ifndef HAL_AARCH64VIRT_LAYOUT_H
#define HAL_AARCH64VIRT_LAYOUT_H

/* Devices of QEMU's `virt`. */
#define GIC_DISTRIBUTOR 0x08000000
#define GIC_CORES       0x080a0000
#define GIC_CORE_BYTES  0x20000
#define UART            0x09000000

/* The memory of cluster c is from CLUSTERS_AT + c * CLUSTER_BYTES on, at IMAGE in its own
 * addresses. */
#define CLUSTERS      32
#define CLUSTERS_AT   0x40400000
#define CLUSTER_BYTES 0x400000
#define IMAGE         0x80000000
#define PAGES         0x80200000
#define PAGES_END     0x80400000
#define WINDOW_MOST   0x100000

/* What all clusters share. */
#define BOARD       0x40300000
#define BOARD_BYTES 0x100000

/* Of each core, from below: thread-local storage, stack, the stack on which it reports a fault. */
#define CORES      16
#define CORE_BYTES 0x4000
#define TRAP_BYTES 0x400

/* Descriptors: shareable, accessed, writeback or device, only this level may write. */
#define AS_DEVICE 0x0060000000000405
#define AS_MEMORY 0x0000000000000701
#define AS_PAGE   0x0000000000000703
#define AS_TABLE  0x0000000000000003

/* Type 0: ordinary memory, type 1: devices. 39 bits of address by pages of 4 KB, tables cached. */
#define MEMORY_TYPES 0x04ff
#define TRANSLATION  0x200803519
#define CONTROL      0x30d0180d

#endif
