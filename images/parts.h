/* SPDX-License-Identifier: MIT */
/* Of MPI, what not every program is linked with: parts_all.c is for the shared library, the other
 * two are for static programs, whose library has to be small. */
#ifndef IMAGES_PARTS_H
#define IMAGES_PARTS_H

#include <mpiutil/boot.h>

struct image_parts {
    const struct mpu_sets *sets;
    bool paper;  /* the protocols of uller-2021 are among these */
    bool checks; /* the checking layer */
};
extern const struct image_parts image_parts;

#endif
