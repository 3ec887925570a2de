/* SPDX-License-Identifier: MIT */
/* Binary PGM (P5) and PPM (P6): "P6 width height 255", comments from # to the end of a line, then
 * one blank and the rows. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "picture.h"

/* Next number of the header, or -1 if there is none in 0 .. PICTURE_SIDE_MAX. Eats the one byte
 * behind it, which for the last number is the blank before the rows. */
static int header_number(FILE *file)
{
    int c = fgetc(file), value = 0, digits = 0;

    while (c == '#' || isspace(c)) {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = fgetc(file);
        if (c != EOF)
            c = fgetc(file);
    }
    for (; c != EOF && isdigit(c); c = fgetc(file), digits++) {
        value = value * 10 + (c - '0');
        if (value > PICTURE_SIDE_MAX)
            return -1;
    }
    return digits && isspace(c) ? value : -1;
}

static int begin_read(struct picture *p)
{
    fgetc(p->file);
    p->channels = fgetc(p->file) == '6' ? 3 : 1;
    p->width = header_number(p->file);
    p->height = header_number(p->file);
    int most = header_number(p->file);
    if (p->width <= 0 || p->height <= 0 || most <= 0)
        return picture_fail(p, "has a broken header; expected: P5 or P6, width, height, 255");
    if (most != 255)
        return picture_fail(p, "has values up to %d; only 255 (8 bits) is read", most);
    return 0;
}

static int read_row(struct picture *p, unsigned char *row)
{
    size_t bytes = (size_t)p->width * (size_t)p->channels;

    if (fread(row, 1, bytes, p->file) != bytes)
        return picture_fail(p, "ends before its last row");
    return 0;
}

static int begin_write(struct picture *p)
{
    const char *dot = strrchr(p->path, '.');

    if (p->channels == 4)
        return picture_fail(p, "cannot hold alpha; write a .png");
    if ((strcmp(dot, ".pgm") == 0) != (p->channels == 1))
        return picture_fail(p, "must be a %s for this picture", p->channels == 1 ? ".pgm" : ".ppm");
    fprintf(p->file, "P%d\n%d %d\n255\n", p->channels == 1 ? 5 : 6, p->width, p->height);
    return 0;
}

static int write_row(struct picture *p, const unsigned char *row)
{
    size_t bytes = (size_t)p->width * (size_t)p->channels;

    if (fwrite(row, 1, bytes, p->file) != bytes)
        return picture_fail(p, "cannot be written: %s", strerror(errno));
    return 0;
}

static int end_write(struct picture *p)
{
    (void)p;
    return 0;
}

static void release(struct picture *p)
{
    (void)p;
}

const struct picture_format picture_pnm = {
    .name = "PNM",
    .suffixes = ".ppm .pgm ",
    .begin_read = begin_read,
    .read_row = read_row,
    .begin_write = begin_write,
    .write_row = write_row,
    .end_write = end_write,
    .release = release,
};
