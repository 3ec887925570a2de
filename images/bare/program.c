/* SPDX-License-Identifier: MIT */
/* The beginning and the end of a program on bare metal, and what its C library needs of a system.
 * Linked into the program's part of an image, so each rank has these variables for itself. */
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bare.h"

#define LINE 256 /* a longer line comes in pieces */

typedef void function(void);
extern function *rv_begin[], *rv_begin_end[], *rv_finish_first[], *rv_finish_end[];
extern char **environ;
int main(int argc, char **argv, char **envp);

struct bare_rank *bare_self;
void (*bare_at_end)(void);
_Thread_local struct mpu_public bare_public;

/* Streams ------------------------------------------------------------------------------------- */

static struct line {
    size_t used;
    char text[LINE];
} lines[2];

static void write_line(int which)
{
    struct line *l = &lines[which];
    if (l->used > 0)
        bare_write(bare_self, which + 1, l->text, l->used);
    l->used = 0;
}

static int put(int which, char c)
{
    struct line *l = &lines[which];
    l->text[l->used++] = c;
    if (c == '\n' || l->used == LINE)
        write_line(which);
    return (unsigned char)c;
}

static int put_output(char c, FILE *f)
{
    (void)f;
    return put(0, c);
}

static int put_error(char c, FILE *f)
{
    (void)f;
    return put(1, c);
}

/* What was read and not asked for yet. */
static int get_input(FILE *f)
{
    static unsigned char text[LINE];
    static ssize_t at, n;
    (void)f;
    if (at == n) {
        at = 0;
        n = read(STDIN_FILENO, text, sizeof text);
    }
    if (n <= 0) {
        int how = n < 0 ? _FDEV_ERR : _FDEV_EOF;
        n = at = 0;
        return how;
    }
    return text[at++];
}

static int flush(FILE *f);
static FILE input = FDEV_SETUP_STREAM(NULL, get_input, NULL, _FDEV_SETUP_READ);
static FILE output = FDEV_SETUP_STREAM(put_output, NULL, flush, _FDEV_SETUP_WRITE);
static FILE error = FDEV_SETUP_STREAM(put_error, NULL, flush, _FDEV_SETUP_WRITE);
FILE *const stdin = &input;
FILE *const stdout = &output;
FILE *const stderr = &error;

static int flush(FILE *f)
{
    write_line(f == &error);
    return 0;
}

void bare_put(int fd, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(fd - 1, text[i]);
}

/* From the beginning to the end --------------------------------------------------------------- */

pid_t getpid(void)
{
    return 1; /* of this copy */
}

int gethostname(char *name, size_t bytes)
{
    if (strlen(bare_node()) >= bytes) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(name, bare_node());
    return 0;
}

int sched_yield(void)
{
    bare_yield();
    return 0;
}

_Noreturn void _exit(int status)
{
    if (bare_at_end)
        bare_at_end();
    write_line(0);
    write_line(1);
    bare_exit(bare_self, status);
}

static void finish(void)
{
    for (function **f = rv_finish_end; f > &rv_finish_first[0];)
        (*--f)();
}

_Noreturn void bare_program(struct bare_rank *r, int argc, char **argv, char **envp)
{
    bare_self = r;
    environ = envp;
    if (&rv_finish_first[0] < &rv_finish_end[0])
        atexit(finish);
    for (function **f = rv_begin; f < &rv_begin_end[0]; f++)
        (*f)();
    exit(main(argc, argv, envp));
}
