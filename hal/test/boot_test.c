/* SPDX-License-Identifier: MIT */
/* The least that a port does: each cluster boots, says a line, and ends; the machine ends with what
 * they say. Needs console and power alone, on one core of each cluster. */
#include "contract.h"

#include <stdio.h>
#include <stdlib.h>

#include <base/fmt.h>
#include <hal/console.h>

static void says(void *arg)
{
    (void)arg;
    char line[64];
    int n = b_fmt(line, sizeof line, "cluster %d of %d\n", hal_cluster(),
                  hal_machine_clusters(hal_machine()));
    hal_console_write(line, (size_t)n);
}

/* One line of each. */
static bool all_lines(const char *text)
{
    const char *of = strstr(text, " of ");
    int clusters = of ? atoi(of + 4) : 0;
    CHECK(clusters > 0);
    for (int i = 0; i < clusters; i++) {
        char line[64];
        snprintf(line, sizeof line, "cluster %d of %d\n", i, clusters);
        CHECK(contract_has(text, line));
        CHECK(!strstr(strstr(text, line) + 1, line));
    }
    return true;
}

static void ends(void *arg)
{
    (void)arg;
    hal_power_off(hal_cluster() == 0 ? 5 : 0);
}

CONTRACT({.boot = says, .good = all_lines}, {.boot = ends, .status = 5});
