/* SPDX-License-Identifier: MIT */
/* Who waits for what. Addresses are a cluster's own, so each prints its part: when nobody can go
 * on, the cluster whose core slept last asks the first core of each. */
#include <hal/report.h>

#include <stdatomic.h>

#include <base/fmt.h>
#include <hal/console.h>
#include <hal/core.h>
#include <hal/power.h>

#include "port.h"

static struct asked {
    void (*reporter)(void *arg, hal_report_sink *emit, void *sink);
    void *arg;
    atomic_bool wanted, printed;
} asked;

void hal_report_register(void (*reporter)(void *arg, hal_report_sink *emit, void *sink), void *arg)
{
    asked.reporter = reporter;
    asked.arg = arg;
}

static void say(void *sink, const struct hal_waiter *w)
{
    (void)sink;
    char line[200];
    int n = b_fmt(line, sizeof line, "  cluster %d core %d %s: %s%s%s\n", hal_cluster(), w->core,
                  w->who, w->what ? w->what : "runs", w->holder ? ", held by " : "",
                  w->holder ? w->holder : "");
    hal_console_write(line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

static void print_own(void)
{
    if (asked.reporter)
        asked.reporter(asked.arg, say, NULL);
    atomic_store(&asked.printed, true);
}

void hal_report_print(const char *title)
{
    char line[120];
    int n = b_fmt(line, sizeof line, "%s\n", title);
    hal_console_write(line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
    print_own();
}

void port_report_look(void)
{
    if (atomic_load(&asked.wanted) && !atomic_load(&asked.printed))
        print_own();
}

_Noreturn void port_report_deadlock(void)
{
    int clusters = hal_machine_clusters(hal_machine());
    port_awake(1); /* else the cores that are asked would find the same when they sleep again */
    hal_report_print("deadlock: nobody can go on");
    for (int i = 0; i < clusters; i++) {
        struct asked *there = port_there(i, &asked);
        atomic_store(&there->wanted, true);
        if (i != hal_cluster() && !hal_power_ended(i)) {
            port_event_raise(i, 0);
            while (!atomic_load(&there->printed))
                __asm__ volatile("yield");
        }
    }
    hal_abort(124, NULL);
}
