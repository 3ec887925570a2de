/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <base/xml.h>
#include <test/check.h>

static void test_words(const char *words, size_t size, const char *expected)
{
    char text[64];
    memset(text, 'x', sizeof text);
    CHECK(b_xml(words, text, size) == text);
    CHECK(strcmp(text, expected) == 0);
    CHECK(text[size] == 'x');
}

int main(void)
{
    test_words("", 1, "");
    test_words("a", 1, "");
    test_words("a b", 8, "a b");
    test_words("<b>&", 32, "&#60;b&#62;&#38;");
    test_words("abc", 4, "abc");
    test_words("abc", 3, "ab");
    test_words("a<b", 7, "a&#60;"); /* a number is whole or not there */
    test_words("a<b", 6, "a");
    return 0;
}
