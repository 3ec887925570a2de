/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "options.h"

void complain(const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "mpiexec: %s\n", line);
}
