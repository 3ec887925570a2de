/* SPDX-License-Identifier: MIT */
/* Assignment, tallies and centroids on points whose answer is known. */
#include <test/check.h>

#include "km/means.h"

enum { ROOM = 64 };

union room {
    struct tally tally;
    uint64_t words[ROOM];
};

static void test_two_heaps(void)
{
    const struct shape s = {2, 3};
    const coordinate points[] = {0, 0, 2, 0, 1, 3, 100, 100, 102, 101};
    coordinate centroids[] = {10, 10, 90, 90, 32767, 32767};
    uint8_t labels[5];
    union room r;
    tally_clear(&s, &r.tally);
    means_assign(&s, centroids, points, 5, labels, &r.tally);
    CHECK(labels[0] == 0 && labels[1] == 0 && labels[2] == 0 && labels[3] == 1 && labels[4] == 1);
    CHECK(r.tally.value[0] == 3 && r.tally.value[1] == 2 && r.tally.value[2] == 0);
    CHECK(r.tally.spread == 200 + 164 + 130 + 200 + 265);
    CHECK(means_update(&s, centroids, &r.tally) == 2);
    CHECK(centroids[0] == 1 && centroids[1] == 1);
    CHECK(centroids[2] == 101 && centroids[3] == 101);
    CHECK(centroids[4] == 32767 && centroids[5] == 32767);
    CHECK(means_update(&s, centroids, &r.tally) == 0);
}

/* The tally of a whole is the sum of those of its parts, at the ends of the range, too. */
static void test_parts(void)
{
    const struct shape s = {4, 2};
    const coordinate points[] = {0, 0, 0, 0, 32767, 32767, 32767, 32767, 5, 6, 7, 8};
    const coordinate centroids[] = {32767, 32767, 32767, 32767, 0, 0, 0, 0};
    uint8_t labels[3], again[3];
    union room whole, part, sum;
    tally_clear(&s, &whole.tally);
    tally_clear(&s, &sum.tally);
    means_assign(&s, centroids, points, 3, labels, &whole.tally);
    for (int i = 0; i < 3; i++) {
        tally_clear(&s, &part.tally);
        means_assign(&s, centroids, points + i * 4, 1, again + i, &part.tally);
        tally_add(&s, &sum.tally, &part.tally);
        CHECK(again[i] == labels[i]);
    }
    CHECK(labels[0] == 1 && labels[1] == 0 && labels[2] == 1);
    for (size_t i = 0; i < tally_bytes(&s) / sizeof(uint64_t); i++)
        CHECK(whole.words[i] == sum.words[i]);
}

/* Equally near: the first. The farthest distance there is: no overflow. */
static void test_limits(void)
{
    const struct shape s = {4, 2};
    const coordinate equal[] = {1, 0, 0, 0, 3, 0, 0, 0}, middle[] = {2, 0, 0, 0};
    const coordinate far[] = {32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767};
    const coordinate origin[] = {0, 0, 0, 0};
    uint8_t label;
    union room r;
    tally_clear(&s, &r.tally);
    means_assign(&s, equal, middle, 1, &label, &r.tally);
    CHECK(label == 0 && r.tally.spread == 1);
    tally_clear(&s, &r.tally);
    means_assign(&s, far, origin, 1, &label, &r.tally);
    CHECK(label == 0 && r.tally.spread == 4u * 32767u * 32767u);
}

int main(void)
{
    test_two_heaps();
    test_parts();
    test_limits();
    return 0;
}
