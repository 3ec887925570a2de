/* SPDX-License-Identifier: MIT */
/* One process. vfork, because the child shares this process's memory until it executes the
 * program: nothing is copied however large mpiexec is. The child only makes system calls. It stays
 * in mpiexec's session and process group: a session of its own would be a scheduling group of its
 * own, where yielding to other ranks has no effect, and would take the terminal's signals away. */
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
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
    if (s->wdir != NULL && chdir(s->wdir) < 0)
        return errno;
    if (s->cpus != NULL && sched_setaffinity(0, sizeof *s->cpus, s->cpus) < 0)
        return errno;
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, s->mask, NULL);
    execve(s->path, s->argv, s->envp);
    return errno;
}

pid_t start_process(const struct start *s)
{
    /* Closes when the program is executed; carries an errno if it is not. */
    int news[2], error = 0;
    pid_t parent = getpid();
    if (pipe2(news, O_CLOEXEC) < 0)
        return -errno;
    pid_t pid = vfork();
    if (pid == 0) {
        int e = become(s, parent);
        _exit(write(news[1], &e, sizeof e) == (ssize_t)sizeof e ? 127 : 126);
    }
    if (pid < 0)
        error = errno;
    close(news[1]);
    while (pid > 0 && read(news[0], &error, sizeof error) < 0 && errno == EINTR)
        ;
    close(news[0]);
    if (error != 0 && pid > 0)
        waitpid(pid, NULL, 0);
    return error != 0 ? -error : pid;
}
