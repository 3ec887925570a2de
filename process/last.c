/* SPDX-License-Identifier: MIT */
/* What is told of a machine in virtual time at its end, where a signal ends the process before: it
 * may be in the middle of anything then, as in malloc. So a copy of it tells, which may hang or
 * crash: the process waits for it, not for long, and ends as it would have. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hal/hosted.h>
#include <process/image.h>

#define PATIENCE_MS 1000

static bool wanted(void)
{
    const char *heat = getenv("LWMPI_HEAT");
    return image.stats || image.memory_map || (heat && *heat != '\0');
}

/* In the copy, of which nobody hears by SIGCHLD. All signals are blocked in it, so that a crash
 * just ends it. */
static _Noreturn void tell(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    image_ranks_done();
    image_output_forked();
    image_output_end();
    hal_end_early();
    image_tell_end(0);
    _exit(0);
}

static void wait_for(pid_t pid)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; i < PATIENCE_MS; i++) {
        if (waitpid(pid, NULL, WNOHANG | __WALL) != 0)
            return;
        ppoll(NULL, 0, &moment, NULL); /* the library's own nanosleep is of virtual time */
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, __WALL);
}

void image_last_words(void)
{
    static volatile sig_atomic_t told;
    sigset_t all, before;
    if (told || image.over || getpid() != image.process || !wanted())
        return;
    told = 1;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    /* Not fork(), at which the C library waits for its own locks. */
    pid_t pid = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
    if (pid == 0)
        tell();
    if (pid > 0)
        wait_for(pid);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* The signal then does what it would have done. */
static void gone(int number)
{
    image_last_words();
    raise(number);
}

void image_last_watch(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now, action = {.sa_handler = gone, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0] && wanted(); i++)
        if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(ends[i], &action, NULL);
}
