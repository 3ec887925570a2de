/* SPDX-License-Identifier: MIT */
/* PNG where lwmpi was built without libpng: known, and refused. */
#include "picture.h"

static int refuse(struct picture *p)
{
    return picture_fail(p, "is PNG, and this program was built without libpng; PPM and PGM work");
}

const struct picture_format picture_png = {
    .name = "PNG",
    .suffixes = ".png ",
    .begin_read = refuse,
    .begin_write = refuse,
};
