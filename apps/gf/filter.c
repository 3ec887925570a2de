/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "filter.h"

void filter_mask(int32_t *mask, int size, double sigma)
{
    double weights[MASK_SIZE_MAX], sum = 0.0;
    int radius = size / 2, left = MASK_ONE;

    for (int i = 0; i < size; i++) {
        weights[i] = exp(-(double)((i - radius) * (i - radius)) / (2.0 * sigma * sigma));
        sum += weights[i];
    }
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            int32_t weight = (int32_t)lround(weights[y] * weights[x] / (sum * sum) * MASK_ONE);
            mask[y * size + x] = weight;
            left -= weight;
        }
    /* What rounding left over goes to the centre, so that a flat area keeps its colour. */
    mask[radius * size + radius] += left;
}

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* One value near the left or right border. */
static int32_t sum_at_border(const unsigned char *lines, int x, int c, int width, int channels,
                             const int32_t *mask, int size)
{
    size_t stride = (size_t)width * (size_t)channels;
    int32_t sum = MASK_ONE / 2;

    for (int dy = 0; dy < size; dy++)
        for (int dx = 0; dx < size; dx++) {
            int at = clamp(x + dx - size / 2, width - 1) * channels + c;
            sum += mask[dy * size + dx] * lines[(size_t)dy * stride + (size_t)at];
        }
    return sum;
}

static int32_t sum_inside(const unsigned char *corner, size_t stride, int channels,
                          const int32_t *mask, int size)
{
    int32_t sum = MASK_ONE / 2;

    for (int dy = 0; dy < size; dy++, corner += stride)
        for (int dx = 0; dx < size; dx++)
            sum += *mask++ * corner[dx * channels];
    return sum;
}

void filter_rows(const unsigned char *lines, unsigned char *out, int rows, int width, int channels,
                 const int32_t *mask, int size)
{
    size_t stride = (size_t)width * (size_t)channels;
    int radius = size / 2;

    for (int y = 0; y < rows; y++, lines += stride)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < channels; c++) {
                bool inside = x >= radius && x < width - radius;
                int32_t sum = inside ? sum_inside(lines + (x - radius) * channels + c, stride,
                                                  channels, mask, size)
                                     : sum_at_border(lines, x, c, width, channels, mask, size);
                *out++ = (unsigned char)clamp(sum / MASK_ONE, 255);
            }
}

void filter_square(const unsigned char *lines, unsigned char *out, int side, const int32_t *mask,
                   int size)
{
    size_t stride = (size_t)(side + size / 2 * 2);

    for (int y = 0; y < side; y++, lines += stride)
        for (int x = 0; x < side; x++)
            *out++ =
                (unsigned char)clamp(sum_inside(lines + x, stride, 1, mask, size) / MASK_ONE, 255);
}

int filter_feed_line(struct filter_feed *feed, unsigned char *line, const unsigned char *previous)
{
    struct picture *p = feed->picture;
    int at = feed->line++;
    bool fresh = at == 0 || (at > feed->radius && at < feed->radius + p->height);

    if (fresh)
        return picture_read(p, line);
    memcpy(line, previous, (size_t)p->width * (size_t)p->channels);
    return 0;
}

int filter_feed_window(struct filter_feed *feed, unsigned char *lines, int old, int rows)
{
    size_t stride = (size_t)feed->picture->width * (size_t)feed->picture->channels;
    int kept = feed->line ? 2 * feed->radius : 0, wanted = 2 * feed->radius + rows;

    memmove(lines, lines + (size_t)old * stride, (size_t)kept * stride);
    for (int i = kept; i < wanted; i++) {
        unsigned char *line = lines + (size_t)i * stride;
        if (filter_feed_line(feed, line, i ? line - stride : NULL))
            return -1;
    }
    return 0;
}
