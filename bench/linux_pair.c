/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "linux_pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <hal/clock.h>

#include "load.h"

struct pair_line *pair_lines;

int pair_run(const char *machine, size_t memory, void (*boot)(void *arg))
{
    struct hal_machine m;
    struct hal_options o;
    bench_load(machine, &m, &o);
    m.compute_clusters = 2;
    m.compute_cores = 1;
    m.io_clusters = 0;
    if (memory != 0)
        m.compute_memory = memory;
    o.pin = true;
    pair_lines = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pair_lines == MAP_FAILED) {
        fprintf(stderr, "no shared memory\n");
        return 1;
    }
    return hal_run(&m, &o, boot, NULL);
}

double pair_line_ns(int me, int rounds)
{
    static unsigned last; /* both count alike */
    atomic_uint *mine = &pair_lines[me].ball, *other = &pair_lines[1 - me].ball;
    uint64_t start = hal_clock_ns();
    for (int i = 0; i < rounds; i++) {
        last++;
        if (me == 0)
            atomic_store_explicit(other, last, memory_order_release);
        while (atomic_load_explicit(mine, memory_order_acquire) != last) {
        }
        if (me == 1)
            atomic_store_explicit(other, last, memory_order_release);
    }
    return (double)(hal_clock_ns() - start) / (2.0 * rounds);
}
