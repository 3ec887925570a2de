/* SPDX-License-Identifier: MIT */
/* Watching a job: output, ends of processes, signals, time. One poll loop; signals come through a
 * descriptor, so nothing is interrupted and nothing is missed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run.h"
#include "start.h"

#define QUIET_MS   50  /* after so long without output an unfinished line is shown */
#define LOOK_MS    10  /* between two looks whether all have reported */
#define ALONE_TIME 0.2 /* seconds that the services may take to end after the last rank */
#define GRACE_TIME 2.0 /* seconds that ranks may take to end after a signal that asks for it */

/* Seconds for the reports of a time-out to be printed: where clusters tell that they have answered,
 * and in virtual time. */
#define REPORT_TIME  2.0
#define VIRTUAL_TIME 1.0

double run_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void signal_all(const struct run *run, int signal_number)
{
    for (int i = 0; i < run->plan->processes + run->plan->helpers; i++)
        if (run->process[i].pid > 0)
            kill(run->process[i].pid, signal_number);
}

static void decide(struct run *run, int code, const char *format, va_list args)
{
    if (run->ending)
        return;
    run->ending = true;
    run->code = code;
    if (format)
        vsnprintf(run->why, sizeof run->why, format, args);
}

void run_end(struct run *run, int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    decide(run, code, format, args);
    va_end(args);
    signal_all(run, SIGKILL);
}

/* The same, but the processes may still do what they do at signal `number`. From a key of the
 * terminal it reached every process of its group by itself. */
static void end_gently(struct run *run, int number, bool key, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    decide(run, 128 + number, format, args);
    va_end(args);
    run->grace = run_time() + GRACE_TIME;
    if (!key)
        signal_all(run, number);
}

/* Who waits for what, printed by the processes themselves. */
static void report(const struct run *run)
{
    if (run->job)
        hal_job_report(run->job, run->timed_out);
    else
        signal_all(run, SIGQUIT);
}

static bool reported(const struct run *run)
{
    return run->timed_out && run->job && hal_job_reported(run->job);
}

/* A process in virtual time is the whole machine. */
static void judge_virtual(struct run *run, int status)
{
    if (!WIFSIGNALED(status))
        return;
    if (run->timed_out && WTERMSIG(status) == SIGQUIT) {
        run_end(run, EXIT_TIMEOUT, NULL); /* asked for its report before it could give one */
        return;
    }
    run_end(run, 128 + WTERMSIG(status),
            "the process that is all of %s (%d ranks, process %d) was killed by signal %d (%s)",
            run->plan->machine.name, run->plan->job.ranks, (int)run->process[0].pid,
            WTERMSIG(status), strsignal(WTERMSIG(status)));
}

/* Process i ended by itself, which may be the end of the job: when a signal killed it, when it
 * called hal_abort (which has said why), or when it left the others in the lurch. */
static void judge(struct run *run, int i, int status)
{
    char ranks[64], where[64];
    int aborted, code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    enum hal_job_state state = hal_job_state(run->job, i);
    plan_ranks(run->plan, i, ranks, sizeof ranks);
    snprintf(where, sizeof where, "(cluster %d, process %d)", i, (int)run->process[i].pid);
    if (hal_job_aborted(run->job, &aborted)) {
        run_end(run, aborted, NULL);
    } else if (WIFSIGNALED(status)) {
        run_end(run, code, "%s %s %s killed by signal %d (%s)", ranks, where,
                ranks[strlen("rank")] == 's' ? "were" : "was", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    } else if (state == HAL_JOB_RUNS) {
        run_end(run, code == 0 ? 1 : code, "%s %s ended with exit code %d in the middle of the job",
                ranks, where, code);
    } else if (state == HAL_JOB_ABSENT && code != 0 &&
               run->plan->program[plan_app(run->plan, i)].needs_mpi) {
        run_end(run, code, "%s %s ended with exit code %d before it reached main", ranks, where,
                code);
    } else if (run->request->verbose) {
        complain("%s %s ended with exit code %d", ranks, where, code);
    }
}

/* The services end by themselves after the last rank has told its end. Those of a job whose ranks
 * did not tell (a program without MPI, _exit) are ended. */
static void judge_helper(struct run *run, int i, int status)
{
    int aborted;
    if (hal_job_aborted(run->job, &aborted))
        run_end(run, aborted, NULL);
    else if (run->alone == 0 && (WIFSIGNALED(status) || hal_job_state(run->job, i) != HAL_JOB_OFF))
        run_end(run, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : 1,
                "the services (cluster %d, process %d) ended in the middle of the job", i,
                (int)run->process[i].pid);
}

/* A process could not become its program. */
static void take_news(struct run *run)
{
    struct start_failure f;
    ssize_t n = run->news < 0 ? -1 : read(run->news, &f, sizeof f);
    for (; n == (ssize_t)sizeof f; n = read(run->news, &f, sizeof f)) {
        run->begun = false;
        run_end(run, EXIT_CANNOT_RUN, "%.150s: cannot start this program: %s",
                f.number < run->plan->processes
                    ? run->plan->program[plan_app(run->plan, f.number)].path
                    : "lwmpi-services",
                start_error(f.error));
    }
    if (n == 0) {
        close(run->news);
        run->news = -1;
    }
}

static void reap(struct run *run)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        take_news(run); /* why it ended, before its end is judged */
        for (int i = 0; i < run->plan->processes + run->plan->helpers; i++) {
            if (run->process[i].pid != pid)
                continue;
            if (!run->job && !run->ending)
                judge_virtual(run, status);
            else if (i >= run->plan->processes && !run->ending)
                judge_helper(run, i, status);
            else if (!run->ending)
                judge(run, i, status);
            if (run->job)
                hal_job_ended(run->job, i);
            run->process[i].status =
                WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            run->process[i].pid = 0;
            run->live--;
        }
    }
    if (run->live == run->plan->helpers && run->alone == 0)
        run->alone = run_time();
}

/* Signals come in the order of their numbers: Ctrl-C is seen before the processes that it ended. */
static void take_signals(struct run *run)
{
    struct signalfd_siginfo s;
    while (read(run->signals, &s, sizeof s) == (ssize_t)sizeof s) {
        switch (s.ssi_signo) {
        case SIGCHLD:
            reap(run);
            break;
        case SIGQUIT:
            /* From the terminal's key it reached every process of its group by itself. */
            if (s.ssi_code != SI_KERNEL)
                report(run);
            break;
        case SIGUSR1:
        case SIGUSR2:
            signal_all(run, (int)s.ssi_signo);
            break;
        default:
            if (run->ending) /* asked twice */
                run_end(run, 0, NULL);
            else
                end_gently(run, (int)s.ssi_signo, s.ssi_code == SI_KERNEL,
                           "ended by signal %d (%s)", (int)s.ssi_signo,
                           strsignal((int)s.ssi_signo));
        }
    }
}

/* Milliseconds until `when`, for poll. */
static int until(double when)
{
    double left = (when - run_time()) * 1000;
    return left <= 0 ? 0 : left > 1e9 ? 1000000000 : (int)left + 1;
}

/* Whether ranks that wait for long in a collective ask why. */
static bool is_checked(const struct run *run)
{
    const char *word = getenv("LWMPI_CHECK");
    bool given = word && *word != '\0';
    return given ? strcmp(word, "yes") == 0 : run->plan->virtual_time;
}

/* In virtual time the machine does so itself. */
static void explain(const struct run *run)
{
    char text[8192];
    if (run->job && hal_job_explain(run->job, "time-out", text, sizeof text))
        fputs(text, stderr);
}

/* What the process of a machine in virtual time writes at its end, it also writes at a signal that
 * it may see. */
static bool writes_at_end(const struct run *run)
{
    return !run->job && (run->request->stats || getenv("LWMPI_HEAT") || getenv("LWMPI_MEMORY_MAP"));
}

static void end_late(struct run *run)
{
    if (!writes_at_end(run)) {
        run_end(run, EXIT_TIMEOUT, NULL);
        return;
    }
    run->ending = true;
    run->code = EXIT_TIMEOUT;
    run->grace = run_time() + GRACE_TIME;
    signal_all(run, SIGTERM);
}

/* Over the time: reports first, the end when all have answered or had time enough for it. */
static void look_at_clock(struct run *run, double *deadline)
{
    if (*deadline <= 0 || run->ending || (run_time() < *deadline && !reported(run)))
        return;
    if (run->timed_out) {
        explain(run);
        run_name_silent(run);
        end_late(run);
        return;
    }
    complain("time-out: the job did not end within %g s%s", run->request->timeout,
             is_checked(run) ? ""
                             : "; with --check ranks that wait in a collective learn who has "
                               "called something else");
    run->timed_out = true;
    report(run);
    *deadline = run_time() + (run->job ? REPORT_TIME : VIRTUAL_TIME);
}

/* For those that the end of the job waits for. */
static void end_of_patience(struct run *run)
{
    bool helpers = run->alone > 0 && run_time() >= run->alone + ALONE_TIME;
    bool asked = run->grace > 0 && run_time() >= run->grace;
    if (helpers || asked)
        signal_all(run, SIGKILL);
    if (asked)
        run->grace = 0;
}

void run_supervise(struct run *run)
{
    size_t room = 2 + (run->relay ? relay_capacity(run->relay) : 0);
    struct pollfd *p = calloc(room, sizeof *p);
    double deadline = run->request->timeout > 0 ? run->begin + run->request->timeout : 0;
    if (!p) {
        run_end(run, EXIT_CANNOT_RUN, "out of memory");
        while (run->live > 0)
            reap(run);
        return;
    }
    while (run->live > 0) {
        size_t n = run->relay ? relay_poll(run->relay, p + 2) : 0;
        int wait = deadline > 0 && !run->ending ? until(deadline) : -1;
        if (run->alone > 0 && (wait < 0 || wait > until(run->alone + ALONE_TIME)))
            wait = until(run->alone + ALONE_TIME);
        if (run->grace > 0 && (wait < 0 || wait > until(run->grace)))
            wait = until(run->grace);
        if (run->relay && (wait < 0 || wait > QUIET_MS))
            wait = QUIET_MS;
        if (run->timed_out && run->job && (wait < 0 || wait > LOOK_MS))
            wait = LOOK_MS;
        p[0] = (struct pollfd){.fd = run->signals, .events = POLLIN};
        p[1] = (struct pollfd){.fd = run->news, .events = POLLIN};
        int ready = poll(p, (nfds_t)n + 2, wait);
        if (ready > 0 && p[1].revents != 0)
            take_news(run);
        if (ready > 0 && run->relay && !relay_move(run->relay, p + 2, n))
            run_end(run, 128 + SIGPIPE, NULL);
        if (ready == 0 && run->relay)
            relay_quiet(run->relay);
        if (ready > 0 && p[0].revents != 0)
            take_signals(run);
        end_of_patience(run);
        look_at_clock(run, &deadline);
    }
    free(p);
}

/* Children that were adopted from ended processes. */
static int kill_children(void)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    int fd = open(path, O_RDONLY | O_CLOEXEC), killed = 0;
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    char *at = text, *end;
    for (long pid; (pid = strtol(at, &end, 10)) > 0 && end != at; at = end) {
        if (*end == '\0' && n == (ssize_t)sizeof text - 1)
            break; /* the number may go on in the next reading */
        killed += kill((pid_t)pid, SIGKILL) == 0;
    }
    return killed;
}

void run_sweep(void)
{
    while (kill_children() > 0)
        while (waitpid(-1, NULL, 0) > 0)
            kill_children();
}
