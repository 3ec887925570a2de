/* SPDX-License-Identifier: MIT */
/* How a test in user mode speaks and ends. */
#include <sys/k_info.h>
#include <test/bare.h>

void bare_say(const char *text, size_t n)
{
    k_console(text, n);
}

_Noreturn void bare_end(int status)
{
    k_power_off(status);
}

_Noreturn void bare_abort(int status, const char *why)
{
    k_abort(status, why);
}
