/* SPDX-License-Identifier: MIT */
/* How a statically linked program meets its machine: the linker's --wrap puts these routines in
 * place of main and of the C library's (mpicc -static says so to the linker). */
#include <signal.h>
#include <stdio.h>

#include <base/error.h>
#include <base/link.h>
#include <process/image.h>
#include <process/threads.h>

/* By this section mpiexec knows that the program needs no library of ours. */
static const char mark[] __attribute__((section(".lwmpi"), used)) = "lwmpi";

const bool image_turns = false;

int __real_main(int argc, char **argv, char **envp);
int __wrap_main(int argc, char **argv, char **envp);
_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
__sighandler_t __real_signal(int number, __sighandler_t handler);
__sighandler_t __wrap_signal(int number, __sighandler_t handler);
int __real_fflush(FILE *stream);
int __wrap_fflush(FILE *stream);
int __real_fileno(FILE *stream);
int __wrap_fileno(FILE *stream);

int __wrap_main(int argc, char **argv, char **envp)
{
    image.own.main = __real_main;
    return image_main(argc, argv, envp);
}

/* A static program has no means of loading another one. */
int image_program_load(struct image_program *p, char *why, size_t size)
{
    snprintf(why, size, "%.300s: cannot join this program to a static one in one process",
             p->argv[-1]);
    return -B_EINVAL;
}

_Noreturn void __wrap_exit(int status)
{
    image_exit(status);
    __real_exit(status);
}

_Noreturn void __wrap__exit(int status)
{
    image_output_rescue();
    __real__exit(status);
}

/* Of Fortran's run-time library, if the program has it: it asks for SIGQUIT, too, which is to print
 * a report (signal.c). */
B_IF_LINKED void _gfortrani_backtrace_handler(int number);

__sighandler_t __wrap_signal(int number, __sighandler_t handler)
{
    if (number == SIGQUIT && handler && handler == _gfortrani_backtrace_handler)
        return SIG_DFL;
    return __real_signal(number, handler);
}

int __wrap_fflush(FILE *stream)
{
    int e = __real_fflush(stream);
    image_output_flush(stream);
    return e;
}

int __wrap_fileno(FILE *stream)
{
    int fd = image_output_number(stream);
    return fd >= 0 ? fd : __real_fileno(stream);
}
