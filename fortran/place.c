/* SPDX-License-Identifier: MIT */
/* Where the functions of this binding lie in the program. Its lines are none that a user knows: a
 * library that tells from where it was called (lwmpi: process/fortran.c) tells who called these. */
#include "convert.h"

#define HERE __attribute__((visibility("hidden"))) /* each program and library has its own */

/* The linker defines them for a section whose name is an identifier. */
HERE extern const char __start_mpif_functions[], __stop_mpif_functions[];

/* Of the compiler's run-time library, if that is linked into the program as well. */
__attribute__((weak)) void _gfortrani_backtrace_handler(int signal);

__attribute__((weak)) void image_fortran_begins(const void *begin, const void *end,
                                                void (*crash)(int));

__attribute__((constructor)) void mpif_place(void)
{
    if (image_fortran_begins)
        image_fortran_begins(__start_mpif_functions, __stop_mpif_functions,
                             _gfortrani_backtrace_handler);
}
