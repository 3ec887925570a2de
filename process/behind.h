/* SPDX-License-Identifier: MIT */
/* Interposed routines: this library has some of the same name as the C library's, which programs
 * call instead; behind them are the C library's own. */
#ifndef IMAGE_BEHIND_H
#define IMAGE_BEHIND_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

/* The C library's `name`. Ends the process if there is none. */
void *image_behind(const char *name);

/* Is this an address in the code of this library? */
static inline bool image_is_ours(const void *code)
{
    extern const char __ehdr_start[] __attribute__((visibility("hidden")));
    extern const char etext[] __attribute__((visibility("hidden")));
    return (const char *)code >= __ehdr_start && (const char *)code <= etext;
}

/* The C library's `name`, looked up once (or by two threads at once, alike). */
static inline void *image_known(_Atomic(void *) *found, const char *name)
{
    void *routine = atomic_load_explicit(found, memory_order_relaxed);
    if (!routine) {
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
