/* SPDX-License-Identifier: MIT */
/* One process. fork, because mpiexec must go on whatever becomes of the child: after vfork, and
 * after posix_spawn, which does the same, it would wait until the child executes the program, for
 * ever if somebody stops the child before. mpiexec is small, so there is little to copy. The child
 * only makes system calls. It stays in mpiexec's session and process group: a session of its own
 * would be a scheduling group of its own, where yielding to other ranks has no effect, and would
 * take the terminal's signals away. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
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
    if (s->wdir && chdir(s->wdir) < 0)
        return errno;
    if (s->cpus && sched_setaffinity(0, sizeof *s->cpus, s->cpus) < 0)
        return errno;
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, s->mask, NULL);
    execve(s->path, s->argv, s->envp);
    return errno;
}

pid_t start_process(const struct start *s)
{
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        struct start_failure f = {s->number, become(s, parent)};
        _exit(write(s->news, &f, sizeof f) == (ssize_t)sizeof f ? 127 : 126);
    }
    return pid < 0 ? -errno : pid;
}

/* The system's words for these errors tell the user nothing: the file was seen before. */
const char *start_error(int error)
{
    return error == ENOEXEC ? "neither a program for this computer nor a script that begins with #!"
           : error == ENOENT ? "the interpreter or dynamic linker that it names does not exist"
           : error == EMFILE ? "too many open files: raise the limit (ulimit -n)"
                             : strerror(error);
}
