/* SPDX-License-Identifier: MIT */
/* stopper N COMMAND...: runs the command and stops its N-th child (from 0) where the child begins,
 * before it has executed anything. The other children and the command go on as ever. Prints the
 * child's pid on standard error, ends with the command's status. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const char *what)
{
    perror(what);
    return 125;
}

/* Waits until the command has made a child, which is stopped then, too; the child's pid, or -1. */
static pid_t next_child(pid_t command)
{
    unsigned long child;
    int status, number = 0;
    do {
        if (ptrace(PTRACE_CONT, command, NULL, (long)number) < 0 ||
            waitpid(command, &status, 0) < 0 || !WIFSTOPPED(status))
            return -1;
        number = WSTOPSIG(status); /* a signal of its own, which it gets */
    } while (status >> 16 == 0);
    if (ptrace(PTRACE_GETEVENTMSG, command, NULL, &child) < 0 ||
        waitpid((pid_t)child, &status, __WALL) < 0)
        return -1;
    return (pid_t)child;
}

static int stop_child(pid_t command, int n)
{
    long kinds = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
    pid_t child = 0;
    if (ptrace(PTRACE_SETOPTIONS, command, NULL, kinds) < 0)
        return -1;
    for (int i = 0; i <= n; i++) {
        child = next_child(command);
        if (child < 0 || ptrace(PTRACE_DETACH, child, NULL, i == n ? (long)SIGSTOP : 0L) < 0)
            return -1;
    }
    fprintf(stderr, "stopped %d\n", (int)child);
    return ptrace(PTRACE_DETACH, command, NULL, 0L) < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    int status;
    if (argc < 3)
        return fail("usage: stopper N COMMAND...");
    pid_t command = fork();
    if (command == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(argv[2], argv + 2);
        return fail(argv[2]);
    }
    if (waitpid(command, &status, 0) < 0 || !WIFSTOPPED(status)) /* it has executed the command */
        return fail("stopper: no command");
    if (stop_child(command, atoi(argv[1])) < 0)
        return fail("stopper");
    if (waitpid(command, &status, 0) < 0)
        return fail("stopper: wait");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
