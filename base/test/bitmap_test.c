/* SPDX-License-Identifier: MIT */
#include <base/bitmap.h>
#include <test/check.h>

static void test_size(uint32_t bits)
{
    uint64_t words[B_BITMAP_WORDS(200) + 1];
    struct b_bitmap m;
    words[B_BITMAP_WORDS(bits)] = 0x5555;
    b_bitmap_init(&m, words, bits);
    CHECK_EQ(b_bitmap_next(&m, 0), -1);
    for (uint32_t i = 0; i < bits; i++) {
        CHECK(!b_bitmap_test(&m, i));
        CHECK_EQ(b_bitmap_any_free(&m, i, bits - i), i);
        CHECK_EQ(b_bitmap_take_run(&m, 1), i);
        CHECK(b_bitmap_test(&m, i));
        CHECK_EQ(b_bitmap_count(&m), i + 1);
    }
    CHECK_EQ(b_bitmap_take_run(&m, 1), -1);
    CHECK_EQ(b_bitmap_any_free(&m, 0, bits), -1);
    for (uint32_t i = 0; i < bits; i++)
        CHECK_EQ(b_bitmap_next(&m, i), i);
    CHECK_EQ(b_bitmap_next(&m, bits), -1);
    CHECK_EQ(b_bitmap_next(&m, bits + 1000), -1);
    b_bitmap_clear(&m, bits / 2);
    CHECK_EQ(b_bitmap_any_free(&m, 0, bits), bits / 2);
    CHECK_EQ(b_bitmap_take_run(&m, 1), bits / 2);
    CHECK_EQ(words[B_BITMAP_WORDS(bits)], 0x5555);
}

static void test_runs(void)
{
    uint64_t words[B_BITMAP_WORDS(130)];
    struct b_bitmap m;
    b_bitmap_init(&m, words, 130);
    CHECK_EQ(b_bitmap_take_run(&m, 131), -1);
    CHECK_EQ(b_bitmap_take_run(&m, 60), 0);
    CHECK_EQ(b_bitmap_take_run(&m, 10), 60); /* over a word's edge */
    CHECK_EQ(b_bitmap_take_run(&m, 61), -1);
    CHECK_EQ(b_bitmap_take_run(&m, 60), 70);
    CHECK_EQ(b_bitmap_take_run(&m, 1), -1);
    for (uint32_t i = 20; i < 25; i++)
        b_bitmap_clear(&m, i);
    for (uint32_t i = 100; i < 106; i++)
        b_bitmap_clear(&m, i);
    CHECK_EQ(b_bitmap_take_run(&m, 6), 100);
    CHECK_EQ(b_bitmap_take_run(&m, 6), -1);
    CHECK_EQ(b_bitmap_any_free(&m, 0, 20), -1);
    CHECK_EQ(b_bitmap_any_free(&m, 0, 22), 20);
    CHECK_EQ(b_bitmap_any(&m, 20, 5), -1);
    CHECK_EQ(b_bitmap_any(&m, 20, 0), -1);
    CHECK_EQ(b_bitmap_any(&m, 20, 110), 25);
    CHECK_EQ(b_bitmap_any(&m, 129, 1), 129);
    CHECK_EQ(b_bitmap_take_run(&m, 5), 20);
    CHECK_EQ(b_bitmap_count(&m), 130);
    CHECK_EQ(b_bitmap_take_run(&m, 1), -1);
    b_bitmap_clear(&m, 129); /* what is free again is found, above and below what was looked at */
    b_bitmap_clear(&m, 3);
    CHECK_EQ(b_bitmap_take_run(&m, 2), -1);
    CHECK_EQ(b_bitmap_take_run(&m, 1), 3);
    CHECK_EQ(b_bitmap_take_run(&m, 1), 129);
}

int main(void)
{
    static const uint32_t sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 200};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        test_size(sizes[i]);
    test_runs();
    return 0;
}
