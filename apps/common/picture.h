/* SPDX-License-Identifier: MIT */
/* Pictures as streams of rows, 8 bits per channel, from and to PNG, PPM and PGM files.
 *
 * A picture is read or written once, row by row from the top, so nobody needs memory for all of it.
 * Files are input from outside: whatever they hold, the answer is 0 or -1 with one line in
 * `why`. */
#ifndef APPS_PICTURE_H
#define APPS_PICTURE_H

#include <stdio.h>

enum { PICTURE_SIDE_MAX = 1000000 }; /* pixels; keeps a row below 4 MB */

struct picture;

/* How one kind of file is read and written. Each function answers 0, or -1 with p->why set. */
struct picture_format {
    const char *name;
    const char *suffixes; /* of files to be written, each with its dot and a blank */
    int (*begin_read)(struct picture *p); /* p->file at its start; sets width, height, channels */
    int (*read_row)(struct picture *p, unsigned char *row);
    int (*begin_write)(struct picture *p); /* width, height and channels are set */
    int (*write_row)(struct picture *p, const unsigned char *row);
    int (*end_write)(struct picture *p); /* after the last row */
    void (*release)(struct picture *p);  /* frees p->state; always called, also after errors */
};

struct picture {
    int width, height;
    int channels; /* 1 gray, 3 red green blue, 4 with alpha */
    FILE *file;
    const struct picture_format *format;
    void *state;   /* the format's own */
    char why[200]; /* what went wrong, in one line that begins with the path */
    const char *path;
    char *partial; /* name under which a picture is written until it is complete */
};

extern const struct picture_format picture_png, picture_pnm;

/* Opens a picture for reading; what it is, its first bytes tell. `path` must outlive p. */
int picture_open(struct picture *p, const char *path);

/* Begins a picture; what it will be, the end of its name tells. Until picture_commit it has the
 * name path.part, so `path` may be a picture that is being read. */
int picture_create(struct picture *p, const char *path, int width, int height, int channels);

int picture_read(struct picture *p, unsigned char *row);
int picture_write(struct picture *p, const unsigned char *row);

/* Completes a written picture and gives it its name. */
int picture_commit(struct picture *p);

/* Closes p after success or failure; a picture that was not committed is removed. */
void picture_close(struct picture *p);

/* Sets p->why to "path: " and the message; returns -1. */
int picture_fail(struct picture *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
