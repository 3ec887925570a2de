/* SPDX-License-Identifier: MIT */
/* Static programs for linux: processes share memory, and need no network on chip. */
#include "parts.h"

const struct image_parts image_parts = {.sets = &mpu_sets_memory};
