/* SPDX-License-Identifier: MIT */
/* Abundances against the definition, and merging of sorted runs. */
#include <stdlib.h>

#include <test/check.h>

#include "fn/numbers.h"

static uint64_t sum_of_divisors(uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t d = 1; d <= n; d++)
        sum += n % d == 0 ? d : 0;
    return sum;
}

static void test_abundance(void)
{
    for (uint32_t n = 1; n <= 2000; n++) {
        uint64_t divisions = 0;
        struct abundance a = abundance_of(n, &divisions);
        CHECK(a.number == n && divisions > 0);
        CHECK((uint64_t)a.sum * n == sum_of_divisors(n) * a.over);
        for (uint32_t d = 2; d <= a.over; d++)
            CHECK(a.over % d != 0 || a.sum % d != 0);
    }
    uint64_t divisions = 0;
    struct abundance large = abundance_of(20000000, &divisions);
    CHECK((uint64_t)large.sum * 20000000 == sum_of_divisors(20000000) * large.over);
}

static void test_order(void)
{
    struct abundance perfect6 = {2, 1, 6}, perfect28 = {2, 1, 28}, prime = {8, 7, 7};
    CHECK(abundance_order(&prime, &perfect6) < 0);
    CHECK(abundance_order(&perfect28, &perfect6) > 0);
    CHECK(abundance_order(&perfect6, &perfect6) == 0);
}

/* `runs` runs of 0 .. 4 numbers each, all of abundance 1, merged. */
static void test_merge(int runs, unsigned int seed)
{
    struct abundance all[200], spare[200];
    long start[51] = {0};
    uint64_t comparisons = 0;
    int present[1000] = {0};
    srand(seed);
    for (int r = 0; r < runs; r++) {
        uint32_t number = 0;
        start[r + 1] = start[r] + rand() % 5;
        for (long i = start[r]; i < start[r + 1]; i++) {
            number += (uint32_t)(1 + rand() % 200);
            all[i] = (struct abundance){1, 1, number};
            present[number]++;
        }
    }
    long count = start[runs];
    const struct abundance *merged = abundance_merge(all, spare, start, runs, &comparisons);
    for (long i = 0; i < count; i++) {
        CHECK(i == 0 || merged[i - 1].number <= merged[i].number);
        CHECK(present[merged[i].number]-- > 0);
    }
}

int main(void)
{
    test_abundance();
    test_order();
    for (int runs = 1; runs <= 50; runs++)
        test_merge(runs, (unsigned int)runs);
    return 0;
}
