/* SPDX-License-Identifier: MIT */
/* Static programs for virtual time: clusters share no memory. */
#include "parts.h"

const struct image_parts image_parts = {.sets = &mpu_sets_all, .paper = true};

/* What main.c calls if it is linked is linked by this. */
void image_last_watch(void);
void (*const image_part_last)(void) = image_last_watch;
