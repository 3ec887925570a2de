/* SPDX-License-Identifier: MIT */
/* The signals that a program handles itself by signal(), where others need them as well: SIGQUIT
 * asks for the report of who waits for whom, and memory signals make stacks grow. sigaction is in
 * faults.c; static programs have theirs in static.c. */
#include <signal.h>
#include <stdint.h>

#include <hal/hosted.h>
#include <hal/site.h>

#include "behind.h"
#include "budget.h"
#include "fortran.h"

/* As the main program begins, Fortran's run-time library has all signals that dump core end the
 * process with a backtrace. SIGQUIT stays the report's, unless the program itself has a handler for
 * it. */
static bool is_backtrace(__sighandler_t handler)
{
    uintptr_t code = (uintptr_t)handler;
    return image_is_fortran((const void *)code) || hal_site_skips(code);
}

EXPORT __sighandler_t signal(int number, __sighandler_t handler)
{
    NEXT(signal, __sighandler_t, int, __sighandler_t);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    if (number == SIGQUIT && is_backtrace(handler))
        return SIG_DFL;
    if (handler == SIG_ERR || !image_keeps_signal ||
        !image_keeps_signal(number, __builtin_return_address(0)))
        return next(number, handler);
    sigemptyset(&action.sa_mask);
    hal_memory_signal(number, &action, &before);
    return before.sa_handler;
}
