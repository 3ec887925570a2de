/* SPDX-License-Identifier: MIT */
/* Square gray images made from numbers: a stripe is a whole image, as in uller-2021 (6.1, table 5).
 * There are a few kinds of them, so that a serial run has to filter each kind only once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

enum { KINDS = 8 };

static unsigned char point(int image, int x, int y)
{
    return (unsigned char)((x * (7 + image % KINDS) ^ y * 13) + (x * y >> 5));
}

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The lines of an image; beyond it they repeat its border. */
static void make(const struct gf_job *j, int image)
{
    int side = j->plan.width, radius = j->plan.mask / 2;
    unsigned char *at = j->lines;

    for (int y = -radius; y < side + radius; y++)
        for (int x = 0; x < side; x++)
            *at++ = point(image, x, clamp(y, side - 1));
}

static size_t image_bytes(const struct gf_job *j)
{
    return (size_t)j->plan.width * (size_t)j->plan.width;
}

static int open_images(struct gf_job *j)
{
    j->plan.width = j->plan.rows = j->options->side;
    j->plan.channels = 1;
    j->stripes = j->options->images;
    if (!j->options->check)
        return 0;
    j->expected = malloc(KINDS * image_bytes(j));
    unsigned char *lines = malloc(gf_lines_bytes(&j->plan, j->plan.rows));
    if (!j->expected || !lines) {
        free(lines);
        return gf_fail(j, "no memory to check the result");
    }
    j->lines = lines;
    for (int kind = 0; kind < KINDS; kind++) {
        make(j, kind);
        filter_rows(lines, j->expected + (size_t)kind * image_bytes(j), j->plan.rows, j->plan.width,
                    1, j->mask, j->plan.mask);
    }
    free(lines);
    j->lines = NULL;
    return 0;
}

static int rows(const struct gf_job *j, int stripe)
{
    (void)stripe;
    return j->plan.rows;
}

static int load(struct gf_job *j, int stripe)
{
    make(j, stripe);
    return 0;
}

static int store(struct gf_job *j, int stripe)
{
    char why[80];

    if (!j->expected || memcmp(j->rows, j->expected + (size_t)(stripe % KINDS) * image_bytes(j),
                               image_bytes(j)) == 0)
        return 0;
    snprintf(why, sizeof why, "image %d differs from the serial result", stripe);
    return gf_fail(j, why);
}

static int finish(struct gf_job *j)
{
    (void)j;
    return 0;
}

static void describe(const struct gf_job *j)
{
    printf("%d images of %d x %d", j->stripes, j->plan.width, j->plan.width);
}

static void close_images(struct gf_job *j)
{
    free(j->expected);
}

const struct gf_source gf_images = {
    .open = open_images,
    .rows = rows,
    .load = load,
    .store = store,
    .finish = finish,
    .describe = describe,
    .close = close_images,
};
