/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

static const struct picture_format *const formats[] = {&picture_png, &picture_pnm};

int picture_fail(struct picture *p, const char *format, ...)
{
    va_list arguments;
    int used = snprintf(p->why, sizeof p->why, "%.120s: ", p->path);

    va_start(arguments, format);
    vsnprintf(p->why + used, sizeof p->why - (size_t)used, format, arguments);
    va_end(arguments);
    return -1;
}

int picture_open(struct picture *p, const char *path)
{
    unsigned char head[2] = {0, 0};

    *p = (struct picture){.path = path};
    p->file = fopen(path, "rb");
    if (!p->file)
        return picture_fail(p, "cannot be read: %s", strerror(errno));
    if (fread(head, 1, sizeof head, p->file) == sizeof head && head[0] == 0x89 && head[1] == 'P')
        p->format = &picture_png;
    else if (head[0] == 'P' && (head[1] == '5' || head[1] == '6'))
        p->format = &picture_pnm;
    else
        return picture_fail(p, "is no PNG, binary PPM (P6) or binary PGM (P5) picture");
    rewind(p->file);
    return p->format->begin_read(p);
}

static const struct picture_format *format_for(const char *path)
{
    const char *dot = strrchr(path, '.');
    char wanted[8];

    if (!dot || strlen(dot) + 2 > sizeof wanted)
        return NULL;
    snprintf(wanted, sizeof wanted, "%s ", dot);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strstr(formats[i]->suffixes, wanted))
            return formats[i];
    return NULL;
}

int picture_create(struct picture *p, const char *path, int width, int height, int channels)
{
    size_t length = strlen(path) + sizeof ".part";

    *p = (struct picture){.path = path, .width = width, .height = height, .channels = channels};
    p->format = format_for(path);
    if (!p->format)
        return picture_fail(p, "must end in .png, .ppm or .pgm");
    p->partial = malloc(length);
    if (!p->partial)
        return picture_fail(p, "no memory");
    snprintf(p->partial, length, "%s.part", path);
    p->file = fopen(p->partial, "wb");
    if (!p->file)
        return picture_fail(p, "cannot be written: %s", strerror(errno));
    return p->format->begin_write(p);
}

int picture_read(struct picture *p, unsigned char *row)
{
    return p->format->read_row(p, row);
}

int picture_write(struct picture *p, const unsigned char *row)
{
    return p->format->write_row(p, row);
}

int picture_commit(struct picture *p)
{
    if (p->format->end_write(p))
        return -1;
    /* A full disk may show only here. */
    int bad = fflush(p->file) || ferror(p->file);
    bad |= fclose(p->file);
    p->file = NULL;
    if (bad || rename(p->partial, p->path))
        return picture_fail(p, "cannot be written: %s", strerror(errno));
    free(p->partial);
    p->partial = NULL;
    return 0;
}

void picture_close(struct picture *p)
{
    if (p->format && p->state)
        p->format->release(p);
    if (p->file)
        fclose(p->file);
    if (p->partial) {
        remove(p->partial);
        free(p->partial);
    }
    p->file = NULL;
    p->partial = NULL;
    p->state = NULL;
}
