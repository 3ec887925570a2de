/* SPDX-License-Identifier: MIT */
/* What a debugger sees of the ranks that share a process: docs/debugging.md. */
#ifndef IMAGE_DEBUG_H
#define IMAGE_DEBUG_H

#include <hal/debug.h>

#include <process/image.h>

/* Of rank.c, instance.c, stop.c. */
extern const struct hal_debug_word image_debug_ranks[], image_debug_instances[], image_debug_stop[];

/* Calls a function that does nothing: a debugger stops there, as a rank is about to begin, to learn
 * of its instance of the program. On the rank's thread. */
void image_debug_begins(const struct image_rank *r);

#endif
