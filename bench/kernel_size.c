/* SPDX-License-Identifier: MIT */
/* Memory that the kernel keeps for itself in a compute cluster, pools included; how many threads
 * the whole memory could hold, a page of stack each, as souto-2022, table 1, counts; and how many
 * stacks of the machine fit beside the kernel. */
#include <stdio.h>

#include <hal/hosted.h>
#include <kernel/mem.h>

static const struct {
    const char *machine, *target;
} rows[] = {{"mppa256", "<= 98304"}, {"mini", ""}, {"pulp", ""}, {"coreva", ""}, {"sw26010", ""}};

enum { PAGE = 4096 };

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hal_machine m;
        char why[256];
        if (hal_machine_load(rows[i].machine, &m, why, sizeof why)) {
            fprintf(stderr, "%s\n", why);
            return 1;
        }
        size_t pools = kern_cluster_size(&m, 0), memory = (size_t)m.compute_memory;
        size_t left = memory > pools ? memory - pools : 0;
        printf("%s: struct cluster with its pools,%zu,B,%s\n", m.name, pools, rows[i].target);
        printf("%s: pages of 4 KB in a cluster,%zu,threads,\n", m.name, memory / PAGE);
        printf("%s: stacks beside the kernel,%zu,threads,\n", m.name, left / m.stack_size);
    }
    return 0;
}
