/* SPDX-License-Identifier: MIT */
/* The bare machine on QEMU's `virt` (docs/riscv.md): what the computer that starts QEMU tells the
 * machine, how it starts it, and how a program in an image is there once for each rank. */
#ifndef HAL_VIRT_H
#define HAL_VIRT_H

#include <stdbool.h>
#include <stdint.h>

#include <hal/machine.h>

#define HAL_VIRT_CLUSTERS 32           /* a machine has at most */
#define HAL_VIRT_BYTES    (128 * 1024) /* of struct hal_virt, all in all */
#define HAL_VIRT_TEXT     (124 * 1024) /* of these, for arguments and environment */

/* Where the cages of the clusters begin, one behind the other. */
#define HAL_VIRT_CAGES      0x81000000u
#define HAL_VIRT_CAGE_BYTES 0x200000u

/* Where in an image's file 16 bytes say what it is, the last of them 0: */
#define HAL_VIRT_MAGIC_AT 16
#define HAL_VIRT_RV32     "lwmpi-rv32-virt"
#define HAL_VIRT_RV64     "lwmpi-rv64-virt"

/* Stands in memory beside the image when the machine starts; constant then. */
struct hal_virt {
    uint64_t magic;
    struct hal_machine machine;
    uint32_t argument;                 /* of a test: the number of its case ... */
    uint8_t earlier[508];              /* ... and with which status the cases before ended */
    uint32_t arguments, variables;     /* strings in `text`: these, then those of the environment */
    uint8_t copies[HAL_VIRT_CLUSTERS]; /* of the program in each cluster; 0 as 1 */
    uint8_t hosted;                    /* the machine may ask the computer by hal_virt_host */
    uint8_t stats;                     /* counters are wanted at the end, and what stacks took */
    char text[HAL_VIRT_TEXT];
};
_Static_assert(sizeof(struct hal_virt) <= HAL_VIRT_BYTES, "the description has room");

/* On the computer that starts QEMU ------------------------------------------------------------- */

struct hal_virt_start {
    const char *image;
    bool parallel; /* a thread for each hart and real time; else the same instructions each time */
};

/* A variable of the environment: up to 32 words, with blanks between them, that QEMU is given after
 * all others. What they say goes: "-icount shift=3", "-S -gdb tcp::1234". */
#define HAL_VIRT_MORE "LWMPI_QEMU"

/* The QEMU that runs this image, by what its file says; NULL: it is none, or cannot be read. */
const char *hal_virt_emulator(const char *image);

/* Writes *v to a new file without a name; its descriptor, or -B_EINVAL with one line in why: the
 * machine is none that `virt` can be, there is no such file. */
int hal_virt_write(struct hal_virt *v, char *why, int size);

/* Becomes QEMU, which reads the description from that file. Its standard input and output are the
 * machine's serial line; its exit code is the machine's status. Returns the errno of why it could
 * not; E2BIG: HAL_VIRT_MORE has too many words; ENOEXEC: there is no image; EFBIG: it is larger
 * than what the machine has for it, and than any that fits a cluster. */
int hal_virt_become(const struct hal_virt_start *s, const struct hal_virt *v, int file);

/* The descriptor with which QEMU is given what the machine reads as standard input; and what the
 * machine calls it. */
#define HAL_VIRT_INPUT_FD 9
#define HAL_VIRT_INPUT    "/proc/self/fd/9"

/* A byte on the serial line by which the machine is asked for its report. */
#define HAL_VIRT_REPORT 5

/* What ranks write goes over the serial line with this in front: a byte 1, `1` or `2` for standard
 * output or error, the rank, a semicolon, the number of bytes, a semicolon. All else there is text
 * of the system. */
#define HAL_VIRT_OUTPUT "\001%d%d;%d;"

/* With this instead of `1` or `2`, and the cluster for the rank, comes what is added to a counter,
 * if that is asked for: a line of one of the two signs, its name, a blank, a value. One of them is
 * the time by the machine's clock. */
#define HAL_VIRT_COUNTER 3
#define HAL_VIRT_SUM     '+'
#define HAL_VIRT_MOST    '^' /* the highest value counts */
#define HAL_VIRT_CYCLES  "cycles"

/* Inside the machine --------------------------------------------------------------------------- */

/* The kernel, or a test: runs on core 0 of each cluster; when it returns the cluster ends with
 * status 0. Not the port's. */
void rv_main(void);

/* Never NULL. */
const struct hal_virt *hal_virt(void);

/* Where copy i of the program, from 0 on, has what was linked at `of`. Pure. */
void *hal_virt_copy(int i, const void *of);

/* Asks the computer that runs QEMU, if it was started so (`hosted`), for its files: an operation of
 * semihosting and its arguments, as "Semihosting for AArch32 and AArch64" (Arm) numbers them, a
 * register's bytes each. All harts wait until it is done. In user mode the kernel does it:
 * -B_EFAULT, an argument points to what is not the program's; -B_ENOSYS, an operation that is not
 * about files, or the machine may not ask. */
long hal_virt_host(long operation, const void *arguments);

/* The calling thread's thread-local variables are those of copy i from now on, as at a thread's
 * start, until it leaves; those of the system stay what they are. */
void hal_virt_enter(int i);
void hal_virt_leave(void);

#endif
