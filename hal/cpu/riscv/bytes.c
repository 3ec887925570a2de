/* SPDX-License-Identifier: MIT */
/* Atomic operations on bytes, which the processor only has on words, and for which compilers call
 * these functions. They change the word around the byte until nobody has come in between. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint8_t bytes_exchange(volatile void *at, uint8_t value, int order) __asm__("__atomic_exchange_1");
bool bytes_compare_exchange(volatile void *at, void *expected, uint8_t value, bool weak, int order,
                            int failed) __asm__("__atomic_compare_exchange_1");

static uint32_t *word_of(volatile void *at, unsigned *shift)
{
    *shift = (unsigned)((uintptr_t)at & 3) * 8;
    return (uint32_t *)((uintptr_t)at & ~(uintptr_t)3);
}

/* Writes `value`, if the byte is `*expected`, unless that is NULL. The byte that was there. */
static uint8_t change(volatile void *at, const uint8_t *expected, uint8_t value)
{
    unsigned shift;
    uint32_t *word = word_of(at, &shift), changed;
    uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    do {
        if (expected && (uint8_t)(seen >> shift) != *expected) {
            __atomic_thread_fence(__ATOMIC_SEQ_CST);
            break;
        }
        changed = (seen & ~((uint32_t)0xff << shift)) | (uint32_t)value << shift;
    } while (!__atomic_compare_exchange_n(word, &seen, changed, true, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST));
    return (uint8_t)(seen >> shift);
}

uint8_t bytes_exchange(volatile void *at, uint8_t value, int order)
{
    (void)order; /* the strongest is each of them, too */
    return change(at, NULL, value);
}

bool bytes_compare_exchange(volatile void *at, void *expected, uint8_t value, bool weak, int order,
                            int failed)
{
    uint8_t wanted = *(uint8_t *)expected, seen = change(at, &wanted, value);
    (void)weak, (void)order, (void)failed;
    *(uint8_t *)expected = seen;
    return seen == wanted;
}
