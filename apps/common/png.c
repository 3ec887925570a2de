/* SPDX-License-Identifier: MIT */
/* PNG by libpng. libpng reports errors by longjmp to the last setjmp of the same picture, so each
 * function that calls it sets its own and keeps no local variable across it. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "picture.h"

struct png_state {
    png_structp png;
    png_infop info;
    bool writing;
    unsigned char *whole; /* all rows of an interlaced picture, which comes in several passes */
    size_t row_bytes, row;
};

static void on_error(png_structp png, png_const_charp message)
{
    picture_fail(png_get_error_ptr(png), "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message; /* colour profiles and the like do not matter here */
}

static int allocate(struct picture *p, bool writing)
{
    struct png_state *s = calloc(1, sizeof *s);

    if (!s)
        return picture_fail(p, "no memory");
    p->state = s;
    s->writing = writing;
    s->png = writing ? png_create_write_struct(PNG_LIBPNG_VER_STRING, p, on_error, on_warning)
                     : png_create_read_struct(PNG_LIBPNG_VER_STRING, p, on_error, on_warning);
    s->info = s->png ? png_create_info_struct(s->png) : NULL;
    if (!s->info)
        return picture_fail(p, "no memory for libpng");
    return 0;
}

static int channels_of(png_byte colour)
{
    static const struct {
        png_byte colour;
        int channels;
    } known[] = {{PNG_COLOR_TYPE_GRAY, 1}, {PNG_COLOR_TYPE_RGB, 3}, {PNG_COLOR_TYPE_RGB_ALPHA, 4}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].colour == colour)
            return known[i].channels;
    return 0;
}

static int read_passes(struct picture *p, struct png_state *s)
{
    size_t height = (size_t)p->height;
    int passes = png_set_interlace_handling(s->png);

    s->whole = calloc(height, s->row_bytes);
    if (!s->whole)
        return picture_fail(p, "is interlaced and too large to be held in memory");
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < height; y++)
            png_read_row(s->png, s->whole + y * s->row_bytes, NULL);
    return 0;
}

static int begin_read(struct picture *p)
{
    if (allocate(p, false))
        return -1;
    struct png_state *s = p->state;
    if (setjmp(png_jmpbuf(s->png)))
        return -1;
    png_init_io(s->png, p->file);
    png_set_user_limits(s->png, PICTURE_SIDE_MAX, PICTURE_SIDE_MAX);
    png_read_info(s->png, s->info);
    p->width = (int)png_get_image_width(s->png, s->info);
    p->height = (int)png_get_image_height(s->png, s->info);
    p->channels = channels_of(png_get_color_type(s->png, s->info));
    int depth = png_get_bit_depth(s->png, s->info);
    if (!p->channels || depth != 8)
        return picture_fail(p, "has %d bits per channel%s; only 8-bit gray, RGB and RGBA are read",
                            depth, p->channels ? "" : " and a palette or gray with alpha");
    s->row_bytes = png_get_rowbytes(s->png, s->info);
    if (png_get_interlace_type(s->png, s->info) != PNG_INTERLACE_NONE)
        return read_passes(p, s);
    return 0;
}

static int read_row(struct picture *p, unsigned char *row)
{
    struct png_state *s = p->state;

    if (s->whole) {
        memcpy(row, s->whole + s->row++ * s->row_bytes, s->row_bytes);
        return 0;
    }
    if (setjmp(png_jmpbuf(s->png)))
        return -1;
    png_read_row(s->png, row, NULL);
    return 0;
}

static int begin_write(struct picture *p)
{
    if (allocate(p, true))
        return -1;
    struct png_state *s = p->state;
    if (setjmp(png_jmpbuf(s->png)))
        return -1;
    png_init_io(s->png, p->file);
    png_set_user_limits(s->png, PICTURE_SIDE_MAX, PICTURE_SIDE_MAX);
    png_set_IHDR(s->png, s->info, (png_uint_32)p->width, (png_uint_32)p->height, 8,
                 p->channels == 1   ? PNG_COLOR_TYPE_GRAY
                 : p->channels == 3 ? PNG_COLOR_TYPE_RGB
                                    : PNG_COLOR_TYPE_RGB_ALPHA,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(s->png, s->info);
    return 0;
}

static int write_row(struct picture *p, const unsigned char *row)
{
    struct png_state *s = p->state;

    if (setjmp(png_jmpbuf(s->png)))
        return -1;
    png_write_row(s->png, row);
    return 0;
}

static int end_write(struct picture *p)
{
    struct png_state *s = p->state;

    if (setjmp(png_jmpbuf(s->png)))
        return -1;
    png_write_end(s->png, s->info);
    return 0;
}

static void release(struct picture *p)
{
    struct png_state *s = p->state;

    if (s->writing)
        png_destroy_write_struct(&s->png, &s->info);
    else
        png_destroy_read_struct(&s->png, &s->info, NULL);
    free(s->whole);
    free(s);
}

const struct picture_format picture_png = {
    .name = "PNG",
    .suffixes = ".png ",
    .begin_read = begin_read,
    .read_row = read_row,
    .begin_write = begin_write,
    .write_row = write_row,
    .end_write = end_write,
    .release = release,
};
