/* SPDX-License-Identifier: MIT */
/* Routines of this library that stand before the C library's of the same name. */
#ifndef IMAGE_BEHIND_H
#define IMAGE_BEHIND_H

#define EXPORT __attribute__((visibility("default")))

/* The C library's `name`. Ends the process if there is none. */
void *image_behind(const char *name);

#endif
