/* SPDX-License-Identifier: MIT */
/* Texts of programs as strings of JSON: what has a meaning there, and what is no UTF-8. */
#include <stdio.h>
#include <string.h>

#include <test/check.h>

#include "json.h"

static void check(const char *text, const char *wanted)
{
    char got[128] = "";
    FILE *f = fmemopen(got, sizeof got, "w");
    CHECK(f);
    json_text(f, text);
    CHECK_EQ(fclose(f), 0);
    printf("%s %s\n", got, wanted);
    CHECK_EQ(strcmp(got, wanted), 0);
}

int main(void)
{
    check("", "\"\"");
    check("a\"b\\c\n</script>", "\"a\\\"b\\\\c\\u000a\\u003c/script>\"");
    check("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    check("halo \xe9", "\"halo \\ufffd\"");             /* Latin 1 */
    check("x\xe2\x82", "\"x\\ufffd\\ufffd\"");          /* cut */
    check("\xff\xfe", "\"\\ufffd\\ufffd\"");            /* never */
    check("\xc0\xaf", "\"\\ufffd\\ufffd\"");            /* longer than need be */
    check("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* half of a pair */
    return 0;
}
