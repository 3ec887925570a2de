/* SPDX-License-Identifier: MIT */
/* Static programs for virtual time: clusters share no memory. */
#include "parts.h"

const struct image_parts image_parts = {.sets = &mpu_sets_all, .paper = true};
