/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include <stdint.h>

#define WORD sizeof(uint64_t)

static int both_aligned(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & (WORD - 1)) == 0;
}

/* May alias anything, as memory is copied without regard to what it holds. */
typedef uint64_t __attribute__((may_alias)) word;

static void copy_up(unsigned char *to, const unsigned char *from, size_t n)
{
    if (both_aligned(to, from))
        for (; n >= WORD; n -= WORD, to += WORD, from += WORD)
            *(word *)(void *)to = *(const word *)(const void *)from;
    while (n-- > 0)
        *to++ = *from++;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    copy_up(to, from, n);
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    if ((uintptr_t)to - (uintptr_t)from >= n) {
        copy_up(to, from, n);
        return to;
    }
    /* `to` lies inside [from, from+n): from the end downwards. */
    unsigned char *t = (unsigned char *)to + n;
    const unsigned char *f = (const unsigned char *)from + n;
    while (n-- > 0)
        *--t = *--f;
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    unsigned char *t = to;
    if (((uintptr_t)t & (WORD - 1)) == 0) {
        uint64_t pattern = (unsigned char)byte * UINT64_C(0x0101010101010101);
        for (; n >= WORD; n -= WORD, t += WORD)
            *(word *)(void *)t = pattern;
    }
    while (n-- > 0)
        *t++ = (unsigned char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *p = a, *q = b;
    for (; n > 0; n--, p++, q++)
        if (*p != *q)
            return *p - *q;
    return 0;
}

size_t strlen(const char *text)
{
    const char *end = text;
    while (*end != '\0')
        end++;
    return (size_t)(end - text);
}

int strcmp(const char *a, const char *b)
{
    for (; *a != '\0' && *a == *b; a++, b++) {
    }
    return (unsigned char)*a - (unsigned char)*b;
}
