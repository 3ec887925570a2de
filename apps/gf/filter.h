/* SPDX-License-Identifier: MIT */
/* The arithmetic: a convolution with a two-dimensional Gaussian mask, in integers, so every machine
 * gives the same bytes.
 *
 * Lines beyond the picture repeat its border. The filter takes care of left and right; above and
 * below are the caller's lines: to filter `rows` rows it needs rows + size - 1 lines, beginning
 * size / 2 above the first. */
#ifndef GF_FILTER_H
#define GF_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/picture.h"

enum { MASK_SIZE_MAX = 31, MASK_ONE = 1 << 22 };

/* size * size weights, fixed point, sum exactly MASK_ONE. size: odd, 1 .. MASK_SIZE_MAX; sigma >
 * 0. */
void filter_mask(int32_t *mask, int size, double sigma);

/* Filters `rows` rows of width * channels bytes from `lines` into `out`; the two must not
 * overlap. */
void filter_rows(const unsigned char *lines, unsigned char *out, int rows, int width, int channels,
                 const int32_t *mask, int size);

/* The same of side * side points of one channel from side + size / 2 * 2 lines of as many points,
 * so that no border is near. */
void filter_square(const unsigned char *lines, unsigned char *out, int side, const int32_t *mask,
                   int size);

/* The lines of a picture in order, with the border rows repeated size / 2 times. */
struct filter_feed {
    struct picture *picture;
    int radius;
    int line; /* next, 0 .. height + 2 * radius - 1 */
};

/* Reads the next line into `line`; `previous` is the line before it. 0, or -1 with picture->why. */
int filter_feed_line(struct filter_feed *feed, unsigned char *line, const unsigned char *previous);

/* Moves a window of lines: the last 2 * radius become the first, then `rows` new lines follow; the
 * first call fills all 2 * radius + rows. `old` is the number of rows of the last call, 0 at
 * first. */
int filter_feed_window(struct filter_feed *feed, unsigned char *lines, int old, int rows);

#endif
