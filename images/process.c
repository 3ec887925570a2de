/* SPDX-License-Identifier: MIT */
/* Calls of the C library that mean the whole process, where a rank means itself. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "image.h"

#define EXPORT __attribute__((visibility("default")))

/* exit() ends the rank that calls it, as return from its main does. The process ends when all its
 * ranks have; then atexit handlers run and stdio is flushed, once. */
EXPORT _Noreturn void exit(int status)
{
    struct image_rank *r = image_rank_self();
    if (r != NULL) {
        r->status = status;
        longjmp(r->end, 1);
    }
    if (getpid() != image.process)
        image_output_end(); /* a forked child: its text after the last line end */
    void (*next)(int);
    *(void **)&next = image_next("exit");
    next(status);
    __builtin_unreachable();
}

/* The end of the whole process, by the program or by the machine (hal_abort): half lines that ranks
 * hold here would be lost. */
EXPORT _Noreturn void _exit(int status)
{
    image_output_rescue();
    for (;;)
        syscall(SYS_exit_group, status);
}

EXPORT _Noreturn void _Exit(int status)
{
    _exit(status);
}

/* stdout of a process with several ranks is assembled line by line; a prompt without a line end
 * must still show when the program asks for it. */
EXPORT int fflush(FILE *stream)
{
    int (*next)(FILE *);
    *(void **)&next = image_next("fflush");
    int e = next(stream);
    image_output_flush(stream);
    return e;
}

/* Programs ask isatty(fileno(stdout)); a replaced stream has no descriptor of its own. */
EXPORT int fileno(FILE *stream)
{
    int fd = image_output_number(stream);
    if (fd >= 0)
        return fd;
    int (*next)(FILE *);
    *(void **)&next = image_next("fileno");
    return next(stream);
}
