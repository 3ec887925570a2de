/* SPDX-License-Identifier: MIT */
/* The shared library has all. */
#include "parts.h"

const struct image_parts image_parts = {.sets = &mpu_sets_all, .paper = true, .checks = true};
