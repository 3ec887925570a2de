/* SPDX-License-Identifier: MIT */
/* The console: diagnostics of the system itself (programs use their C library). */
#ifndef HAL_CONSOLE_H
#define HAL_CONSOLE_H

#include <stddef.h>

/* Writes n bytes to the console (standard error on hosted ports), whole or not at all as far as the
 * port can. Never fails, never switches context. From any context. */
void hal_console_write(const char *text, size_t n);

#endif
