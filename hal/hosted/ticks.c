/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include <hal/ticks.h>

#if defined(__x86_64__)

#include <cpuid.h>

/* The counter is invariant, and the system trusts it on all processors. */
bool hal_ticks_steady(void)
{
    unsigned a, b, c, d;
    if (__get_cpuid(0x80000007, &a, &b, &c, &d) == 0 || (d >> 8 & 1) == 0)
        return false;
    char source[16] = "";
    FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    if (f) {
        if (!fgets(source, sizeof source, f))
            source[0] = '\0';
        fclose(f);
    }
    return strcmp(source, "tsc\n") == 0;
}

#elif defined(__aarch64__)

bool hal_ticks_steady(void)
{
    return true;
}

#else

bool hal_ticks_steady(void)
{
    return false;
}

#endif
