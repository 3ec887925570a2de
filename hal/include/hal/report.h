/* SPDX-License-Identifier: MIT */
/* Who waits for what: the table printed at a deadlock, a time-out or on the user's request. */
#ifndef HAL_REPORT_H
#define HAL_REPORT_H

#include <stdint.h>

/* A thread as the rooms above see it, one that waits or runs. Strings are only read during the
 * call. */
struct hal_waiter {
    int core;
    const char *who;    /* thread name */
    const char *what;   /* what it waits for: "mailbox read port 3"; NULL: nothing, it runs */
    const char *holder; /* who could end the wait, or NULL */
    uint64_t since;     /* cycle, or a little earlier: hal_clock_recent */
    void *context_sp;   /* saved stack pointer for a call chain, NULL if it is running */
    void *stack_base;   /* its stack, to bound the walk; NULL unknown */
    uint64_t stack_size;
};

typedef void hal_report_sink(void *sink, const struct hal_waiter *w);

/* Registers the calling cluster's reporter: on demand it calls emit(sink, &w) for each thread
 * that waits or runs. It runs while the cluster stands still (or nearly so, on linux), takes no
 * lock, must tolerate half-made state and must not call anything that waits. One per cluster; the
 * last wins. */
void hal_report_register(void (*reporter)(void *arg, hal_report_sink *emit, void *sink), void *arg);

/* Prints the report of the whole machine (linux: of the calling cluster) on the console now. */
void hal_report_print(const char *title);

#endif
