/* SPDX-License-Identifier: MIT */
/* The report of a cluster: on SIGQUIT, at a time-out, or on the program's wish. */
#include "port.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <hal/clock.h>
#include <hal/console.h>
#include <hal/core.h>
#include <hal/report.h>
#include <hal/stand.h>

#include "cpu/cpu.h"
#include <hal/site.h>

#define PATIENCE 50 /* ms, for all cores of an answer together */

static void (*reporter)(void *arg, hal_report_sink *emit, void *sink);
static void *reporter_arg;
static hal_stand_function *stand;
static void *stand_arg;
static _Atomic(uintptr_t) rests[HAL_CORES_MAX]; /* frame in which a core sleeps; 0: it does not */

void hal_report_register(void (*fn)(void *arg, hal_report_sink *emit, void *sink), void *arg)
{
    reporter_arg = arg;
    reporter = fn;
}

static void write_text(const char *text, int n, size_t size)
{
    if (n > 0)
        hal_console_write(text, (size_t)n < size ? (size_t)n : size - 1);
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
    if (!w->what) {
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
                        (unsigned long long)us % 1000, w->holder ? ", held by " : "",
                        w->holder ? w->holder : ""),
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
    if (reporter)
        reporter(reporter_arg, emit, &waiters);
    if (waiters == 0) {
        write_text(text, snprintf(text, sizeof text, "  cluster %d: no thread waits\n", lx.cluster),
                   sizeof text);
    }
}

void hal_stand_register(hal_stand_function *fn, void *arg)
{
    hal_site_prepare();
    stand_arg = arg;
    stand = fn;
}

void lx_report_rests(int core, const void *fp)
{
    atomic_store_explicit(&rests[core], (uintptr_t)fp, memory_order_relaxed);
}

/* Where a rank is whose thread is its core's: own: where the core is that answers. Another one was
 * perhaps just woken by the question, and rests again soon; *patience: so many times a millisecond
 * is spent on that. */
static struct hal_interrupted place_of(int core, struct hal_interrupted own, int *patience)
{
    if (core == hal_core() && own.fp != 0)
        return own;
    uintptr_t fp = atomic_load_explicit(&rests[core], memory_order_relaxed);
    for (; fp == 0 && *patience > 0; --*patience) {
        lx_nap(1000000);
        fp = atomic_load_explicit(&rests[core], memory_order_relaxed);
    }
    return (struct hal_interrupted){0, fp};
}

/* Where the supervisor reads it. */
static bool note_stands(struct hal_interrupted at)
{
    struct hal_stand *row = lx_stands(lx.job, lx.cluster);
    int n = 0, patience = PATIENCE;
    for (; stand && n < (int)lx.job->machine.threads; n++) {
        memset(&row[n], 0, sizeof row[n]);
        if (!stand(stand_arg, n, &row[n]))
            break;
        row[n].pid = getpid();
        struct hal_interrupted there =
            row[n].sp ? (struct hal_interrupted){0, (uintptr_t)hal_cpu_frame_pointer(row[n].sp)}
                      : place_of(row[n].core, at, &patience);
        hal_site_walk(there.pc, there.fp, row[n].site, HAL_STAND_SITES);
    }
    atomic_store(&lx.self->stands, stand ? n + 1 : 0);
    return stand != NULL;
}

static void answer(struct hal_interrupted at)
{
    unsigned asked = atomic_load(&lx.job->reports);
    unsigned done = atomic_load(&lx.self->reported);
    if (asked != done && atomic_compare_exchange_strong(&lx.self->answering, &done, asked)) {
        bool told = note_stands(at);
        if (!told || atomic_load(&lx.job->short_reports) == 0)
            hal_report_print("report");
        atomic_store(&lx.self->reported, asked);
    }
}

void lx_report_answer(void)
{
    answer((struct hal_interrupted){0, (uintptr_t)__builtin_frame_address(0)});
}

/* The supervisor asks through the job's memory, and its signal may find the question answered. */
static void on_quit(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    int saved = errno;
    if (atomic_load(&lx.job->reports) != atomic_load(&lx.self->reported))
        answer(hal_site_interrupted(context));
    else if (info->si_code != SI_USER || info->si_pid != getppid())
        hal_report_print("report"); /* somebody else asks: the terminal's key, another process */
    errno = saved;
}

void lx_report_attach(void)
{
    struct sigaction now, action = {.sa_sigaction = on_quit, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    /* A program that handles the signal itself keeps it. */
    if (sigaction(SIGQUIT, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        sigaction(SIGQUIT, &action, NULL);
}
