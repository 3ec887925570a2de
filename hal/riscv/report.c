/* SPDX-License-Identifier: MIT */
/* Who waits for what. Each cluster prints its own part, as no other can look into its memory. */
#include "riscv.h"

#include <base/fmt.h>
#include <hal/clock.h>
#include <hal/console.h>
#include <hal/core.h>
#include <hal/report.h>

#define STATUS_OF_DEADLOCK 124

static void (*reporter)(void *arg, hal_report_sink *emit, void *sink);
static void *reporter_arg;

void hal_report_register(void (*fn)(void *arg, hal_report_sink *emit, void *sink), void *arg)
{
    reporter_arg = arg;
    reporter = fn;
}

static void write_text(const char *text, int n, size_t size)
{
    hal_console_write(text, (size_t)n < size ? (size_t)n : size - 1);
}

static void emit(void *sink, const struct hal_waiter *w)
{
    char text[256];
    uint64_t now = hal_clock_cycles(), cycles = now > w->since ? now - w->since : 0;
    unsigned long long us = cycles * 1000 / (hal_clock_hz() / 1000);
    (void)sink;
    int n = w->what ? b_fmt(text, sizeof text,
                            "  cluster %d core %d: %s waits for %s since %llu.%03llu ms%s%s\n",
                            rv_cluster, w->core, w->who, w->what, us / 1000, us % 1000,
                            w->holder ? ", held by " : "", w->holder ? w->holder : "")
                    : b_fmt(text, sizeof text, "  cluster %d core %d: %s runs\n", rv_cluster,
                            w->core, w->who);
    write_text(text, n, sizeof text);
}

void hal_report_print(const char *title)
{
    char text[256];
    write_text(text, b_fmt(text, sizeof text, "cluster %d: %s\n", rv_cluster, title), sizeof text);
    if (reporter)
        reporter(reporter_arg, emit, NULL);
}

void rv_report_asked(void)
{
    static uint32_t told;
    uint32_t asked = atomic_load(&rv_noc()->asked);
    if (hal_here_core == 0 && asked != told) {
        told = asked;
        hal_report_print("who waits for what");
    }
}

void rv_report_stuck(void)
{
    struct rv_noc *noc = rv_noc();
    if (hal_here_core != 0)
        return;
    hal_report_print("deadlock: nobody can go on");
    atomic_store(&noc->cluster[rv_cluster].reported, 1);
    for (int i = 0; i < hal_machine_clusters(hal_machine()); i++)
        while (atomic_load(&noc->cluster[i].reported) == 0 &&
               atomic_load(&noc->cluster[i].ended) == 0)
            rv_yield();
    rv_finish(STATUS_OF_DEADLOCK);
}
