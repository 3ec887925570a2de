/* SPDX-License-Identifier: MIT */
/* The end of a cluster, of a machine, and of a machine that takes too long. */
#include "port.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hal/console.h>
#include <hal/hosted.h>
#include <hal/power.h>
#include <hal/report.h>

#define FLUSH_MS 100 /* what a process that ends may take to write what it has */
#define GRACE_S  2   /* for core 0 to notice that another core powered off */

static void (*leave)(int status); /* how the calling thread leaves the machine; may return */
static bool alone;                /* nobody supervises this process */

void lx_power_home(void (*how)(int status))
{
    leave = how;
}

void lx_ended(struct lx_header *h, int cluster, enum lx_state how, int status)
{
    struct lx_cluster *c = lx_cluster(h, cluster);
    unsigned state = atomic_load(&c->state);
    do {
        if (state >= LX_OFF)
            return;
        atomic_store(&c->status, status);
    } while (!atomic_compare_exchange_weak(&c->state, &state, how));
    if (status != 0) {
        unsigned none = 0;
        atomic_compare_exchange_strong(&h->failure, &none, (unsigned)status);
    }
    atomic_fetch_or(&h->gone[cluster / 64], UINT64_C(1) << cluster % 64);
    atomic_fetch_add(&h->ended, 1);
    for (int i = 0; i < hal_machine_clusters(&h->machine); i++)
        if (atomic_load(&lx_cluster(h, i)->state) == LX_ATTACHED)
            lx_event_news(h, i);
}

int hal_power_ended_count(void)
{
    return (int)atomic_load_explicit(&lx.job->ended, memory_order_acquire);
}

uint64_t hal_power_ended_set(int word)
{
    return atomic_load_explicit(&lx.job->gone[word], memory_order_acquire);
}

_Noreturn void lx_core_stop(void)
{
    leave(atomic_load(&lx.self->status));
    if (hal_here_core == 0)
        _exit(atomic_load(&lx.self->status));
    for (;;)
        pause();
}

_Noreturn void hal_power_off(int status)
{
    lx_ended(lx.job, lx.cluster, LX_OFF, status & 255);
    atomic_store(&lx.off, true);
    lx_event_all(lx.job, lx.cluster);
    leave(status & 255);
    /* Not core 0: it ends the process as soon as it waits; a core that never waits is not waited
     * for. */
    lx_nap(GRACE_S * UINT64_C(1000000000));
    _exit(status & 255);
}

/* What programs have buffered is written, by the first core of the process that ends it. Another
 * one may come while it holds the lock of a stream, for which the first one waits: it ends the
 * process soon, whatever is written by then. */
static void flush_once(void)
{
    static atomic_bool begun;
    if (atomic_exchange(&begun, true))
        lx_nap(FLUSH_MS * UINT64_C(1000000));
    else
        fflush(NULL);
}

_Noreturn void hal_abort(int status, const char *why)
{
    unsigned none = 0;
    if (why) {
        char text[512];
        int n =
            snprintf(text, sizeof text, "cluster %d core %d: %s\n", lx.cluster, hal_here_core, why);
        hal_console_write(text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
    }
    if (lx.job) {
        atomic_compare_exchange_strong(&lx.job->aborted, &none, 1 + (unsigned)(status & 255));
        lx_power_end();
    }
    flush_once();
    _exit(status & 255);
}

/* Ends a machine without a supervisor after its time. */
static void *watch(void *arg)
{
    (void)arg;
    lx_nap(lx.job->timeout_ns);
    hal_report_print("time-out");
    hal_abort(124, NULL);
}

void lx_power_alone(void)
{
    pthread_t thread;
    alone = true;
    if (lx.job->timeout_ns != 0 && pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
}

bool lx_power_end(void)
{
    bool write = alone;
    alone = false;
    return !write || lx_trace_write(lx.job);
}
