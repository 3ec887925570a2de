/* SPDX-License-Identifier: MIT */
/* Memory signals that the program handles itself, where they also make stacks grow (stacks.c). The
 * machine's handler stays, and the program's gets what is an error. Run-time libraries of languages
 * are such programs. */
#include <signal.h>

#include <hal/hosted.h>
#include <process/image.h>

#include "behind.h"
#include "budget.h"

/* This library's own handlers are the system's. */
static bool keeps(int number, const void *caller)
{
    return (number == SIGSEGV || number == SIGBUS) && image_stacks_grow() && !image_is_ours(caller);
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    NEXT(sigaction, int, int, const struct sigaction *, struct sigaction *);
    if (!keeps(number, __builtin_return_address(0)))
        return next(number, action, before);
    hal_memory_signal(number, action, before);
    return 0;
}

EXPORT __sighandler_t signal(int number, __sighandler_t handler)
{
    NEXT(signal, __sighandler_t, int, __sighandler_t);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    if (handler == SIG_ERR || !keeps(number, __builtin_return_address(0)))
        return next(number, handler);
    sigemptyset(&action.sa_mask);
    hal_memory_signal(number, &action, &before);
    return before.sa_handler;
}
