/* SPDX-License-Identifier: MIT */
/* What all instances of a program begin with: its variables as the file has them and the dynamic
 * linker bound them. Pages that an instance does not write stay common to all. */
#ifndef IMAGE_TEMPLATE_H
#define IMAGE_TEMPLATE_H

#include "object.h"

/* Does a value lead into the object? One past its end does, too. */
static inline bool image_leads_in(const struct image_object *o, uint64_t value)
{
    return value - (o->base + o->low) <= o->span;
}

/* A file in memory of `size` bytes, zeros; -1 with errno, EFBIG: the limit of the process for files
 * is less. */
int image_memory_file(const char *name, uint64_t size);

/* Writes the pages of the writable segments to a file of memory, `o->low` at its begin, and leaves
 * in o->word only the words that differ between instances. The caller owns the file. -1: no
 * memory. Ends the process with a line if its limit for files is less. */
int image_template_new(struct image_object *o);

#endif
