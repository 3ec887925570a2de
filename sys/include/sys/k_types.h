/* SPDX-License-Identifier: MIT */
/* Types that the kernel and its users share. */
#ifndef SYS_K_TYPES_H
#define SYS_K_TYPES_H

#include <stddef.h>
#include <stdint.h>

#define K_ANY     (-1)       /* any cluster, any port */
#define K_FOREVER UINT64_MAX /* no time-out */

/* Where a message came from. */
struct k_source {
    int node; /* cluster */
    int port; /* logical port of the sending object */
};

/* Facilities of inter-kernel communication; an object id belongs to one of them. */
enum k_facility { K_MAILBOX, K_PORTAL, K_SYNC };

/* What the kernel calls <facility>_control do: (id, operation, a, b). */
enum k_control {
    K_CONTROL_STAT,       /* a = enum k_stat, b = uint64_t *value; id may be K_ANY */
    K_CONTROL_SET_REMOTE, /* a = node, b = port */
    K_CONTROL_PORT        /* returns the logical port */
};

/* Counters. With an object id: of that object; with K_ANY: of the facility in this cluster. */
enum k_stat {
    K_STAT_VOLUME,  /* bytes moved */
    K_STAT_LATENCY, /* cycles between initiation and completion, summed */
    K_STAT_CREATES,
    K_STAT_UNLINKS,
    K_STAT_OPENS,
    K_STAT_CLOSES,
    K_STAT_READS,  /* completed */
    K_STAT_WRITES, /* completed */
    K_STAT_WAITS,  /* sync */
    K_STAT_SIGNALS /* sync */
};

/* First argument of the kernel calls time and trace. */
enum k_time { K_TIME_CYCLES, K_TIME_NS };
enum k_trace { K_TRACE_BEGIN, K_TRACE_END, K_TRACE_ON };

#endif
