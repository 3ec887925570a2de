/* SPDX-License-Identifier: MIT */
/* To write: keep the reporter in the memory of the cluster; print with b_fmt and
 * hal_console_write. At the end that nobody can go on (power.c) it comes by itself, of all
 * clusters. */
#include <hal/report.h>

#include "missing.h"

void hal_report_register(void (*reporter)(void *arg, hal_report_sink *emit, void *sink), void *arg)
{
    MISSING();
    (void)reporter;
    (void)arg;
}

void hal_report_print(const char *title)
{
    MISSING();
    (void)title;
}
