/* SPDX-License-Identifier: MIT */
/* The colours of a picture, point by point; its labels become a picture whose points have the
 * colours of their centroids. */
#include <stdio.h>
#include <stdlib.h>

#include "common/picture.h"
#include "km.h"

struct pictures {
    struct picture in, out;
    unsigned char *row; /* of the picture that is read or written */
    int at;             /* next point in it */
};

static int fail(struct km_points *p, const char *why)
{
    if (!p->why[0])
        snprintf(p->why, sizeof p->why, "%s", why);
    return -1;
}

static int open_picture(struct km_points *p)
{
    struct pictures *s = calloc(1, sizeof *s);

    p->state = s;
    if (!s)
        return fail(p, "no memory for a picture");
    if (picture_open(&s->in, p->options->file[0]))
        return fail(p, s->in.why);
    p->count = (long)s->in.width * s->in.height;
    p->dimensions = s->in.channels;
    s->at = s->in.width;
    s->row = malloc((size_t)s->in.width * (size_t)s->in.channels);
    return s->row ? 0 : fail(p, "no memory for a row of the picture");
}

static int read_picture(struct km_points *p, coordinate *to, long n)
{
    struct pictures *s = p->state;

    for (long i = 0; i < n; i++) {
        if (s->at == s->in.width) {
            s->at = 0;
            if (picture_read(&s->in, s->row))
                return fail(p, s->in.why);
        }
        const unsigned char *point = s->row + (size_t)s->at++ * (size_t)p->dimensions;
        for (int d = 0; d < p->dimensions; d++)
            *to++ = point[d];
    }
    return 0;
}

static int begin_labels(struct km_points *p)
{
    struct pictures *s = p->state;

    s->at = 0;
    if (picture_create(&s->out, p->options->file[1], s->in.width, s->in.height, s->in.channels))
        return fail(p, s->out.why);
    return 0;
}

static int label(struct km_points *p, const coordinate *centroids, const uint8_t *labels, long n)
{
    struct pictures *s = p->state;

    for (long i = 0; i < n; i++) {
        unsigned char *point = s->row + (size_t)s->at * (size_t)p->dimensions;
        for (int d = 0; d < p->dimensions; d++)
            point[d] = (unsigned char)centroids[labels[i] * p->dimensions + d];
        if (++s->at < s->in.width)
            continue;
        s->at = 0;
        if (picture_write(&s->out, s->row))
            return fail(p, s->out.why);
    }
    return 0;
}

static int end_labels(struct km_points *p)
{
    struct pictures *s = p->state;

    return picture_commit(&s->out) ? fail(p, s->out.why) : 0;
}

static void close_picture(struct km_points *p)
{
    struct pictures *s = p->state;

    if (s) {
        picture_close(&s->in);
        picture_close(&s->out);
        free(s->row);
        free(s);
    }
    p->state = NULL;
}

const struct km_source km_picture = {
    .open = open_picture,
    .read = read_picture,
    .begin_labels = begin_labels,
    .label = label,
    .end_labels = end_labels,
    .close = close_picture,
};
