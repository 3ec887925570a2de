/* SPDX-License-Identifier: MIT */
/* hal/report.h: the table of who waits for what. */
#include "contract.h"

#include <hal/report.h>

static uint64_t since; /* a second before cluster 1 reports */

static const char *const names[] = {"zero", "one", "two"};

static void wrong(void *arg, hal_report_sink *emit, void *sink)
{
    struct hal_waiter w = {.who = "of the first reporter", .what = arg};
    emit(sink, &w);
}

static void reporter(void *arg, hal_report_sink *emit, void *sink)
{
    const int *cluster = arg;
    struct hal_waiter first = {
        .core = 2, .who = names[*cluster], .what = "mutex", .holder = "somebody", .since = since};
    struct hal_waiter second = {.core = 3, .who = "another", .what = "mailbox read port 3"};
    emit(sink, &first);
    emit(sink, &second);
}

static int clusters[] = {0, 1, 2};

static void boot(void *arg)
{
    (void)arg;
    hal_report_register(wrong, NULL);
    hal_report_register(reporter, &clusters[hal_cluster()]); /* the last wins */
    contract_meet();
    if (hal_cluster() == 1) {
        since = hal_clock_cycles();
        while (hal_clock_cycles() - since < hal_clock_hz())
            hal_event_wait(since + hal_clock_hz());
        hal_report_print("the title");
    }
    contract_meet();
}

/* Stuck for ever: the report comes by itself. */
static void boot_stuck(void *arg)
{
    (void)arg;
    hal_report_register(reporter, &clusters[hal_cluster()]);
    for (;;)
        hal_event_wait(HAL_NEVER);
}

static bool has_one(const char *text)
{
    return contract_has(text, "the title") && contract_has(text, "one") &&
           contract_has(text, "mutex") && contract_has(text, "somebody") &&
           (!strstr(text, " ms") ||
            contract_has(text, "mutex since 10")) && /* a second, or later */
           contract_has(text, "another") &&
           contract_has(text, "mailbox read port 3") && !strstr(text, "of the first reporter");
}

static bool has_all(const char *text)
{
    return contract_has(text, names[0]) && contract_has(text, names[1]) &&
           contract_has(text, names[2]);
}

CONTRACT({.boot = boot, .good = has_one},
         {.boot = boot_stuck, .status = 124, .good = has_all, .stuck = true});
