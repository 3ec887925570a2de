/* SPDX-License-Identifier: MIT */
/* What --stats prints at the end of a job, the same text for every machine. */
#ifndef LAUNCHER_STATS_H
#define LAUNCHER_STATS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <hal/hosted.h>
#include <svc/spawn.h>

struct launcher_stats {
    const char *machine;
    uint64_t hz; /* cycles per second */
    struct svc_job job;
    int clusters;             /* compute clusters of the machine */
    struct hal_result result; /* .noc NULL: no network model; energies < 0: no energy model */
    double wall;              /* seconds of this computer */
    const char *computation;  /* what the ranks' own computation takes; NULL: real time */
    const char *(*name)(const void *source, int i); /* i-th counter, NULL past the end */
    uint64_t (*sum)(const void *source, int i);
    const void *source;
};

/* Writes the statistics to `to`, a line per subject, each beginning "lwmpi: ". */
void launcher_stats_print(FILE *to, const struct launcher_stats *s);

#endif
