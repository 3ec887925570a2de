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
        if (done < 0 && errno != EINTR && errno != EAGAIN) {
            break; /* nobody listens */
        }
        if (done > 0) {
            text += done;
            n -= (size_t)done;
        }
    }
    errno = host_error;
}

void hal_power_off(int status)
{
    struct sim_core *me = sim.core;
    sim_cluster_end(&sim.clusters[me->cluster], status);
    sim_dispatch();
    sim_leave(); /* not reached: a core that ended is never resumed */
}

void hal_abort(int status, const char *why)
{
    if (why != NULL) {
        char text[512];
        int n = snprintf(text, sizeof text, "cluster %d core %d: %s\n", sim.core->cluster,
                         sim.core->number, why);
        hal_console_write(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
    }
    sim_over(status);
    sim_leave();
}
