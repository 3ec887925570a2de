/* SPDX-License-Identifier: MIT */
/* Stores that do not ask memory for the line that they fill, and leave it in no cache. */
#include <stdint.h>

#include <base/mem.h>

typedef long long part __attribute__((vector_size(16)));
enum { LINE = 64 };

static inline void store(uint8_t *to, const uint8_t *from)
{
    part value;
    memcpy(&value, from, sizeof value);
    __asm__ volatile("movntdq %1, %0" : "=m"(*(part *)to) : "x"(value));
}

void b_copy_past(void *restrict to, const void *restrict from, size_t n)
{
    uint8_t *t = to;
    const uint8_t *f = from;
    size_t head = -(uintptr_t)t % LINE;
    if (n < 2 * LINE) {
        memcpy(t, f, n);
        return;
    }
    memcpy(t, f, head);
    for (t += head, f += head, n -= head; n >= LINE; t += LINE, f += LINE, n -= LINE)
        for (size_t i = 0; i < LINE; i += sizeof(part))
            store(t + i, f + i);
    memcpy(t, f, n);
    __asm__ volatile("sfence" ::: "memory"); /* these stores are not ordered with others */
}
