/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include <base/fmt.h>
#include <test/check.h>

/* The C library's answer is the right one, text and length, for every size of the buffer. */
#define SAME(...)                                                                                  \
    do {                                                                                           \
        char want[256], got[256];                                                                  \
        int length = snprintf(want, sizeof want, __VA_ARGS__);                                     \
        CHECK_EQ(b_fmt(got, sizeof got, __VA_ARGS__), length);                                     \
        CHECK(strcmp(got, want) == 0);                                                             \
        for (size_t size = 0; size <= (size_t)length + 1; size++) {                                \
            memset(got, '#', sizeof got);                                                          \
            CHECK_EQ(b_fmt(got, size, __VA_ARGS__), length);                                       \
            CHECK(got[size] == '#');                                                               \
            CHECK(size == 0 || got[size - 1] == 0);                                                \
            CHECK(size == 0 || strncmp(got, want, size - 1) == 0);                                 \
        }                                                                                          \
    } while (0)

static int by_list(char *buf, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = b_vfmt(buf, size, format, args);
    va_end(args);
    return n;
}

int main(void)
{
    const char *cut = "abcdef";
    SAME("plain");
    SAME("%d %i %d %d", 0, -1, INT_MAX, INT_MIN);
    SAME("%ld %lld %ld", LONG_MAX, LLONG_MIN, 0L);
    SAME("%u %x %X", UINT_MAX, 0xbeefu, 0xbeefu);
    SAME("%lu %llu %lx %zu", ULONG_MAX, ULLONG_MAX, 0x123456789abcdefUL, (size_t)77);
    SAME("%s|%c|%%|%s", "text", 'x', "");
    SAME("%p", (void *)0x1234abcd);
    SAME("[%5d] [%-5d] [%05d] [%2d] [%5s] [%-5s]", 42, 42, -42, 12345, "ab", "ab");
    SAME("[%*d] [%-*d] [%*d] [%08x]", 6, 1, 6, 2, -6, 3, 0xabu);
    SAME("[%.3s] [%.*s] [%.0s] [%10.2s]", cut, 2, cut, cut, cut);
    char text[32];
    CHECK_EQ(by_list(text, sizeof text, "%d-%s", 1, "2"), 3);
    CHECK(strcmp(text, "1-2") == 0);
    CHECK_EQ(b_fmt(NULL, 0, "%d", 12345), 5);
    /* Unknown conversions, a lone percent sign and NULL (by a pointer, as the compiler rightly
     * warns of them). */
    int (*quiet)(char *, size_t, const char *, ...) = by_list;
    CHECK_EQ(quiet(text, sizeof text, "%q 5%"), 5);
    CHECK(strcmp(text, "%q 5%") == 0);
    CHECK_EQ(quiet(text, sizeof text, "%s", NULL), 6);
    CHECK(strcmp(text, "(null)") == 0);
    return 0;
}
