/* SPDX-License-Identifier: MIT */
/* The alarms of a cluster. */
#ifndef MPIUTIL_RANK_ALARM_H
#define MPIUTIL_RANK_ALARM_H

#include <mpiutil/alarm.h>
#include <sys/k_wait.h>

#define MPU_ALARMS 3

/* The last alarms, and behind them the last queries. Any rank of the cluster. */
struct mpu_alarms {
    struct k_wait lock; /* guards `kept` and `serial`; writers of `raised` hold it */
    atomic_uint raised;
    atomic_bool asked; /* a rank here has asked, or was asked; after the last barrier: of the job */
    uint32_t serial[2 * MPU_ALARMS]; /* of each: `raised` after it; 0: none */
    struct mpu_alarm kept[2 * MPU_ALARMS];
};

#endif
