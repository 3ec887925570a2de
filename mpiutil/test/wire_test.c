/* SPDX-License-Identifier: MIT */
/* Which bytes from the network are a message: every kind and every length, and wrong fields. */
#include <test/check.h>

#include <mpiutil/wire.h>

#define RANKS 5

static const struct mpu_wire good = {
    .kind = MPU_EAGER, .source = 2, .tag = 7, .from = 4, .size = 3};

static bool valid(struct mpu_wire w)
{
    return mpu_wire_valid(&w, 32 + 3, RANKS);
}

static void every_kind_and_length(void)
{
    for (int kind = 0; kind < 256; kind++)
        for (long n = 0; n <= HAL_MAIL_DATA + 1; n++)
            for (uint64_t size = 0; size < 130; size++) {
                struct mpu_wire w = good;
                w.kind = (uint8_t)kind;
                w.size = size;
                bool full = kind == MPU_EAGER || kind == MPU_SYNC;
                bool bare = kind == MPU_RTS || kind == MPU_ALLOW || kind == MPU_CREDIT ||
                            kind == MPU_ACK || kind == MPU_SLOT || kind == MPU_CANCEL ||
                            kind == MPU_CANCELLED;
                bool part = n > 32 && n <= 128;
                bool want = (full && n == 32 + (long)size && size <= 96) || (bare && n == 32) ||
                            (kind == MPU_SPLIT && part && 32 + (long)size >= n) ||
                            (kind == MPU_PIECE && part && 32 + (long)size == n);
                CHECK_EQ(mpu_wire_valid(&w, n, RANKS), want);
            }
}

static void wrong_fields(void)
{
    struct mpu_wire w = good;
    CHECK(valid(w));
    w.from = RANKS;
    CHECK(!valid(w));
    w = good;
    w.source = 1u << 31;
    CHECK(!valid(w));
    w = good;
    w.tag = -1;
    CHECK(!valid(w));
    w = good;
    w.size = UINT64_MAX;
    CHECK(!valid(w));
    w.kind = MPU_SPLIT;
    CHECK(!valid(w));
    w.size = MPU_SPLIT_MAX;
    CHECK(valid(w));
    w.size++;
    CHECK(!valid(w));
}

int main(void)
{
    every_kind_and_length();
    wrong_fields();
    return 0;
}
