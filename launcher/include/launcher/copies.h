/* SPDX-License-Identifier: MIT */
#ifndef LAUNCHER_COPIES_H
#define LAUNCHER_COPIES_H

#include <elf.h>
#include <stdint.h>

/* The relocation by which a program for `machine` (EM_...) has a copy of a library's variable
 * (stdout, environ), made by the dynamic linker; UINT32_MAX: not known for such a machine. */
static inline uint32_t copy_relocation(uint16_t machine)
{
    return machine == EM_X86_64    ? R_X86_64_COPY
           : machine == EM_AARCH64 ? R_AARCH64_COPY
           : machine == EM_RISCV   ? R_RISCV_COPY
                                   : UINT32_MAX;
}

#endif
