/* SPDX-License-Identifier: MIT */
/* malloc and what belongs to it, of one rank. picolibc's own relies on a heap that grows in one
 * place: where what is asked for does not follow what is there, as here, where pages are the
 * cluster's and ranks take them in turn, it may go on to ask until there are none.
 *
 * Memory comes in pieces of whole units with a head each. Free ones are in a list by address, so
 * that neighbours become one again; the first that is large enough is taken. What was got at once
 * and is free altogether goes back to the cluster, if it is large: MPI and the other ranks may need
 * it, and what is small this rank will ask for again. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bare.h"

#define UNIT  16
#define LARGE 16384

struct piece {
    size_t bytes; /* with this head, a multiple of UNIT */
    struct piece *next;
};
_Static_assert(sizeof(struct piece) <= UNIT, "a head is a unit");

static struct piece *first;

static struct piece *piece_of(void *p)
{
    return (struct piece *)((char *)p - UNIT);
}

static void *end_of(struct piece *p)
{
    return (char *)p + p->bytes;
}

static void merge(struct piece *p)
{
    struct piece *next = p->next;
    if (next && end_of(p) == next) {
        p->bytes += next->bytes;
        p->next = next->next;
    }
}

static void give(struct piece *p)
{
    struct piece **at = &first, **before = NULL;
    while (*at && *at < p) {
        before = at;
        at = &(*at)->next;
    }
    p->next = *at;
    *at = p;
    merge(p);
    if (before && end_of(*before) == p) {
        at = before;
        merge(*at);
    }
    struct piece *whole = *at, *next = whole->next;
    if (whole->bytes >= LARGE && bare_memory_free(bare_self, whole, whole->bytes))
        *at = next;
}

/* What p has beyond so many bytes. */
static void cut(struct piece *p, size_t bytes)
{
    struct piece *rest = (struct piece *)((char *)p + bytes);
    if (p->bytes > bytes) {
        rest->bytes = p->bytes - bytes;
        p->bytes = bytes;
        give(rest);
    }
}

static struct piece *take(size_t bytes)
{
    struct piece **at = &first;
    while (*at && (*at)->bytes < bytes)
        at = &(*at)->next;
    struct piece *p = *at;
    if (p) {
        *at = p->next;
        cut(p, bytes);
    }
    return p;
}

/* A head and n bytes, in units; 0: there are no such numbers. */
static size_t size_of(size_t n)
{
    return n > PTRDIFF_MAX - 2 * UNIT ? 0 : (n + 2 * UNIT - 1) / UNIT * UNIT;
}

/* A piece for n bytes. */
static struct piece *get(size_t n)
{
    size_t bytes = size_of(n), got;
    struct piece *p = bytes == 0 ? NULL : take(bytes);
    if (!p && bytes > 0 && (p = bare_memory(bare_self, bytes, &got))) {
        p->bytes = got / UNIT * UNIT;
        cut(p, bytes);
    }
    if (!p)
        errno = ENOMEM;
    return p;
}

void *malloc(size_t n)
{
    struct piece *p = get(n);
    return p ? (char *)p + UNIT : NULL;
}

void free(void *p)
{
    if (p)
        give(piece_of(p));
}

void *calloc(size_t n, size_t size)
{
    size_t bytes;
    void *p = malloc(__builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes);
    return p ? memset(p, 0, bytes) : NULL;
}

void *realloc(void *old, size_t n)
{
    size_t bytes = size_of(n), has = old ? malloc_usable_size(old) : 0;
    if (bytes > 0 && old && n <= has) {
        cut(piece_of(old), bytes);
        return old;
    }
    void *p = malloc(n);
    if (p && old) {
        memcpy(p, old, has);
        free(old);
    }
    return p;
}

/* What is before the first such address is a piece that is given back. */
void *memalign(size_t alignment, size_t n)
{
    size_t bytes;
    struct piece *p = get(__builtin_add_overflow(n, alignment, &bytes) ? SIZE_MAX : bytes);
    size_t before = -((uintptr_t)p + UNIT) & (alignment - 1);
    if (!p)
        return NULL;
    if (before > 0) {
        struct piece *whole = p;
        p = (struct piece *)((char *)p + before);
        p->bytes = whole->bytes - before;
        whole->bytes = before;
        give(whole);
    }
    cut(p, size_of(n));
    return (char *)p + UNIT;
}

void *aligned_alloc(size_t alignment, size_t n)
{
    return memalign(alignment, n);
}

int posix_memalign(void **p, size_t alignment, size_t n)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    void *got = memalign(alignment, n);
    *p = got ? got : *p;
    return got ? 0 : ENOMEM;
}

size_t malloc_usable_size(void *p)
{
    return piece_of(p)->bytes - UNIT;
}
