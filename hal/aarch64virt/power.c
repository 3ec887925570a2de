/* SPDX-License-Identifier: MIT */
/* Ends: how many clusters have ended, and how, in the memory of cluster 0. The board cannot tell a
 * status, so the last line does; PSCI switches it off. */
#include <hal/power.h>

#include <stdatomic.h>

#include <base/assert.h>
#include <base/fmt.h>
#include <hal/console.h>
#include <hal/core.h>

#include "port.h"

static struct ends {
    atomic_int status;
    _Atomic(uint64_t) ended;
} ends;

static _Noreturn void stand(void)
{
    for (;;)
        __asm__ volatile("wfi");
}

_Noreturn void port_stop(void)
{
    port_awake(-1);
    stand();
}

static _Noreturn void off(int status)
{
    static atomic_flag once = ATOMIC_FLAG_INIT;
    char line[32];
    if (!atomic_flag_test_and_set((atomic_flag *)port_there(0, &once))) {
        hal_console_write(line, (size_t)b_fmt(line, sizeof line, "status %d\n", status));
        register uint64_t x0 __asm__("x0") = 0x84000008; /* SYSTEM_OFF */
        __asm__ volatile("hvc #0" : "+r"(x0) : : "x1", "x2", "x3", "memory");
    }
    stand();
}

_Noreturn void hal_power_off(int status)
{
    struct ends *e = port_there(0, &ends);
    int none = 0, clusters = hal_machine_clusters(hal_machine());
    uint64_t me = UINT64_C(1) << hal_cluster(), before;
    atomic_compare_exchange_strong(&e->status, &none, status);
    before = atomic_fetch_or(&e->ended, me);
    if (before & me) /* another core of it was quicker */
        port_stop();
    int cores = hal_machine_cores(hal_machine(), hal_cluster());
    for (int i = 0; i < cores; i++)
        port_event_raise(hal_cluster(), i); /* it stops */
    for (int i = 0; i < clusters; i++)
        port_event_network(i);
    if (__builtin_popcountll(before | me) == clusters)
        off(atomic_load(&e->status));
    port_stop();
}

_Noreturn void hal_abort(int status, const char *why)
{
    if (why) {
        char line[300];
        int n =
            b_fmt(line, sizeof line, "cluster %d core %d: %s\n", hal_cluster(), hal_core(), why);
        hal_console_write(line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
    }
    off(status);
}

int hal_power_ended_count(void)
{
    return __builtin_popcountll(hal_power_ended_set(0));
}

uint64_t hal_power_ended_set(int word)
{
    return word == 0 ? atomic_load(&((struct ends *)port_there(0, &ends))->ended) : 0;
}

_Noreturn void b_assert_failed(const char *condition, const char *file, int line)
{
    char text[160];
    b_fmt(text, sizeof text, "%s:%d: assertion failed: %s", file, line, condition);
    hal_abort(134, text);
}
