/* SPDX-License-Identifier: MIT */
/* The copies of the program in a cluster's cage, and the storage of their threads. What is
 * thread-local lies in one block, in a core's page or in a copy of the program; the part of it that
 * is the system's belongs to the core, so it goes along when the core goes on to another block. */
#include "riscv.h"

#include <base/mem.h>
#include <hal/core.h>

extern char rv_tls[], rv_tls_system[], rv_tls_system_end[];
extern char rv_program[], rv_program_linked[], rv_program_tls[];

const struct hal_virt *hal_virt(void)
{
    return rv_board();
}

void *hal_virt_copy(int i, const void *of)
{
    return rv_program + ((const char *)of - rv_program_linked) + (size_t)i * rv_program_bytes();
}

void rv_storage_take(char *storage)
{
    char *now = rv_storage();
    size_t at = (size_t)(rv_tls_system - rv_tls);
    if (now == storage)
        return;
    memcpy(storage + at, now + at, (size_t)(rv_tls_system_end - rv_tls_system));
    __asm__ volatile("mv tp, %0" ::"r"(storage) : "memory");
}

void hal_virt_enter(int i)
{
    char *storage = hal_virt_copy(i, rv_program_tls);
    rv_tls_make(storage, rv_tls_bytes());
    rv_storage_take(storage);
}

void hal_virt_leave(void)
{
    rv_storage_take(rv_core_storage(hal_here_core));
}
