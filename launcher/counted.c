/* SPDX-License-Identifier: MIT */
#include "counted.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <hal/virt.h>
#include <launcher/stats.h>

#define COUNTERS 64
#define CAGE_KB  (HAL_VIRT_CAGE_BYTES / 1024)

static struct counter {
    char name[32];
    uint64_t value;
} counters[COUNTERS];
static int counter_count;

/* Of a cage, from below (docs/riscv.md, Memory); the port counts the first ones, the kernel those
 * of its window. */
static const struct row {
    const char *name, *what;
} rows[] = {{"cage.text", "text, constants"},   {"cage.variables", "variables"},
            {"cage.programs", "programs"},      {"cage.cores", "cores"},
            {"cage.stacks", "system's stacks"}, {"cage.rank_stacks", "ranks' stacks"},
            {"memory.pools", "kernel's pools"}};
static const struct row stacks[] = {
    {"stack.core", "a core"}, {"stack.system", "a thread of the system"}, {"stack.rank", "a rank"}};

static struct counter *find(const char *name)
{
    int i = 0;
    while (i < counter_count && strcmp(counters[i].name, name) != 0)
        i++;
    if (i == COUNTERS)
        return NULL;
    if (i == counter_count)
        strcpy(counters[counter_count++].name, name);
    return &counters[i];
}

void counted_take(const char *line)
{
    struct counter c;
    char how;
    if (sscanf(line, "%c%31s %" SCNu64, &how, c.name, &c.value) != 3)
        return;
    struct counter *to = find(c.name);
    if (to)
        to->value = how == HAL_VIRT_SUM   ? to->value + c.value
                    : c.value > to->value ? c.value
                                          : to->value;
}

static uint64_t value_of(const char *name)
{
    for (int i = 0; i < counter_count; i++)
        if (strcmp(counters[i].name, name) == 0)
            return counters[i].value;
    return 0;
}

/* Those that stand in no table of their own. */
static const struct counter *plain(int i)
{
    static const char *const others[] = {"cage.", "stack.", "memory.pools", HAL_VIRT_CYCLES};
    for (int c = 0; c < counter_count; c++) {
        bool other = false;
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
            other = other || strncmp(counters[c].name, others[k], strlen(others[k])) == 0;
        if (!other && i-- == 0)
            return &counters[c];
    }
    return NULL;
}

static const char *name(const void *source, int i)
{
    const struct counter *c = plain(i);
    (void)source;
    return c ? c->name : NULL;
}

static uint64_t sum(const void *source, int i)
{
    (void)source;
    return plain(i)->value;
}

static void row(FILE *to, const char *what, uint64_t bytes)
{
    fprintf(to, "lwmpi:   %-23s %7" PRIu64 " KB %5.1f %%\n", what, (bytes + 512) / 1024,
            100.0 * (double)bytes / (CAGE_KB * 1024.0));
}

/* Each row is the most that any cluster had of it. */
static void print_map(FILE *to)
{
    uint64_t all = 0;
    fprintf(to, "lwmpi: of the %u KB of a cluster at most:\n", CAGE_KB);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        row(to, rows[i].what, value_of(rows[i].name));
        all += value_of(rows[i].name);
    }
    uint64_t frames = value_of("memory.high") - value_of("memory.pools");
    row(to, "MPI, services, malloc", frames);
    row(to, "free", CAGE_KB * 1024u - all - frames);
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++)
        if (value_of(stacks[i].name) > 0)
            fprintf(to, "lwmpi: of the stack of %s %" PRIu64 " B at most\n", stacks[i].what,
                    value_of(stacks[i].name));
}

void counted_print(FILE *to, const struct hal_machine *m, const struct svc_job *job, double wall)
{
    if (value_of(HAL_VIRT_CYCLES) == 0) /* no cluster came to its end */
        return;
    struct launcher_stats s = {
        .machine = m->name,
        .hz = m->hz,
        .job = *job,
        .clusters = (int)m->compute_clusters,
        .result = {.seconds = (double)value_of(HAL_VIRT_CYCLES) / (double)m->hz,
                   .energy_core = -1,
                   .energy_noc = -1,
                   .energy_static = -1},
        .wall = wall,
        .name = name,
        .sum = sum,
    };
    launcher_stats_print(to, &s);
    print_map(to);
}
