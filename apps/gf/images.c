/* SPDX-License-Identifier: MIT */
/* Square gray images made from numbers: a stripe is a whole image, as in uller-2021 (6.1, table 5).
 * There are a few kinds of them, so that a serial run has to filter each kind only once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

enum { KINDS = 8 };

/* The same bytes whatever the machine's byte order. Not a loop: compilers make one store of it. */
static void put_eight(unsigned char *to, uint64_t value)
{
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
    to[2] = (unsigned char)(value >> 16);
    to[3] = (unsigned char)(value >> 24);
    to[4] = (unsigned char)(value >> 32);
    to[5] = (unsigned char)(value >> 40);
    to[6] = (unsigned char)(value >> 48);
    to[7] = (unsigned char)(value >> 56);
}

/* A row of points without a pattern: eight from each step of a generator of 64 bits (xorshift,
 * Marsaglia), so that rank 0, who makes all images, takes about a cycle for a point. */
static void make_row(unsigned char *row, int side, int kind, int y)
{
    uint64_t state = (uint64_t)(kind * 65536 + y + 1) * 0x9e3779b97f4a7c15u;
    int x = 0;

    for (; x + 8 <= side; x += 8) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        put_eight(row + x, state);
    }
    for (; x < side; x++)
        row[x] = (unsigned char)(state >> x % 8);
}

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The lines of an image; beyond it they repeat its border. */
static void make(const struct gf_job *j, int image)
{
    int side = j->plan.width, radius = j->plan.mask / 2;

    for (int line = 0; line < side + 2 * radius; line++)
        make_row(j->lines + (size_t)line * (size_t)side, side, image % KINDS,
                 clamp(line - radius, side - 1));
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
