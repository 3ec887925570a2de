/* SPDX-License-Identifier: MIT */
/* Asserts in both builds: a file sees them checked, another vanished, whatever this build is. */
#include <setjmp.h>
#include <string.h>

#undef NDEBUG
#include <base/assert.h>
#include <test/check.h>

static jmp_buf back;
static const char *failed;
static int evaluated;

void b_assert_failed(const char *condition, const char *file, int line)
{
    CHECK(strstr(file, "assert_test.c") && line > 0);
    failed = condition;
    longjmp(back, 1);
}

static int count(int answer)
{
    evaluated++;
    return answer;
}

static void checked(void)
{
    b_assert(count(1) == 1);
    CHECK_EQ(evaluated, 1);
    if (setjmp(back) == 0) {
        b_assert(count(2) == 3);
        CHECK(!"an assertion that does not hold came through");
    }
    CHECK(strcmp(failed, "count(2) == 3") == 0);
    CHECK_EQ(evaluated, 2);
}

#define NDEBUG 1
static void vanished(void)
{
    b_assert(count(2) == 3);
    CHECK_EQ(evaluated, 2);
}
#undef NDEBUG

#define NDEBUG
static void vanished_too(void)
{
    b_assert(count(2) == 3);
    CHECK_EQ(evaluated, 2);
}

int main(void)
{
    checked();
    vanished();
    vanished_too();
    return 0;
}
