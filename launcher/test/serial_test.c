/* SPDX-License-Identifier: MIT */
/* What a bare machine says: lines are whole and labelled, and one without an end is passed on while
 * it goes on, so that it takes no more memory than a piece of it. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <test/check.h>

#include "serial.h"

enum { PIECE = 1000, PIECES = 5000 };

static int output;

static void say(int rank, const char *text, size_t n)
{
    char head[32];
    int size = snprintf(head, sizeof head, "\0011%d;%zu;", rank, n);
    CHECK(serial_take(head, (size_t)size) && serial_take(text, n));
}

static size_t written(void)
{
    return (size_t)lseek(output, 0, SEEK_END);
}

int main(void)
{
    static char piece[PIECE], got[PIECE * PIECES + 64];
    memset(piece, 'x', sizeof piece);
    setenv("LWMPI_LABEL", "1", 1);
    unsetenv("LWMPI_OUTFILE");
    output = memfd_create("output", 0);
    CHECK(output >= 0 && dup2(output, STDOUT_FILENO) == STDOUT_FILENO);
    say(0, "half", 4);
    say(1, "one\n", 4);
    say(0, " and half\n", 10);
    size_t short_lines = sizeof "[1] one\n[0] half and half\n" - 1;
    CHECK_EQ(written(), short_lines);
    for (int i = 0; i < PIECES; i++)
        say(2, piece, sizeof piece);
    CHECK(written() > short_lines + PIECE * PIECES / 2);
    say(2, "\n", 1);
    size_t all = short_lines + sizeof "[2] " - 1 + PIECE * PIECES + 1;
    CHECK_EQ(written(), all);
    CHECK(pread(output, got, sizeof got, 0) == (ssize_t)all);
    CHECK(memcmp(got, "[1] one\n[0] half and half\n[2] x", short_lines + 5) == 0);
    CHECK(!memchr(got + short_lines + 5, '[', all - short_lines - 5) && got[all - 1] == '\n');
    CHECK(serial_end());
    CHECK_EQ(written(), all);
    return 0;
}
