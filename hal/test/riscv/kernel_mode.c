/* SPDX-License-Identifier: MIT */
/* How a test with the kernel's rights speaks and ends. */
#include <hal/console.h>
#include <hal/power.h>
#include <test/bare.h>

void bare_say(const char *text, size_t n)
{
    hal_console_write(text, n);
}

_Noreturn void bare_end(int status)
{
    hal_power_off(status);
}

_Noreturn void bare_abort(int status, const char *why)
{
    hal_abort(status, why);
}
