/* SPDX-License-Identifier: MIT */
/* Routines of this library that stand before the C library's of the same name. */
#ifndef IMAGE_BEHIND_H
#define IMAGE_BEHIND_H

#include <stdatomic.h>
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

/* The C library's `name`. Ends the process if there is none. */
void *image_behind(const char *name);

/* The same, looked up once (or by two threads at once, alike). */
static inline void *image_known(_Atomic(void *) *found, const char *name)
{
    void *routine = atomic_load_explicit(found, memory_order_relaxed);
    if (routine == NULL) {
        routine = image_behind(name);
        atomic_store_explicit(found, routine, memory_order_relaxed);
    }
    return routine;
}

/* Declares `next`, the C library's routine. */
#define NEXT(name, result, ...)                                                                    \
    static _Atomic(void *) found;                                                                  \
    result (*next)(__VA_ARGS__);                                                                   \
    *(void **)&next = image_known(&found, #name)

#endif
