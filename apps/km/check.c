/* SPDX-License-Identifier: MIT */
/* The serial run: the points taken anew, all in memory of the C library, without messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "km.h"

/* Takes the points and iterates; the centroids are then in `centroids`. 0, or -1 with why set. */
static int serial(const struct km_plan *plan, struct km_points *p, coordinate *points,
                  coordinate *centroids, struct tally *sum, int most, int *passes)
{
    const struct shape *s = &plan->shape;
    uint8_t *labels = malloc((size_t)plan->points);
    int moved = 1, code = labels ? p->source->read(p, points, plan->points) : -1;

    for (int c = 0; c < s->centroids; c++)
        memcpy(centroids + c * s->dimensions,
               points + team_share(plan->points, c, s->centroids) * s->dimensions,
               points_bytes(s, 1));
    for (*passes = 0; code == 0 && moved && *passes < most; ++*passes) {
        tally_clear(s, sum);
        means_assign(s, centroids, points, plan->points, labels, sum);
        moved = means_update(s, centroids, sum);
    }
    free(labels);
    return code;
}

int km_check(const struct km_rank *r, struct km_points *p, int passes)
{
    const struct shape *s = &r->plan.shape;
    coordinate *points = calloc(1, points_bytes(s, r->plan.points));
    coordinate *centroids = calloc(1, points_bytes(s, s->centroids));
    struct tally *sum = calloc(1, tally_bytes(s));
    const char *why = NULL;
    int alone;

    p->source->close(p);
    if (!points || !centroids || !sum || p->source->open(p) ||
        serial(&r->plan, p, points, centroids, sum, p->options->iterations, &alone))
        why = "the result cannot be checked: no memory, or the points cannot be had again";
    else if (alone != passes)
        why = "a serial run takes another number of passes";
    else if (memcmp(centroids, r->centroids, points_bytes(s, s->centroids)) != 0)
        why = "a serial run ends with other centroids";
    else if (memcmp(sum, r->sum, tally_bytes(s)) != 0)
        why = "a serial run ends with other sums";
    free(points);
    free(centroids);
    free(sum);
    if (why && !p->why[0])
        snprintf(p->why, sizeof p->why, "%s", why);
    return why ? -1 : 0;
}
