/* SPDX-License-Identifier: MIT */
/* One process. vfork, because the child shares this process's memory until it executes the program:
 * nothing is copied however large mpiexec is, and the child can leave its error where we see it.
 * The child only makes system calls. It stays in mpiexec's session and process group: a session of
 * its own would be a scheduling group of its own, where yielding to other ranks has no effect, and
 * would take the terminal's signals away. */
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "start.h"

static int place(int fd, int target)
{
    return fd < 0 || dup2(fd, target) >= 0 ? 0 : errno;
}

/* Runs in the child: everything up to execve. Returns the errno of what failed. */
static int become(const struct start *s, pid_t parent)
{
    int e;
    /* If mpiexec died before the request was in place the signal never comes: look once more. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
        return errno;
    if (getppid() != parent)
        return ECHILD;
    if ((e = place(s->in, 0)) != 0 || (e = place(s->out, 1)) != 0 || (e = place(s->err, 2)) != 0)
        return e;
    if (s->keep >= 0 && fcntl(s->keep, F_SETFD, 0) < 0)
        return errno;
    if (setrlimit(RLIMIT_NOFILE, s->files) < 0)
        return errno;
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, s->mask, NULL);
    execve(s->path, s->argv, s->envp);
    return errno;
}

pid_t start_process(const struct start *s)
{
    volatile int error = 0;
    pid_t parent = getpid();
    pid_t pid = vfork();
    if (pid == 0) {
        error = become(s, parent);
        _exit(127);
    }
    if (pid < 0)
        return -errno;
    return error != 0 ? -error : pid;
}
