/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "options.h"
#include "plan.h"

/* The first row that differs, -1 if none does, -2 if a picture cannot be read. */
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

static int compare(struct picture *in, struct picture *out, const int32_t *mask, int size,
                   char *why, size_t why_size)
{
    size_t row = (size_t)in->width * (size_t)in->channels;
    unsigned char *memory = malloc((size_t)(size + 2) * row);

    if (!memory) {
        snprintf(why, why_size, "no memory to check the result");
        return -1;
    }
    int y = first_difference(in, out, mask, size, memory);
    free(memory);
    if (y == -2)
        snprintf(why, why_size, "%s", in->why[0] ? in->why : out->why);
    else if (y >= 0)
        snprintf(why, why_size, "%s: row %d differs from the serial result", out->path, y);
    return y == -1 ? 0 : -1;
}

int gf_check(const struct gf_options *o, const int32_t *mask, char *why, size_t why_size)
{
    struct picture in, out = {.why = ""};
    int code = -1;

    if (picture_open(&in, o->input)) {
        snprintf(why, why_size, "%s", in.why);
    } else if (picture_open(&out, o->output)) {
        snprintf(why, why_size, "%s", out.why);
    } else if (in.width != out.width || in.height != out.height || in.channels != out.channels) {
        snprintf(why, why_size, "%s: is not as large as %s", o->output, o->input);
    } else {
        code = compare(&in, &out, mask, o->mask, why, why_size);
    }
    picture_close(&in);
    picture_close(&out);
    return code;
}
