/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "options.h"

static const char *place;
static int number;

void complain_of(const char *file, int line)
{
    place = file;
    number = line;
}

void complain(const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (place)
        fprintf(stderr, "mpiexec: %.400s:%d: %s\n", place, number, line);
    else
        fprintf(stderr, "mpiexec: %s\n", line);
}
