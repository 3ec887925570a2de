/* SPDX-License-Identifier: MIT */
/* Where the global master's stripes come from and go to. */
#ifndef GF_SOURCE_H
#define GF_SOURCE_H

#include "filter.h"
#include "gf.h"

struct gf_job;

struct gf_source {
    /* Sets plan.width, plan.channels, plan.rows and stripes. 0, or -1 with why set. */
    int (*open)(struct gf_job *j);
    int (*rows)(const struct gf_job *j, int stripe); /* in a stripe */
    /* Loads the lines of the next stripe into j->lines. 0, or -1 with why set. */
    int (*load)(struct gf_job *j, int stripe);
    /* Takes j->rows; stripes come back in order. 0, or -1 with why set. */
    int (*store)(struct gf_job *j, int stripe);
    int (*finish)(struct gf_job *j);          /* all is stored; 0, or -1 with why set */
    void (*describe)(const struct gf_job *j); /* prints what was filtered, no line end */
    void (*close)(struct gf_job *j);          /* always called */
};

/* A picture from a file into another, and pictures made from numbers. */
extern const struct gf_source gf_files, gf_images;

/* What the global master works on. */
struct gf_job {
    const struct gf_options *options;
    const struct gf_source *source;
    struct team *team;
    struct gf_plan plan;
    int dealers; /* local masters, or 1 if the master is alone */
    int stripes;
    int32_t *mask;
    unsigned char *lines, *rows; /* of one stripe */
    char why[200];               /* first failure, "" if there is none */

    /* gf_files */
    struct picture in, out;
    struct filter_feed feed;
    int loaded; /* rows of the stripe that is in lines */

    /* gf_images */
    unsigned char *expected; /* the kinds of images, filtered by a serial run; NULL: unchecked */
};

/* Keeps the first failure. Returns -1. */
int gf_fail(struct gf_job *j, const char *why);

#endif
