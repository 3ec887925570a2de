/* SPDX-License-Identifier: MIT */
/* hal_run: a machine out of forks of the calling process, and their supervisor. */
#include "supervise.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <base/error.h>
#include <hal/job.h>

#define TICK_NS 100000000 /* the supervisor looks at least so often */

/* What the clusters get for their reports before they are killed; less if all have answered. */
#define REPORT_NS UINT64_C(2000000000)

static void leave_process(int status)
{
    fflush(NULL);
    _exit(status);
}

/* Never returns: the calling process is cluster `cluster`. */
static _Noreturn void be_cluster(struct lx_header *h, int cluster, void (*boot)(void *arg),
                                 void *arg)
{
    atomic_store(&lx_cluster(h, cluster)->state, LX_ATTACHED);
    if (lx_attach(h, cluster) != 0) {
        fprintf(stderr, "cluster %d: no memory\n", cluster);
        _exit(1);
    }
    lx_power_home(leave_process);
    boot(arg);
    lx_ended(h, cluster, LX_OFF, 0);
    leave_process(0);
    abort();
}

/* Forks the clusters; false if the system refuses one. */
static bool start_all(struct hal_job *job, const sigset_t *mask, void (*boot)(void *arg), void *arg)
{
    struct lx_header *h = lx_job_header(job);
    pid_t parent = getpid();
    fflush(NULL); /* else each child would print it again */
    for (int c = 0; c < hal_machine_clusters(&h->machine); c++) {
        pid_t pid = fork();
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != parent)
                _exit(1); /* it died before the kernel could promise */
            sigprocmask(SIG_SETMASK, mask, NULL);
            close(hal_job_fd(job));
            be_cluster(h, c, boot, arg);
        }
        if (pid < 0)
            return false;
        hal_job_started(job, c, pid);
    }
    return true;
}

/* Takes the processes that ended. Returns true if the job must end now; the first reason is
 * printed. */
static bool reap(struct hal_job *job, int clusters, bool over)
{
    for (int c = 0; c < clusters; c++) {
        int status;
        char why[160];
        pid_t pid = lx_job_pid(job, c);
        if (pid == 0 || waitpid(pid, &status, WNOHANG) != pid)
            continue;
        if (lx_job_exited(job, c, status, why, sizeof why)) {
            if (!over && why[0] != '\0')
                fprintf(stderr, "lwmpi: %s\n", why);
            over = true;
        }
    }
    return over;
}

/* The machine ran out of its time: reports, then the end. */
static void time_out(struct hal_job *job, uint64_t limit_ns)
{
    uint64_t end = lx_monotonic_ns() + REPORT_NS;
    fprintf(stderr, "lwmpi: time-out: the machine ran for more than %llu.%03llu s\n",
            (unsigned long long)(limit_ns / 1000000000),
            (unsigned long long)(limit_ns / 1000000 % 1000));
    lx_job_fail(job, 124);
    hal_job_report(job, false);
    while (!hal_job_reported(job) && lx_monotonic_ns() < end)
        lx_nap(1000000);
}

/* Waits for all clusters; kills the rest when one fails. Woken by SIGCHLD, which is blocked. */
static void supervise(struct hal_job *job, bool over)
{
    const struct lx_header *h = lx_job_header(job);
    int clusters = hal_machine_clusters(&h->machine);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    for (;;) {
        int aborted;
        over = reap(job, clusters, over) || over || hal_job_aborted(job, &aborted);
        if (!over && h->timeout_ns != 0 && lx_monotonic_ns() - h->start_ns > h->timeout_ns) {
            time_out(job, h->timeout_ns);
            over = true;
        }
        if (lx_job_running(job) == 0)
            return;
        if (over)
            lx_job_kill(job);
        uint64_t left = TICK_NS;
        if (h->timeout_ns != 0) {
            uint64_t ran = lx_monotonic_ns() - h->start_ns;
            uint64_t rest = h->timeout_ns > ran ? h->timeout_ns - ran : 0;
            left = rest < left ? rest + 1000000 : left;
        }
        sigtimedwait(&child, NULL, &(struct timespec){.tv_nsec = (long)(left % 1000000000)});
    }
}

int hal_run(const struct hal_machine *m, const struct hal_options *o, void (*boot)(void *arg),
            void *arg)
{
    struct hal_job *job;
    int rc = hal_job_create(m, o, &job);
    if (rc != 0) {
        fprintf(stderr, "lwmpi: machine %s: %s\n", m->name, b_error_message(rc));
        return 1;
    }
    sigset_t child, mask;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &mask);
    bool started = start_all(job, &mask, boot, arg);
    if (!started) {
        fprintf(stderr, "lwmpi: machine %s: the system refuses more processes\n", m->name);
        lx_job_fail(job, 1);
    }
    supervise(job, !started);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    int status = lx_job_status(job);
    return hal_status(status, hal_job_destroy(job, started));
}
