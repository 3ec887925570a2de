/* SPDX-License-Identifier: MIT */
/* The end of a cluster and of the machine, and the console. */
#include <hal/power.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <hal/console.h>

#include "sim.h"

void hal_console_write(const char *text, size_t n)
{
    int host_error = errno;
    while (n > 0) {
        ssize_t done = write(STDERR_FILENO, text, n);
        if (done < 0 && errno != EINTR && errno != EAGAIN)
            break; /* nobody listens */
        if (done > 0) {
            text += done;
            n -= (size_t)done;
        }
    }
    errno = host_error;
}

/* Its peers learn of an end when the last thing that it sent has arrived. */
static void check_gone(struct sim_cluster *cl)
{
    if (!cl->ended || cl->gone || cl->flying > 0)
        return;
    cl->gone = true;
    sim.gone[cl->number / 64] |= UINT64_C(1) << cl->number % 64;
    sim.gone_count++;
    sim_portal_cluster_gone(cl);
    for (int i = 0; i < sim.cluster_count; i++)
        sim_raise_noc(&sim.clusters[i]);
}

void sim_flies(int from)
{
    sim.clusters[from].flying++;
}

void sim_landed(int from)
{
    sim.clusters[from].flying--;
    check_gone(&sim.clusters[from]);
}

int hal_power_ended_count(void)
{
    sim_poll();
    return sim.gone_count;
}

uint64_t hal_power_ended_set(int word)
{
    sim_poll();
    return sim.gone[word];
}

void hal_power_off(int status)
{
    struct sim_cluster *cl = sim_cluster();
    cl->ended = true;
    cl->status = status;
    sim_cores_end(cl);
    if (status != 0 && sim.status == 0)
        sim.status = status;
    if (--sim.alive == 0)
        sim_over(sim.status);
    check_gone(cl);
    sim_dispatch();
    sim_leave(); /* not reached: a core that ended is never resumed */
}

/* No machine was made, or it is gone, or the caller is a thread of the host that is none of its
 * cores: the process is all there is to end. */
static _Noreturn void abort_process(int status, const char *why)
{
    if (why)
        fprintf(stderr, "%s\n", why);
    fflush(NULL);
    _exit(status & 255);
}

void hal_abort(int status, const char *why)
{
    if (!sim.core || !pthread_equal(sim.thread, pthread_self()))
        abort_process(status, why);
    if (why) {
        char text[512];
        int n = snprintf(text, sizeof text, "cluster %d core %d: %s\n", sim.core->cluster,
                         sim.core->number, why);
        hal_console_write(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
    }
    sim_over(status);
    sim_leave();
}
