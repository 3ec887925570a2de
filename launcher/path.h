/* SPDX-License-Identifier: MIT */
/* Why the job took as long as it did, from the recorded calls (records.h, once it has settled). */
#ifndef LAUNCHER_PATH_H
#define LAUNCHER_PATH_H

#include <stdbool.h>
#include <stdio.h>

/* The critical path: from the last end backwards; where a call waited for another rank, it goes on
 * there. What the path consists of, most first. */
struct path_part {
    int rank, function; /* function -1: computation */
    double seconds;
};
struct path {
    struct path_part *part; /* `parts` of them, freed by the caller */
    int parts;
    double seconds; /* of all */
    bool whole;     /* it reaches back to the begin; else calls there are not held any more */
};
/* False: nothing was recorded, or no memory. */
bool path_find(struct path *p);
void path_print(FILE *to, const struct path *p);

/* The rank whose computation is the largest part of the path; -1: none. */
int path_computes(const struct path *p);

/* How long the job would take, in seconds, if all that `rank` computes took a factor-th of the
 * time, each call began when its rank comes to it and waited for the same others, or, where any of
 * several would do, for the first of them, and took as long as it did after these; < 0: not known,
 * as calls are missing or there is no memory. With factor 1 as long as it took. What ranks compute
 * between calls that ask in vain they must compute, or, if `idles`, they only pass the time with
 * it. *anybody: a rank that takes messages from anybody and would get some in another order, by
 * which it may give others other work; -1: none; NULL: nobody asks. */
double path_predict(int rank, double factor, bool idles, int *anybody);

/* The rank that computes most between such calls; -1: none does. */
int path_idler(void);

#endif
