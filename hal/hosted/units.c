/* SPDX-License-Identifier: MIT */
#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <base/error.h>

/* Per dimension from the smallest unit to the largest; the one with scale 1 is the base unit. */
static const struct unit {
    enum hal_dimension dimension;
    const char *name;
    uint64_t scale;
} units[] = {
    {HAL_BYTES, "B", 1},
    {HAL_BYTES, "KB", UINT64_C(1) << 10},
    {HAL_BYTES, "MB", UINT64_C(1) << 20},
    {HAL_BYTES, "GB", UINT64_C(1) << 30},
    {HAL_HERTZ, "Hz", 1},
    {HAL_HERTZ, "kHz", UINT64_C(1000)},
    {HAL_HERTZ, "MHz", UINT64_C(1000000)},
    {HAL_HERTZ, "GHz", UINT64_C(1000000000)},
    {HAL_CYCLES, "cycles", 1},
    {HAL_COPY_COST, "mcycles/B", 1},
    {HAL_COPY_COST, "cycles/B", 1000},
    {HAL_OPERATION, "mcycles", 1},
    {HAL_OPERATION, "cycles", 1000},
    {HAL_BANDWIDTH, "B/cycle", 1},
    {HAL_WATTS, "uW", 1},
    {HAL_WATTS, "mW", 1000},
    {HAL_WATTS, "W", 1000000},
    {HAL_JOULES, "fJ", 1},
    {HAL_JOULES, "pJ", 1000},
    {HAL_JOULES, "nJ", 1000000},
    {HAL_SECONDS, "ns", 1},
    {HAL_SECONDS, "us", UINT64_C(1000)},
    {HAL_SECONDS, "ms", UINT64_C(1000000)},
    {HAL_SECONDS, "s", UINT64_C(1000000000)},
    {HAL_SECONDS, "min", UINT64_C(60000000000)},
    {HAL_CLUSTERS, "clusters", 1},
    {HAL_CORES, "cores", 1},
    {HAL_THREADS, "threads", 1},
    {HAL_NODES, "nodes", 1},
    {HAL_SLOTS, "slots", 1},
    {HAL_CHANNELS, "channels", 1},
    {HAL_PORTS, "ports", 1},
    {HAL_SYNCS, "syncs", 1},
    {HAL_MESSAGES, "messages", 1},
    {HAL_PLAIN, "", 1},
};
static const size_t unit_count = sizeof units / sizeof units[0];

#define FRACTION_DIGITS 9

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const struct unit *find(enum hal_dimension d, const char *name, size_t n)
{
    for (size_t i = 0; i < unit_count; i++)
        if (units[i].dimension == d && strlen(units[i].name) == n &&
            memcmp(units[i].name, name, n) == 0)
            return &units[i];
    return NULL;
}

/* Appends the digits at text[*at] to *value; how many, or -B_ERANGE. */
static int take_digits(const char *text, size_t n, size_t *at, uint64_t *value)
{
    int digits = 0;
    for (; *at < n && is_digit(text[*at]); (*at)++, digits++) {
        uint64_t digit = (uint64_t)(text[*at] - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return -B_ERANGE;
        *value = *value * 10 + digit;
    }
    return digits;
}

const char *hal_units_base(enum hal_dimension d)
{
    size_t i = 0;
    while (units[i].dimension != d || units[i].scale != 1)
        i++;
    return units[i].name;
}

int hal_units_parse(const char *text, size_t n, enum hal_dimension d, const char *missing,
                    uint64_t *value)
{
    size_t at = 0;
    uint64_t whole = 0, fraction = 0, divisor = 1;
    int digits = take_digits(text, n, &at, &whole);
    if (digits <= 0)
        return digits < 0 ? digits : -B_EINVAL;
    if (at < n && text[at] == '.') {
        at++;
        digits = take_digits(text, n, &at, &fraction);
        if (digits <= 0 || digits > FRACTION_DIGITS)
            return digits == 0 ? -B_EINVAL : -B_ERANGE;
        for (; digits > 0; digits--)
            divisor *= 10;
    }
    while (at < n && (text[at] == ' ' || text[at] == '\t'))
        at++;
    const struct unit *unit =
        at < n || !missing ? find(d, text + at, n - at) : find(d, missing, strlen(missing));
    if (!unit)
        return -B_ENOENT;
    /* fraction < 10^9 and scale < 10^11, so their product cannot overflow... except together with a
     * long fraction of minutes, which the check below refuses. */
    if (fraction != 0 && fraction > UINT64_MAX / unit->scale)
        return -B_ERANGE;
    uint64_t part = fraction * unit->scale;
    if (part % divisor != 0 || whole > (UINT64_MAX - part / divisor) / unit->scale)
        return -B_ERANGE;
    *value = whole * unit->scale + part / divisor;
    return 0;
}

const char *hal_units_names(enum hal_dimension d, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < unit_count && used < size; i++) {
        if (units[i].dimension == d) {
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used == 0 ? "" : ", ",
                                     units[i].name);
        }
    }
    return buf;
}

const char *hal_units_format(uint64_t value, enum hal_dimension d, char *buf, size_t size)
{
    const struct unit *best = NULL;
    for (size_t i = 0; i < unit_count; i++)
        if (units[i].dimension == d && (!best || (value != 0 && value % units[i].scale == 0)))
            best = &units[i];
    if (!best) {
        buf[0] = '\0';
        return buf;
    }
    snprintf(buf, size, "%" PRIu64 "%s%s", value / best->scale, best->name[0] == '\0' ? "" : " ",
             best->name);
    return buf;
}
