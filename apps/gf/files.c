/* SPDX-License-Identifier: MIT */
/* A picture from a file into another. The output gets its name only if all went well. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

enum { STRIPE_BYTES = 192 * 1024 }; /* lines of one stripe, if a picture's rows are not larger */

/* Opens the pictures and fixes the stripes: nearly equal, a multiple of the dealers. */
static int open_files(struct gf_job *j)
{
    const struct gf_options *o = j->options;

    if (picture_open(&j->in, o->file[0]))
        return gf_fail(j, j->in.why);
    if (picture_create(&j->out, o->file[1], j->in.width, j->in.height, j->in.channels))
        return gf_fail(j, j->out.why);
    j->plan.width = j->in.width;
    j->plan.channels = j->in.channels;
    int most = STRIPE_BYTES / (int)gf_row_bytes(&j->plan) - (o->mask - 1);
    most = most < 1 ? 1 : most;
    if (o->rows)
        most = o->rows;
    long long rounds = ((long long)j->in.height - 1) / ((long long)most * j->dealers) + 1;
    j->stripes = rounds * j->dealers < j->in.height ? (int)rounds * j->dealers : j->in.height;
    j->plan.rows = (j->in.height - 1) / j->stripes + 1;
    j->feed = (struct filter_feed){.picture = &j->in, .radius = o->mask / 2};
    return 0;
}

static int rows(const struct gf_job *j, int stripe)
{
    long long height = j->in.height;

    return (int)(height * (stripe + 1) / j->stripes - height * stripe / j->stripes);
}

static int load(struct gf_job *j, int stripe)
{
    int old = j->loaded;

    j->loaded = rows(j, stripe);
    return filter_feed_window(&j->feed, j->lines, old, j->loaded) ? gf_fail(j, j->in.why) : 0;
}

static int store(struct gf_job *j, int stripe)
{
    for (int y = 0; y < rows(j, stripe); y++)
        if (picture_write(&j->out, j->rows + (size_t)y * gf_row_bytes(&j->plan)))
            return gf_fail(j, j->out.why);
    return 0;
}

/* The serial run: the input filtered again, row by row. The first row that differs, -1 if none
 * does, -2 if a picture cannot be read. */
static int first_difference(struct picture *in, struct picture *out, const int32_t *mask, int size,
                            unsigned char *memory)
{
    size_t row = (size_t)in->width * (size_t)in->channels;
    unsigned char *lines = memory, *mine = lines + (size_t)size * row, *theirs = mine + row;
    struct filter_feed feed = {.picture = in, .radius = size / 2};

    for (int y = 0; y < in->height; y++) {
        if (filter_feed_window(&feed, lines, y > 0, 1) || picture_read(out, theirs))
            return -2;
        filter_rows(lines, mine, 1, in->width, in->channels, mask, size);
        if (memcmp(mine, theirs, row) != 0)
            return y;
    }
    return -1;
}

static int compare(struct gf_job *j, struct picture *in, struct picture *out)
{
    size_t row = (size_t)in->width * (size_t)in->channels;
    unsigned char *memory = malloc((size_t)(j->plan.mask + 2) * row);
    char why[200];

    if (!memory)
        return gf_fail(j, "no memory to check the result");
    int y = first_difference(in, out, j->mask, j->plan.mask, memory);
    free(memory);
    if (y == -2)
        return gf_fail(j, in->why[0] ? in->why : out->why);
    if (y >= 0) {
        snprintf(why, sizeof why, "%.120s: row %d differs from the serial result", out->path, y);
        return gf_fail(j, why);
    }
    return 0;
}

static int check(struct gf_job *j)
{
    struct picture in, out = {.why = ""};
    int code;

    if (picture_open(&in, j->options->file[0]))
        code = gf_fail(j, in.why);
    else if (picture_open(&out, j->options->file[1]))
        code = gf_fail(j, out.why);
    else if (in.width != out.width || in.height != out.height || in.channels != out.channels)
        code = gf_fail(j, "the output is not as large as the input");
    else
        code = compare(j, &in, &out);
    picture_close(&in);
    picture_close(&out);
    return code;
}

static int finish(struct gf_job *j)
{
    if (picture_commit(&j->out))
        return gf_fail(j, j->out.why);
    return j->options->check ? check(j) : 0;
}

static void describe(const struct gf_job *j)
{
    static const char *const kinds[] = {"", "gray", "", "RGB", "RGBA"};

    printf("%d x %d %s", j->in.width, j->in.height, kinds[j->in.channels]);
}

static void close_files(struct gf_job *j)
{
    picture_close(&j->in);
    picture_close(&j->out);
}

const struct gf_source gf_files = {
    .open = open_files,
    .rows = rows,
    .load = load,
    .store = store,
    .finish = finish,
    .describe = describe,
    .close = close_files,
};
