/* SPDX-License-Identifier: MIT */
/* The C library of a test inside an image: its streams are the console, its end the machine's. */
#include <stdio.h>
#include <unistd.h>

#include <test/bare.h>

/* A line is written at once, so that it stays whole; of each cluster, as all that it writes here
 * comes from a test that fails. */
static int put(char c, FILE *file)
{
    static char line[256];
    static size_t used;
    (void)file;
    line[used++] = c;
    if (c == '\n' || used == sizeof line) {
        bare_say(line, used);
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
    bare_abort(status, NULL);
}
