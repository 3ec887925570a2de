/* SPDX-License-Identifier: MIT */
/* The small contracts: machine, memory, console, work. */
#include "port.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <hal/console.h>
#include <hal/hosted.h>
#include <hal/mem.h>
#include <hal/work.h>

const char hal_port_name[] = "linux";

const struct hal_machine *hal_machine(void)
{
    return lx.job ? &lx.job->machine : NULL;
}

/* The clusters of a job are processes of one computer. */
int hal_node(void)
{
    return 0;
}

const char *hal_node_name(void)
{
    return lx.host;
}

void hal_mem_window(void **base, size_t *size)
{
    *base = lx_window(lx.job, lx.cluster);
    *size = hal_machine_memory(&lx.job->machine, lx.cluster);
}

void hal_mem_copy_pieces(const struct b_piece *pieces, int n)
{
    b_copy_pieces(pieces, n);
}

void hal_work(uint64_t cycles)
{
    (void)cycles; /* real work takes real time */
}

uint64_t hal_work_event(uint64_t cycles)
{
    (void)cycles;
    return 0;
}

void hal_console_write(const char *text, size_t n)
{
    int saved = errno;
    while (n > 0) {
        ssize_t done = write(STDERR_FILENO, text, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            break; /* nobody reads: there is nowhere left to complain */
        text += done;
        n -= (size_t)done;
    }
    errno = saved;
}
