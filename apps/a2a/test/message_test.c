/* SPDX-License-Identifier: MIT */
/* A message that is right, and what is wrong with others. */
#include <string.h>

#include <test/check.h>

#include "a2a/a2a.h"
#include "a2a/message.h"

enum { RANKS = 4, BYTES = 1000 };

int a2a_slots_out(const struct a2a *a)
{
    return a->options.collective ? RANKS : 1;
}

static unsigned char made[RANKS * BYTES];
static uint16_t heard[RANKS];

static struct a2a rank(int me, uint32_t step)
{
    struct a2a a = {.team = {.rank = me, .ranks = RANKS}, .options.messages = 1};
    a.step = step;
    a.bytes = BYTES;
    a.out = made;
    a.heard = heard;
    memset(heard, 0, sizeof heard);
    return a;
}

static void test_faults(void)
{
    struct a2a sender = rank(2, 7), receiver = rank(0, 7), later = rank(0, 8);
    a2a_make(&sender);
    a2a_make(&receiver); /* its ramp; the message is overwritten */
    a2a_make(&sender);
    a2a_take(&receiver, made, BYTES);
    CHECK(receiver.wrong == 0 && heard[2] == 1);
    a2a_take(&receiver, made, BYTES - 1);
    CHECK(receiver.wrong == 1);
    a2a_take(&later, made, BYTES);
    CHECK(later.wrong == 1);
    a2a_take(&sender, made, BYTES); /* its own */
    CHECK(sender.wrong == 1);
    for (size_t i = 0; i < BYTES; i++) {
        long before = receiver.wrong;
        made[i] ^= 0x40;
        a2a_take(&receiver, made, BYTES);
        made[i] ^= 0x40;
        CHECK(receiver.wrong == before + 1);
    }
    CHECK(heard[2] == 1);
}

static void test_missing(void)
{
    struct a2a a = rank(1, 1);
    heard[0] = heard[2] = heard[3] = 1;
    a2a_count(&a);
    CHECK(a.wrong == 0 && heard[0] == 0);
    heard[0] = 1;
    heard[2] = 2;
    a2a_count(&a);
    CHECK(a.wrong == 2);
}

/* All copies of a message are alike, at lengths around the cycle of the pattern. */
static void test_copies(void)
{
    for (size_t n = A2A_LEAST; n <= 3 * A2A_CYCLE && n <= BYTES; n++) {
        struct a2a a = rank(3, 1), b = rank(0, 1);
        a.options.collective = true;
        a.bytes = b.bytes = n;
        a2a_make(&b);
        a2a_make(&a);
        for (size_t k = 0; k < RANKS; k++)
            a2a_take(&b, made + k * n, n);
        CHECK(b.wrong == 0 && heard[3] == RANKS);
    }
}

int main(void)
{
    test_faults();
    test_missing();
    test_copies();
    return 0;
}
