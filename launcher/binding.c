/* SPDX-License-Identifier: MIT */
/* Processes are dealt out to the parts of the kind of --map-by, like cards; in each part they take
 * its cores in order (its hardware threads, if either option speaks of those), --map-by PART:pe=N
 * of them each, and begin anew when none is left. A process may then use the whole of the --bind-to
 * parts in which its cores lie. */
#include "binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct binding {
    enum part by, unit, bind;
    int width;
    int cpus;
    struct cpu {
        int number;
        int id[PART_ALL + 1]; /* of the part of each kind that it is in; PART_NONE: unused */
    } cpu[CPU_SETSIZE];
};

/* The first number in a file of /sys: of a list of processors that is its lowest. -1: no file. */
static int first_number(int cpu, const char *file)
{
    char path[128];
    int n = -1;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", cpu, file);
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    if (fscanf(f, "%d", &n) != 1)
        n = -1;
    fclose(f);
    return n;
}

/* The lowest processor that shares the cache of `level`; caches of instructions do not count. */
static int cache(int cpu, int level)
{
    for (int i = 0; i < 8; i++) {
        char file[64];
        snprintf(file, sizeof file, "cache/index%d/level", i);
        if (first_number(cpu, file) != level)
            continue;
        snprintf(file, sizeof file, "cache/index%d/shared_cpu_list", i);
        return first_number(cpu, file);
    }
    return -1;
}

/* The folder of a processor has a link nodeN to its memory. */
static int memory(int cpu)
{
    char path[80];
    for (int node = 0; node < 64; node++) {
        snprintf(path, sizeof path, "node%d/cpulist", node);
        if (first_number(cpu, path) >= 0)
            return node;
    }
    return -1;
}

static struct cpu look(int number)
{
    struct cpu c = {.number = number};
    c.id[PART_THREAD] = number;
    c.id[PART_CORE] = first_number(number, "topology/thread_siblings_list");
    c.id[PART_L2] = cache(number, 2);
    c.id[PART_L3] = cache(number, 3);
    c.id[PART_NUMA] = memory(number);
    c.id[PART_SOCKET] = first_number(number, "topology/physical_package_id");
    if (c.id[PART_CORE] < 0)
        c.id[PART_CORE] = number;
    return c;
}

struct binding *binding_make(const struct request *r)
{
    cpu_set_t allowed;
    struct binding *b = calloc(1, sizeof *b);
    if (!b || sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        free(b);
        return NULL;
    }
    b->bind = r->bind;
    b->by = r->by != PART_NONE ? r->by : r->bind;
    if (!r->bound)
        b->bind = b->by;
    b->unit = b->by == PART_THREAD || b->bind == PART_THREAD ? PART_THREAD : PART_CORE;
    if (b->by <= b->unit)
        b->by = PART_ALL; /* in order of the units: as if there were one part of them all */
    b->width = r->width;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &allowed))
            b->cpu[b->cpus++] = look(i);
    return b;
}

/* The ids of the parts of a kind, in order of their first processors, of those inside part `in` of
 * kind `within`; how many. */
static int parts(const struct binding *b, enum part kind, enum part within, int in, int *ids)
{
    int n = 0;
    for (int i = 0; i < b->cpus; i++) {
        const struct cpu *c = &b->cpu[i];
        bool seen = c->id[within] != in;
        for (int k = 0; k < n && !seen; k++)
            seen = ids[k] == c->id[kind];
        if (!seen)
            ids[n++] = c->id[kind];
    }
    return n;
}

void binding_of(const struct binding *b, int process, cpu_set_t *set)
{
    int ids[CPU_SETSIZE], units[CPU_SETSIZE];
    int n = parts(b, b->by, PART_ALL, 0, ids);
    int part = ids[process % n];
    int m = parts(b, b->unit, b->by, part, units);
    CPU_ZERO(set);
    for (int w = 0; w < b->width; w++) {
        int unit = units[(int)(((long)(process / n) * b->width + w) % m)];
        for (int i = 0; i < b->cpus; i++) { /* a processor of this unit, and all it is bound with */
            if (b->cpu[i].id[b->unit] != unit || b->cpu[i].id[b->by] != part)
                continue;
            for (int k = 0; k < b->cpus; k++)
                if (b->cpu[k].id[b->bind] == b->cpu[i].id[b->bind])
                    CPU_SET(b->cpu[k].number, set);
        }
    }
}

void binding_text(const cpu_set_t *set, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < CPU_SETSIZE; i++) {
        int last = i;
        if (!CPU_ISSET(i, set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
            last++;
        int n = snprintf(text + used, size - used, last > i ? "%s%d-%d" : "%s%d",
                         used > 0 ? "," : "", i, last);
        used += (size_t)n;
        if (used >= size)
            return;
        i = last;
    }
}
