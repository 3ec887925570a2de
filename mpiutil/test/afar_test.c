/* SPDX-License-Identifier: MIT */
/* Bytes are stored past the caches where lines come slowly, in caches where they come fast, mostly;
 * that changes soon after the lines do, and not because of a store that was interrupted. */
#include <test/check.h>

#include "shared/afar.h"

#define BYTES 16384
#define KB    (BYTES / 1024)

/* What a store takes. */
struct lines {
    uint64_t in_caches, past; /* cycles for 1 KB */
};

static const struct lines fast = {190, 150}, slow = {830, 140};

/* Stores n times; how often past the caches. */
static int store(struct mpu_afar *a, const struct lines *l, int n)
{
    int passed = 0;
    for (int i = 0; i < n; i++) {
        bool past = mpu_afar_past(a);
        mpu_afar_took(a, past, (past ? l->past : l->in_caches) * KB, BYTES);
        passed += past;
    }
    return passed;
}

static void changes(void)
{
    struct mpu_afar a = {.turn = 0};
    CHECK(store(&a, &fast, 1000) < 20);
    for (int i = 0; i < 3; i++) {
        store(&a, &slow, 50);
        CHECK(store(&a, &slow, 1000) > 980);
        store(&a, &fast, 300);
        CHECK(store(&a, &fast, 1000) < 20);
    }
}

/* Pages that are touched for the first time take long, whichever way is first. */
static void begins(void)
{
    const struct lines first = {9000, 9000};
    struct mpu_afar a = {.turn = 0};
    store(&a, &first, 10);
    store(&a, &fast, 300);
    CHECK(store(&a, &fast, 1000) < 20);
    a = (struct mpu_afar){.turn = 0};
    store(&a, &first, 10);
    store(&a, &slow, 300);
    CHECK(store(&a, &slow, 1000) > 980);
}

static void interrupted(bool past, const struct lines *l)
{
    struct mpu_afar a = {.turn = 0};
    store(&a, l, 300);
    for (int i = 0; i < 20; i++) {
        mpu_afar_took(&a, past, 100000000, BYTES);
        mpu_afar_took(&a, past, UINT32_MAX * UINT64_C(1000), BYTES);
        CHECK((store(&a, l, 20) > 10) == (l == &slow));
    }
}

int main(void)
{
    changes();
    begins();
    for (int past = 0; past < 2; past++) {
        interrupted(past, &fast);
        interrupted(past, &slow);
    }
    return 0;
}
