/* SPDX-License-Identifier: MIT */
/* The kernel's part of the fuzz test: much memory of the kernel that nothing writes, looked at when
 * the cluster ends. */
#include <stddef.h>

#include <hal/power.h>
#include <kernel/boot.h>
#include <test/bare.h>

int user_main(void *arg);
_Noreturn void __real_hal_power_off(int status);
_Noreturn void __wrap_hal_power_off(int status);

static uint64_t memory[64 * 1024];

static uint64_t right(size_t i)
{
    return i * UINT64_C(0x9e3779b97f4a7c15);
}

_Noreturn void __wrap_hal_power_off(int status)
{
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        if (memory[i] != right(i))
            hal_abort(1, "a kernel call has written what is not the program's");
    __real_hal_power_off(status);
}

void rv_main(void)
{
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        memory[i] = right(i);
    kern_boot_user(user_main, NULL);
}
