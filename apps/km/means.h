/* SPDX-License-Identifier: MIT */
/* The arithmetic of k-means, in integers: sums do not depend on who added first, so any number of
 * ranks gives the same bytes. */
#ifndef KM_MEANS_H
#define KM_MEANS_H

#include <stddef.h>
#include <stdint.h>

enum {
    COORDINATE_MAX = 32767, /* squared distances in 4 dimensions fit 32 bits */
    DIMENSIONS_MAX = 4,
    CENTROIDS_MAX = 256 /* a label is a byte */
};

typedef int16_t coordinate; /* 0 .. COORDINATE_MAX; a point is `dimensions` of them */

struct shape {
    int dimensions, centroids;
};

/* What one pass over points finds, for all centroids: spread, then counts, then sums of coordinates
 * by centroid. Parts of it are added. Travels as bytes. */
struct tally {
    uint64_t spread;  /* sum of squared distances to the nearest centroid */
    uint64_t value[]; /* [centroid] count; then [centroid][dimension] sum */
};

static inline size_t tally_values(const struct shape *s)
{
    return (size_t)s->centroids * (size_t)(1 + s->dimensions);
}

static inline size_t tally_bytes(const struct shape *s)
{
    return sizeof(struct tally) + tally_values(s) * sizeof(uint64_t);
}

static inline size_t points_bytes(const struct shape *s, long n)
{
    return (size_t)n * (size_t)s->dimensions * sizeof(coordinate);
}

void tally_clear(const struct shape *s, struct tally *t);
void tally_add(const struct shape *s, struct tally *to, const struct tally *from);

/* Labels n points with their nearest centroid, the first of equally near ones, and adds them to the
 * tally. */
void means_assign(const struct shape *s, const coordinate *centroids, const coordinate *points,
                  long n, uint8_t *labels, struct tally *t);

/* Moves each centroid that has points to their rounded mean. Returns how many moved. */
int means_update(const struct shape *s, coordinate *centroids, const struct tally *t);

#endif
