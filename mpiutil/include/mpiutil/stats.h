/* SPDX-License-Identifier: MIT */
/* What a rank has done and what its cluster uses, as one table of numbers. From the rank's thread;
 * never wait. */
#ifndef MPIUTIL_STATS_H
#define MPIUTIL_STATS_H

#include <stdbool.h>
#include <stdint.h>

struct mpu_rank;

enum mpu_stat_kind {
    MPU_STAT_COUNTER, /* only grows */
    MPU_STAT_LEVEL,   /* now */
    MPU_STAT_HIGH,    /* the highest level so far */
    MPU_STAT_SIZE     /* constant */
};

struct mpu_stat {
    const char *name; /* "eager.messages" */
    const char *what; /* one sentence */
    enum mpu_stat_kind kind;
    bool bytes; /* a number of bytes; else of things */
};

extern const struct mpu_stat mpu_stats[];
extern const int mpu_stats_count;

/* The value of mpu_stats[i] for a rank, which calls. Never waits. */
uint64_t mpu_stat_read(const struct mpu_rank *r, int i);

#endif
