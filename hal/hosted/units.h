/* SPDX-License-Identifier: MIT */
/* Numbers with units, as machine files and environment variables give them: "2 MB", "1.5
 * cycles/B". */
#ifndef HAL_HOSTED_UNITS_H
#define HAL_HOSTED_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is counted; the comment names the base unit, in which values are kept. */
enum hal_dimension {
    HAL_BYTES,     /* B */
    HAL_HERTZ,     /* Hz */
    HAL_CYCLES,    /* cycles */
    HAL_COPY_COST, /* thousandths of a cycle per byte */
    HAL_OPERATION, /* thousandths of a cycle */
    HAL_BANDWIDTH, /* B/cycle */
    HAL_WATTS,     /* uW */
    HAL_JOULES,    /* fJ */
    HAL_SECONDS,   /* ns */
    HAL_CLUSTERS,
    HAL_CORES,
    HAL_THREADS,
    HAL_NODES,
    HAL_SLOTS,
    HAL_CHANNELS,
    HAL_PORTS,
    HAL_SYNCS,
    HAL_MESSAGES,
    HAL_PLAIN /* no unit */
};

/* Parses exactly n characters "<decimal>[.<decimal>] [<unit>]" into base units. `missing` is the
 * unit that is meant when none is written, NULL if one must be. -B_EINVAL: no number; -B_ENOENT:
 * not a unit of the dimension; -B_ERANGE: does not fit 64 bits, or is not a whole number of base
 * units. */
int hal_units_parse(const char *text, size_t n, enum hal_dimension d, const char *missing,
                    uint64_t *value);

/* The unit of a dimension with scale 1. */
const char *hal_units_base(enum hal_dimension d);

/* Writes the units of a dimension, "B, KB, MB, GB", into buf. Returns buf. */
const char *hal_units_names(enum hal_dimension d, char *buf, size_t size);

/* Writes a value with the largest unit that shows it without a fraction, "2 MB". Returns buf. */
const char *hal_units_format(uint64_t value, enum hal_dimension d, char *buf, size_t size);

#endif
