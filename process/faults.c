/* SPDX-License-Identifier: MIT */
/* Memory signals that the program handles itself or blocks, where they also make stacks grow
 * (stacks.c). The machine's handler stays, and the program's gets what is an error. Run-time
 * libraries of languages are such programs. signal is in signal.c. */
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <hal/hosted.h>
#include <process/image.h>

#include "behind.h"
#include "budget.h"

/* This library's own handlers are the system's. */
bool image_keeps_signal(int number, const void *caller)
{
    return (number == SIGSEGV || number == SIGBUS) && image_stacks_grow() && !image_is_ours(caller);
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    NEXT(sigaction, int, int, const struct sigaction *, struct sigaction *);
    if (!image_keeps_signal(number, __builtin_return_address(0)))
        return next(number, action, before);
    hal_memory_signal(number, action, before);
    return 0;
}

/* All that a program may block. */
static const sigset_t *without(int how, const sigset_t *set, sigset_t *room)
{
    if (!set || how == SIG_UNBLOCK || !image_stacks_grow())
        return set;
    *room = *set;
    sigdelset(room, SIGSEGV);
    sigdelset(room, SIGBUS);
    return room;
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    sigset_t room;
    NEXT(sigprocmask, int, int, const sigset_t *, sigset_t *);
    return next(how, without(how, set, &room), before);
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    sigset_t room;
    NEXT(pthread_sigmask, int, int, const sigset_t *, sigset_t *);
    return next(how, without(how, set, &room), before);
}

/* These block all signals for a while where nobody can prevent it. */
EXPORT int system(const char *command)
{
    NEXT(system, int, const char *);
    image_stack_reach();
    return next(command);
}

EXPORT FILE *popen(const char *command, const char *type)
{
    NEXT(popen, FILE *, const char *, const char *);
    image_stack_reach();
    return next(command, type);
}

EXPORT pid_t fork(void)
{
    NEXT(fork, pid_t, void);
    image_stack_reach();
    return next();
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *files,
                       const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    NEXT(posix_spawn, int, pid_t *, const char *, const posix_spawn_file_actions_t *,
         const posix_spawnattr_t *, char *const[], char *const[]);
    image_stack_reach();
    return next(pid, path, files, attributes, argv, envp);
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *files,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    NEXT(posix_spawnp, int, pid_t *, const char *, const posix_spawn_file_actions_t *,
         const posix_spawnattr_t *, char *const[], char *const[]);
    image_stack_reach();
    return next(pid, file, files, attributes, argv, envp);
}
