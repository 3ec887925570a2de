/* SPDX-License-Identifier: MIT */
#include "again.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options.h"

extern char **environ;

static char **environment, **command; /* as they were at the start */
static size_t variables;

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t asked;
static volatile pid_t running; /* 0: none */

bool again_remember(char **words)
{
    size_t n = 0;
    while (words[n])
        n++;
    while (environ[variables])
        variables++;
    command = calloc(n + 1, sizeof *command);
    environment = calloc(AGAIN_MORE + variables + 1, sizeof *environment);
    if (!command || !environment)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!(command[i] = strdup(words[i])))
            return false;
    memcpy(environment + AGAIN_MORE, environ, variables * sizeof *environ);
    return true;
}

/* In the new process, which ends its job in good order when its parent has ended. */
static _Noreturn void become(const char *const *more, const int standard[3], pid_t parent)
{
    char **all = environment + AGAIN_MORE;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(EXIT_CANNOT_RUN);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        dup2(standard[i], i);
    for (; *more; more++)
        *--all = (char *)*more;
    execve("/proc/self/exe", command, all);
    _exit(EXIT_CANNOT_RUN);
}

static void pass_on(int number)
{
    int e = errno;
    asked = number;
    if (running > 0)
        kill(running, SIGTERM);
    errno = e;
}

/* What the caller ignores stays so. */
static void handle(void (*from)(int), void (*to)(int))
{
    struct sigaction now, action = {.sa_handler = to, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == from)
            sigaction(ends[i], &action, NULL);
}

void again_pass_on(void)
{
    handle(SIG_DFL, pass_on);
}

int again_asked(void)
{
    return asked;
}

/* A signal waits until it is known to whom it goes; in the new process, until it ends that. */
pid_t again_start(const char *const *more, const int standard[3])
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        handle(pass_on, SIG_DFL);
    else
        running = pid;
    if (pid > 0 && asked)
        kill(pid, SIGTERM);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid == 0)
        become(more, standard, parent);
    return pid;
}

int again_wait(pid_t pid)
{
    int status = 0;
    siginfo_t end;
    while (waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    running = 0; /* the number may be another process's from here on */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
