/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "means.h"

void tally_clear(const struct shape *s, struct tally *t)
{
    memset(t, 0, tally_bytes(s));
}

void tally_add(const struct shape *s, struct tally *to, const struct tally *from)
{
    to->spread += from->spread;
    for (size_t i = 0; i < tally_values(s); i++)
        to->value[i] += from->value[i];
}

static uint32_t squared_distance(const coordinate *a, const coordinate *b, int dimensions)
{
    uint32_t sum = 0;

    for (int d = 0; d < dimensions; d++) {
        int32_t apart = a[d] - b[d];
        sum += (uint32_t)(apart * apart);
    }
    return sum;
}

static int nearest(const struct shape *s, const coordinate *centroids, const coordinate *point,
                   uint32_t *distance)
{
    int best = 0;

    *distance = UINT32_MAX;
    for (int c = 0; c < s->centroids; c++, centroids += s->dimensions) {
        uint32_t apart = squared_distance(centroids, point, s->dimensions);
        if (apart < *distance) {
            *distance = apart;
            best = c;
        }
    }
    return best;
}

void means_assign(const struct shape *s, const coordinate *centroids, const coordinate *points,
                  long n, uint8_t *labels, struct tally *t)
{
    uint64_t *sums = t->value + s->centroids;

    for (long i = 0; i < n; i++, points += s->dimensions) {
        uint32_t distance;
        int c = nearest(s, centroids, points, &distance);
        labels[i] = (uint8_t)c;
        t->spread += distance;
        t->value[c]++;
        for (int d = 0; d < s->dimensions; d++)
            sums[c * s->dimensions + d] += (uint64_t)points[d];
    }
}

int means_update(const struct shape *s, coordinate *centroids, const struct tally *t)
{
    const uint64_t *sums = t->value + s->centroids;
    int moved = 0;

    for (int c = 0; c < s->centroids; c++) {
        uint64_t count = t->value[c];
        int differs = 0;
        for (int d = 0; d < s->dimensions && count; d++) {
            int at = c * s->dimensions + d;
            coordinate mean = (coordinate)((sums[at] + count / 2) / count);
            differs |= mean != centroids[at];
            centroids[at] = mean;
        }
        moved += differs;
    }
    return moved;
}
