/* SPDX-License-Identifier: MIT */
#include <sys/k_info.h>

#include <sys/k_call.h>
#include <sys/k_types.h>

void k_info(struct k_info *info)
{
    k_call(K_NR_info, (long)info, 0, 0, 0, 0);
}

uint64_t k_time_cycles(void)
{
    return k_call_wide(K_NR_time, K_TIME_CYCLES, 0, 0, 0);
}

uint64_t k_time_ns(void)
{
    return k_call_wide(K_NR_time, K_TIME_NS, 0, 0, 0);
}

void k_work(uint64_t cycles)
{
    k_call(K_NR_work, (long)cycles, 0, k_high(cycles), 0, 0);
}

void k_copy(void *dst, const void *src, size_t n)
{
    struct b_piece one = {dst, src, n};
    k_copy_pieces(&one, 1);
}

void k_copy_pieces(const struct b_piece *pieces, int n)
{
    k_call(K_NR_copy, (long)pieces, n, 0, 0, 0);
}

void k_count(const char *name, uint64_t add)
{
    k_call(K_NR_count, (long)name, (long)add, k_high(add), 0, 0);
}

void k_trace_begin(struct k_span *s, const char *name)
{
    s->name = name;
    s->begin = k_call_wide(K_NR_trace, K_TRACE_BEGIN, (long)name, 0, 0);
}

void k_trace_end(const struct k_span *s)
{
    k_call(K_NR_trace, K_TRACE_END, (long)s->name, (long)s->begin, k_high(s->begin), 0);
}

bool k_traced(void)
{
    return k_call(K_NR_trace, K_TRACE_ON, 0, 0, 0, 0) != 0;
}

void k_console(const char *text, size_t n)
{
    k_call(K_NR_console, (long)text, (long)n, 0, 0, 0);
}

_Noreturn void k_power_off(int status)
{
    for (;;)
        k_call(K_NR_power_off, status, 0, 0, 0, 0);
}

_Noreturn void k_abort(int status, const char *why)
{
    for (;;)
        k_call(K_NR_abort, status, (long)why, 0, 0, 0);
}
