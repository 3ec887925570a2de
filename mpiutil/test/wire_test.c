/* SPDX-License-Identifier: MIT */
/* Which bytes from the network are a message: every kind and every length, and wrong fields. */
#include <test/check.h>

#include <mpiutil/alarm.h>
#include <mpiutil/message.h>
#include <mpiutil/wire.h>

#define RANKS 5

static const struct mpu_wire good = {
    .kind = MPU_EAGER, .source = 2, .tag = 7, .from = 4, .size = 3};

static bool valid(struct mpu_wire w)
{
    return mpu_wire_valid(&w, 32 + 3, MPU_EAGER_MAX, RANKS);
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
                            kind == MPU_CANCELLED || kind == MPU_WANT || kind == MPU_FOUND ||
                            kind == MPU_REFUSED || kind == MPU_OVER || kind == MPU_MORE;
                bool part = n > 32 && n <= 128;
                bool want = (full && n == 32 + (long)size && size <= 96) || (bare && n == 32) ||
                            (kind == MPU_SPLIT && part && 32 + (long)size >= n) ||
                            ((kind == MPU_ALARM || kind == MPU_QUERY) && n == 32 + MPU_ALARM_CALL &&
                             32 + (long)size == n) ||
                            (kind == MPU_PIECE && part && 32 + (long)size == n);
                CHECK_EQ(mpu_wire_valid(&w, n, MPU_EAGER_MAX, RANKS), want);
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
    w.size = MPU_BYTES_MOST;
    CHECK(!valid(w));
    w.kind = MPU_SPLIT;
    CHECK(!valid(w));
    w.size = MPU_SPLIT_MAX;
    CHECK(valid(w));
    w.size++;
    CHECK(!valid(w));
}

static void marks(void)
{
    unsigned int element = 3, other = 4, call = 700u << MPU_MARK_OPERATION_SHIFT,
                 another = 1000u << MPU_MARK_OPERATION_SHIFT;
    CHECK(!mpu_marks_differ(element | call, element | call));
    CHECK(mpu_marks_differ(element, other));
    CHECK(mpu_marks_differ(element | call, other | call));
    CHECK(mpu_marks_differ(element | call, element | another));
    CHECK(mpu_marks_differ(element | call, another));
    CHECK(!mpu_marks_differ(element, call));
    CHECK(!mpu_marks_differ(element | call, call));
    CHECK(!mpu_marks_differ(0, element | call));
    uint64_t n = mpu_marked(MPU_BYTES_MOST, element | another) | MPU_STREAMED;
    CHECK((n & MPU_BYTES_MOST) == MPU_BYTES_MOST);
    CHECK(mpu_mark_of(n) == (element | another));
}

int main(void)
{
    marks();
    every_kind_and_length();
    wrong_fields();
    return 0;
}
