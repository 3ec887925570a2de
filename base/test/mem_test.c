/* SPDX-License-Identifier: MIT */
/* The byte functions of freestanding builds, under other names, against the C library's. */
#include <string.h>

#define memcpy  own_memcpy
#define memmove own_memmove
#define memset  own_memset
#define memcmp  own_memcmp
#define strlen  own_strlen
#define strcmp  own_strcmp
#include "../freestanding/mem.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef strlen
#undef strcmp

#include <base/mem.h>
#include <test/check.h>

enum { SIZE = 128 };

static unsigned char a[SIZE], b[SIZE];

static void fill(void)
{
    for (int i = 0; i < SIZE; i++)
        a[i] = b[i] = (unsigned char)(i * 37 + 11);
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* n bytes of b were copied into a, which was equal to it, and no others. */
static int copied(size_t to, size_t from, size_t n)
{
    return memcmp(a + to, b + from, n) == 0 && memcmp(a, b, to) == 0 &&
           memcmp(a + to + n, b + to + n, SIZE - to - n) == 0;
}

/* Around one and several lines of a cache, from and to any place in one. */
static void copies_past(void)
{
    enum { LINE = 64, MOST = 5 * LINE };
    static unsigned char from[MOST + 2 * LINE], to[MOST + 2 * LINE];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 37 + 11);
    for (size_t at = 0; at < LINE; at += 3) {
        for (size_t n = 0; n <= MOST; n++) {
            memset(to, 0xee, sizeof to);
            b_copy_past(to + at, from + n % 7, n);
            CHECK(memcmp(to + at, from + n % 7, n) == 0);
            for (size_t i = 0; i < sizeof to; i++)
                CHECK((i >= at && i < at + n) || to[i] == 0xee);
        }
    }
}

int main(void)
{
    for (size_t to = 0; to < 20; to++) {
        for (size_t from = 0; from < 20; from++) {
            for (size_t n = 0; n <= B_COPY_SHORT + 2; n++) {
                fill();
                CHECK(own_memmove(a + to, a + from, n) == a + to);
                memmove(b + to, b + from, n);
                CHECK(memcmp(a, b, SIZE) == 0);
                fill();
                CHECK(own_memset(a + to, (int)from - 10, n) == a + to);
                memset(b + to, (int)from - 10, n);
                CHECK(memcmp(a, b, SIZE) == 0);
                fill();
                CHECK(own_memcpy(a + to, b + from, n) == a + to);
                CHECK(copied(to, from, n));
                fill();
                b_copy_short(a + to, b + from, n < B_COPY_SHORT ? n : B_COPY_SHORT);
                CHECK(copied(to, from, n < B_COPY_SHORT ? n : B_COPY_SHORT));
                CHECK_EQ(sign(own_memcmp(a + to, a + from, n)), sign(memcmp(a + to, a + from, n)));
            }
        }
    }
    copies_past();
    CHECK_EQ(own_strlen(""), 0);
    CHECK_EQ(own_strlen("abc"), 3);
    CHECK_EQ(own_strcmp("abc", "abc"), 0);
    CHECK(own_strcmp("ab", "abc") < 0 && own_strcmp("b", "abc") > 0 && own_strcmp("\xff", "a") > 0);
    return 0;
}
