/* SPDX-License-Identifier: MIT */
/* The report of a cluster: on SIGQUIT, at a time-out, or on the program's wish. */
#include "port.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <hal/clock.h>
#include <hal/console.h>
#include <hal/report.h>

static void (*reporter)(void *arg, hal_report_sink *emit, void *sink);
static void *reporter_arg;

void hal_report_register(void (*fn)(void *arg, hal_report_sink *emit, void *sink), void *arg)
{
    reporter_arg = arg;
    reporter = fn;
}

static void write_text(const char *text, int n, size_t size)
{
    if (n > 0) {
        hal_console_write(text, (size_t)n < size ? (size_t)n : size - 1);
    }
}

/* It computes, or asks again and again: how long tells that it is not stuck in the system. */
static void print_running(const struct hal_waiter *w)
{
    char text[256];
    struct timespec used = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    write_text(
        text,
        snprintf(text, sizeof text,
                 "  cluster %d core %d: %s runs; its process has used %lld.%ld s of processor "
                 "time\n",
                 lx.cluster, w->core, w->who, (long long)used.tv_sec, used.tv_nsec / 100000000),
        sizeof text);
}

static void emit(void *sink, const struct hal_waiter *w)
{
    char text[256];
    int *waiters = sink;
    if (w->what == NULL) {
        print_running(w);
        return;
    }
    uint64_t now = hal_clock_cycles();
    uint64_t cycles = now > w->since ? now - w->since : 0;
    uint64_t us = (uint64_t)((double)cycles * 1e6 / (double)hal_clock_hz());
    ++*waiters;
    write_text(text,
               snprintf(text, sizeof text,
                        "  cluster %d core %d: %s waits for %s since %llu.%03llu ms%s%s\n",
                        lx.cluster, w->core, w->who, w->what, (unsigned long long)us / 1000,
                        (unsigned long long)us % 1000, w->holder == NULL ? "" : ", held by ",
                        w->holder == NULL ? "" : w->holder),
               sizeof text);
}

void hal_report_print(const char *title)
{
    char text[256];
    int waiters = 0;
    write_text(text,
               snprintf(text, sizeof text, "cluster %d (process %d): %s\n", lx.cluster,
                        (int)getpid(), title),
               sizeof text);
    if (reporter != NULL) {
        reporter(reporter_arg, emit, &waiters);
    }
    if (waiters == 0) {
        write_text(text, snprintf(text, sizeof text, "  cluster %d: no thread waits\n", lx.cluster),
                   sizeof text);
    }
}

void lx_report_answer(void)
{
    unsigned asked = atomic_load(&lx.job->reports);
    unsigned done = atomic_load(&lx.self->reported);
    if (asked != done && atomic_compare_exchange_strong(&lx.self->answering, &done, asked)) {
        hal_report_print("report");
        atomic_store(&lx.self->reported, asked);
    }
}

/* The supervisor asks through the job's memory, and its signal may find the question answered. */
static void on_quit(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    int saved = errno;
    if (atomic_load(&lx.job->reports) != atomic_load(&lx.self->reported)) {
        lx_report_answer();
    } else if (info->si_code != SI_USER || info->si_pid != getppid()) {
        hal_report_print("report"); /* somebody else asks: the terminal's key, another process */
    }
    errno = saved;
}

void lx_report_attach(void)
{
    struct sigaction now, action = {.sa_sigaction = on_quit, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    /* A program that handles the signal itself keeps it. */
    if (sigaction(SIGQUIT, NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
        sigaction(SIGQUIT, &action, NULL);
    }
}
