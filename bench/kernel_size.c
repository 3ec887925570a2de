/* SPDX-License-Identifier: MIT */
/* Memory that the kernel keeps for itself in a compute cluster, pools included. */
#include <stdio.h>

#include <hal/hosted.h>
#include <kernel/mem.h>

static const struct {
    const char *machine, *target;
} rows[] = {{"mppa256", "<= 98304"}, {"mini", ""}};

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hal_machine m;
        char why[256];
        if (hal_machine_load(rows[i].machine, &m, why, sizeof why)) {
            fprintf(stderr, "%s\n", why);
            return 1;
        }
        printf("%s: struct cluster with its pools,%zu,B,%s\n", m.name, kern_cluster_size(&m, 0),
               rows[i].target);
    }
    return 0;
}
