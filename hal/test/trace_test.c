/* SPDX-License-Identifier: MIT */
/* hal/trace.h: off unless asked for, and then it disturbs nothing. */
#include "contract.h"

#include <hal/trace.h>

static void boot(void *arg)
{
    (void)arg;
    struct hal_span outer, inner;
    CHECK(!hal_trace_on());
    hal_trace_begin(&outer, "the outer span");
    hal_trace_begin(&inner, "the inner span");
    hal_trace_end(&inner);
    hal_trace_end(&outer);
    hal_count("test.events", 1000);
    hal_count_max("test.high", 12);
    contract_meet();
}

CONTRACT({.boot = boot});
