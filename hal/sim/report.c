/* SPDX-License-Identifier: MIT */
/* Who waits for what, and why nothing can go on. */
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <hal/console.h>
#include <hal/power.h>

#include "chain.h"
#include "sim.h"

#define LINE 1200 /* a line with a call chain */

volatile sig_atomic_t sim_report_request;
struct hal_interrupted sim_report_interrupted;
static struct sigaction previous;

static const char *const state_names[] = {
    [SIM_OFF] = "is off",
    [SIM_READY] = "is about to run",
    [SIM_RUNNING] = "runs",
    [SIM_WORKING] = "works",
    [SIM_WAITING] = "waits for an event",
    [SIM_HEEDING] = "works, heeds events",
    [SIM_LOCKING] = "waits for lock",
    [SIM_SENDING] = "injects a portal transfer",
    [SIM_ENDED] = "has ended",
};

__attribute__((format(printf, 1, 2))) static void print(const char *format, ...)
{
    char line[LINE];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    hal_console_write(line, n < LINE ? (size_t)n : LINE - 1);
}

void hal_report_register(void (*reporter)(void *arg, hal_report_sink *emit, void *sink), void *arg)
{
    sim_cluster()->reporter = reporter;
    sim_cluster()->reporter_arg = arg;
}

static void print_chain(const char *chain)
{
    if (*chain != '\0')
        print("      in %s\n", chain);
}

static void print_waiter(void *sink, const struct hal_waiter *w)
{
    const struct sim_cluster *cl = sink;
    if (!w->what)
        return; /* it runs: print_cores */
    print("  cluster %d core %d thread \"%s\" waits for %s since cycle %" PRIu64 "%s%s\n",
          cl->number, w->core, w->who, w->what, w->since, w->holder ? ", held by " : "",
          w->holder ? w->holder : "");
    print_chain(sim_chain(w->context_sp, w->stack_base, w->stack_size));
}

/* It may sleep on the stack of a thread, whose bounds only its kernel knows. */
static const char *core_chain(const struct sim_core *c)
{
    if (c == sim.core)
        return sim_chain_here();
    return sim_chain(c->state == SIM_READY ? NULL : c->context.sp, NULL, 0);
}

/* Cores first .. last of a cluster, which are all in the same state. */
static void print_cores(const struct sim_core *first, const struct sim_core *last,
                        const char *chain)
{
    print("  cluster %d core %d", first->cluster, first->number);
    if (last != first)
        print(" to %d each", last->number);
    print(" %s", state_names[first->state]);
    const struct sim_core *holder = first->lock ? sim_lock_holder(first->lock) : NULL;
    if (holder)
        print(" \"%s\" held by core %d", sim_lock_name(first->lock), holder->number);
    print(" since cycle %" PRIu64 "\n", first->since);
    print_chain(chain);
}

static void print_cluster_cores(const struct sim_cluster *cl)
{
    static char chain[LINE]; /* of `first` */
    const struct sim_core *first = NULL, *last = NULL;
    for (int k = 0; k < cl->core_count; k++) {
        const struct sim_core *c = &cl->cores[k];
        if (c->state == SIM_OFF || c->state == SIM_ENDED)
            continue;
        const char *this_chain = core_chain(c);
        bool alike = first && c == last + 1 && c->state == first->state &&
                     c->since == first->since && c->lock == first->lock &&
                     strcmp(this_chain, chain) == 0;
        if (!alike) {
            if (first)
                print_cores(first, last, chain);
            first = c;
            snprintf(chain, sizeof chain, "%s", this_chain);
        }
        last = c;
    }
    if (first)
        print_cores(first, last, chain);
}

/* A core that waits for a lock whose holder waits for a lock ... that the first one holds. */
static void print_lock_cycle(const struct sim_core *first)
{
    const struct sim_core *c = first;
    print("  lock cycle in cluster %d:", first->cluster);
    do {
        print(" core %d -> \"%s\"", c->number, sim_lock_name(c->lock));
        c = sim_lock_holder(c->lock);
    } while (c != first);
    print(" -> core %d\n", first->number);
}

static bool leads_back(const struct sim_core *first)
{
    const struct sim_core *c = first;
    for (int steps = 0; c && c->lock && steps <= sim.core_count; steps++) {
        c = sim_lock_holder(c->lock);
        if (c == first)
            return true;
        if (c && c->index < first->index)
            return false; /* printed when that one was first, or leads elsewhere */
    }
    return false;
}

/* Is it over, as nothing can happen any more? */
static void report_print(const char *title, bool over)
{
    sim.reporting = true;
    if (sim_stand_print(title, over) && !sim.options.verbose) {
        sim.reporting = false;
        return;
    }
    print("%s: machine %s, cycle %" PRIu64 ", noc %s, seed %" PRIu64 "\n", title, sim.machine.name,
          sim.now, sim.options.noc, sim.seed);
    for (int i = 0; i < sim.cluster_count; i++) {
        struct sim_cluster *cl = &sim.clusters[i];
        if (cl->ended)
            continue;
        print_cluster_cores(cl);
        if (cl->reporter)
            cl->reporter(cl->reporter_arg, print_waiter, cl);
    }
    for (int i = 0; i < sim.core_count; i++)
        if (sim.cores[i].state == SIM_LOCKING && leads_back(&sim.cores[i]))
            print_lock_cycle(&sim.cores[i]);
    sim_chain_end();
    sim.reporting = false;
}

void hal_report_print(const char *title)
{
    report_print(title, false);
}

/* A program that computes may not come back to the simulator, which stands still meanwhile: it is
 * reported at once. Elsewhere the request waits for the next event; a second one meanwhile means
 * that the first is not seen, and is answered itself. */
static void on_quit(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    const struct hal_interrupted at = hal_site_interrupted(context);
    bool computes = sim.core && !sim.reporting && hal_site_in_program(at.pc);
    if (computes || (sim_report_request != 0 && !sim.reporting)) {
        sim_report_interrupted = at;
        hal_report_print("report");
        sim_report_interrupted.pc = 0;
    }
    sim_report_request = !computes;
}

void sim_report_install(void)
{
    struct sigaction action = {.sa_sigaction = on_quit,
                               .sa_flags = SA_RESTART | SA_ONSTACK | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sim_report_request = 0;
    sigaction(SIGQUIT, &action, &previous);
}

void sim_report_remove(void)
{
    sigaction(SIGQUIT, &previous, NULL);
}

void sim_report_now(void)
{
    sim_report_request = 0;
    hal_report_print("report");
}

void sim_report_deadlock(void)
{
    report_print("deadlock: nothing can happen any more", true);
    sim_over(SIM_STATUS_STUCK);
}

void sim_report_timeout(void)
{
    hal_report_print("time-out");
    sim_over(SIM_STATUS_STUCK);
}
