/* SPDX-License-Identifier: MIT */
#include <base/ring.h>
#include <test/check.h>

/* Against a plain counter of what went in and came out, for sizes that are no powers of two too. */
static void test_size(uint32_t slots)
{
    int data[7], in = 0, out = 0;
    uint32_t random = 12345;
    struct b_ring r;
    b_ring_init(&r, slots);
    CHECK_EQ(b_ring_peek(&r), -1);
    CHECK_EQ(b_ring_pop(&r), -1);
    for (int step = 0; step < 1000; step++) {
        random = random * 1664525u + 1013904223u;
        if (random >> 31) {
            int slot = b_ring_push(&r);
            CHECK_EQ(slot == -1, in - out == (int)slots);
            if (slot >= 0) {
                CHECK(slot < (int)slots);
                data[slot] = in++;
            }
        } else {
            int peek = b_ring_peek(&r);
            int slot = b_ring_pop(&r);
            CHECK_EQ(peek, slot);
            CHECK_EQ(slot == -1, in == out);
            if (slot >= 0) {
                CHECK_EQ(data[slot], out++);
            }
        }
        CHECK_EQ(r.used, in - out);
        for (uint32_t i = 0; i < r.used; i++) {
            CHECK_EQ(data[b_ring_at(&r, i)], out + (int)i);
        }
    }
}

int main(void)
{
    for (uint32_t slots = 1; slots <= 7; slots++) {
        test_size(slots);
    }
    return 0;
}
