/* SPDX-License-Identifier: MIT */
/* The C library of a test in user mode: its streams are the console, its end the machine's. */
#include <stdio.h>
#include <unistd.h>

#include <sys/k_info.h>

/* By lines, as in hal/test/riscv/streams.c. */
static int put(char c, FILE *file)
{
    static char line[256];
    static size_t used;
    (void)file;
    line[used++] = c;
    if (c == '\n' || used == sizeof line) {
        k_console(line, used);
        used = 0;
    }
    return 0;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdin = &console;
FILE *const stdout = &console;
FILE *const stderr = &console;

_Noreturn void _exit(int status)
{
    k_abort(status, NULL);
}
