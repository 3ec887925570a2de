/* SPDX-License-Identifier: MIT */
/* Every fixed limit of the system: value, unit, meaning. Sizes that depend on the machine come from
 * its machine file (hal/machine.h) and are bounded by the values here. */
#ifndef BASE_CONFIG_H
#define BASE_CONFIG_H

/* machine */
#define HAL_CLUSTERS_MAX 1024 /* clusters of one machine (on linux: processes of one job) */
#define HAL_CORES_MAX    256  /* cores of one cluster */
#define HAL_MAIL_HEADER  16   /* bytes of a mailbox message used by the kernel */
#define HAL_MAIL_DATA    128  /* bytes of a mailbox message used by the caller */

/* kernel, per cluster: upper bounds for what a machine file may ask */
#define KERN_THREADS_MAX      1024 /* threads of one cluster, all cores together */
#define KERN_PORTS_MAX        1024 /* logical ports of one facility (mailbox, portal) */
#define KERN_MAIL_BUFFERS_MAX 4096 /* stored mailbox messages */
#define KERN_SYNC_LATCHES_MAX 1024 /* signals kept for syncs that nobody opened yet */
#define KERN_FLOWS_MAX        64   /* operations by tasks at a time; more go by threads */
#define KERN_POLL_TURNS       16   /* switches of a busy core between two polls of the network */
#define KERN_POLL_TURNS_MANY  64   /* ... where a poll takes as long as some switches */
#define KERN_LINE             64 /* bytes of a cache line, or more: cores that share one are slow */
#define KERN_NAME_MAX         16 /* bytes of a thread or object name, terminator included */

#endif
