/* SPDX-License-Identifier: MIT */
/* Counters: one table for the machine, since all clusters are in this process. */
#include <string.h>

#include <hal/hosted.h>
#include <hal/trace.h>

#include "sim.h"

#define NAMES 64

static struct {
    const char *name;
    uint64_t value;
} counters[NAMES];
static int count;

void sim_counters_clear(void)
{
    count = 0;
}

/* The same name may come from different strings; most often it is the same string. */
static uint64_t *find(const char *name)
{
    for (int i = 0; i < count; i++)
        if (counters[i].name == name || strcmp(counters[i].name, name) == 0)
            return &counters[i].value;
    if (count == NAMES)
        return NULL;
    counters[count].name = name;
    counters[count].value = 0;
    return &counters[count++].value;
}

void hal_count(const char *name, uint64_t add)
{
    uint64_t *value = find(name);
    if (value)
        *value += add;
}

void hal_count_max(const char *name, uint64_t value)
{
    uint64_t *highest = find(name);
    if (highest && *highest < value)
        *highest = value;
}

const char *hal_counter_name(int i)
{
    return i >= 0 && i < count ? counters[i].name : NULL;
}

uint64_t hal_counter_sum(int i)
{
    return i >= 0 && i < count ? counters[i].value : 0;
}
