/* SPDX-License-Identifier: MIT */
/* What the benchmarks of the kernel share: one cluster of a machine, medians of batches, in
 * nanoseconds on linux and in cycles of mppa256 on sim. */
#ifndef KERNEL_BENCH_H
#define KERNEL_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hal/hosted.h>
#include <kernel/boot.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>
#include <sys/k_wait.h>

#include "load.h"
#include "median.h"

enum { BATCHES = 31 };

static bool on_sim(void)
{
    return strcmp(hal_port_name, "sim") == 0;
}

/* The clock of the machine that is measured. */
static inline uint64_t bench_now(void)
{
    return on_sim() ? k_time_cycles() : k_time_ns();
}

/* Runs `batch` (a warm-up and BATCHES times), which repeats something `count` times, and prints the
 * median of one repetition. */
static inline void bench_report(const char *name, const char *target, int count,
                                void (*batch)(int count))
{
    double value[BATCHES];
    int batches = on_sim() ? 3 : BATCHES; /* virtual time does not scatter */
    batch(count);
    for (int i = 0; i < batches; i++) {
        uint64_t begin = bench_now();
        batch(count);
        value[i] = (double)(bench_now() - begin) / count;
    }
    printf("%s: %s,%.1f,%s,%s\n", on_sim() ? "mppa256" : "linux", name,
           bench_median(value, batches), on_sim() ? "cycles" : "ns", on_sim() ? "" : target);
    fflush(stdout); /* a cluster ends without the C library */
}

static int (*bench_body)(void *arg);

static void bench_boot(void *arg)
{
    kern_boot(bench_body, arg);
}

/* Runs body(NULL) on one cluster of mppa256, or on linux with `cores` cores; returns the exit
 * code. */
static inline int bench_cores(bool asymmetric, unsigned cores, int (*body)(void *arg))
{
    struct hal_machine m;
    struct hal_options o;
    bench_load(on_sim() ? "mppa256" : "linux", &m, &o);
    m.compute_clusters = 1;
    m.io_clusters = 0;
    m.asymmetric = asymmetric;
    if (!on_sim())
        m.compute_cores = cores;
    bench_body = body;
    return hal_run(&m, &o, bench_boot, NULL);
}

/* Runs body(NULL) on each cluster of the whole of mppa256; returns the exit code. */
static inline int bench_machine(int (*body)(void *arg))
{
    struct hal_machine m;
    struct hal_options o;
    bench_load("mppa256", &m, &o);
    bench_body = body;
    return hal_run(&m, &o, bench_boot, NULL);
}

/* Whether a word is among the arguments. */
static inline bool bench_said(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

/* Ends the program if an argument is none of two words; other: NULL if there is one only. */
static inline void bench_words(int argc, char **argv, const char *one, const char *other)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], one) != 0 && (!other || strcmp(argv[i], other) != 0)) {
            fprintf(stderr, "%s: no argument, or %s%s%s, not \"%s\"\n", argv[0], one,
                    other ? ", " : "", other ? other : "", argv[i]);
            exit(2);
        }
}

/* Joules of the machine up to now. */
static inline double bench_joules(void)
{
    struct hal_result r;
    hal_result(&r);
    return r.energy_core + r.energy_noc + r.energy_static;
}

static inline int bench_cluster(bool asymmetric, int (*body)(void *arg))
{
    return bench_cores(asymmetric, 2, body);
}

static inline int bench_thread(void (*entry)(void *arg), int core)
{
    return k_thread_create(&(struct k_thread_attr){.entry = entry, .name = "bench", .core = core});
}

#endif
