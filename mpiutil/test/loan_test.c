/* SPDX-License-Identifier: MIT */
/* Cells that were lent: a core keeps so many of each size as leave their owner half, answers in the
 * one that it read last, and its owner has it near then; what is not kept goes back. */
#include <stdlib.h>
#include <string.h>

#include <test/check.h>

#include "shared/loan.h"

#define BYTES   (2 * 1024 * 1024)
#define KEEPERS 3

static uint64_t offset_in(const struct mpu_slab *s, const struct mpu_slab_cell *cell)
{
    return (uint64_t)((const uint8_t *)cell - s->at);
}

static uint64_t bytes_of(int size)
{
    return size == MPU_SLAB_PIECES ? 1 : (uint64_t)MPU_SLAB_PAYLOAD_0 << 2 * size;
}

static enum mpu_slab_use use_of(int size)
{
    return size == MPU_SLAB_PIECES ? MPU_SLAB_PIECE : MPU_SLAB_MESSAGE;
}

/* The others in turns keep all that they may, of what the owner takes until it has no more. */
static void check_half_is_left(struct mpu_slab s, int size)
{
    struct mpu_loans l[KEEPERS] = {0};
    const struct mpu_slab_shape *shape = s.shape;
    uint32_t kept = 0, others = 0;
    struct mpu_slab_cell *cell;
    while ((cell = mpu_slab_take(&s, bytes_of(size), use_of(size)))) {
        int to = (int)((kept + others) % KEEPERS);
        bool keeps = mpu_loan_keep(&l[to], shape, KEEPERS, offset_in(&s, cell), cell);
        kept += keeps;
        others += !keeps;
    }
    CHECK_EQ(kept + others, shape->size[size].count);
    CHECK_EQ(kept, shape->size[size].count / 2 / KEEPERS * KEEPERS);
    CHECK(others >= shape->size[size].count / 2);
    for (int i = 0; i < KEEPERS; i++)
        while (mpu_loan_take(&l[i], bytes_of(size), use_of(size)))
            kept--;
    CHECK_EQ(kept, 0);
}

/* A message there and its answer, again and again: one cell, which each keeps that has read it. */
static void check_answers(struct mpu_slab s)
{
    struct mpu_loans other = {0}, own = {0};
    struct mpu_slab_cell *first = mpu_slab_take(&s, 1000, MPU_SLAB_MESSAGE);
    CHECK(first && mpu_loan_keep(&own, s.shape, KEEPERS, offset_in(&s, first), first));
    for (int i = 0; i < 5; i++) {
        struct mpu_slab_cell *cell = mpu_loan_take(&own, 1000, MPU_SLAB_MESSAGE);
        CHECK(cell == first && !mpu_loan_take(&own, 1000, MPU_SLAB_MESSAGE));
        CHECK(mpu_loan_keep(&other, s.shape, KEEPERS, offset_in(&s, cell), cell));
        CHECK(!mpu_loan_take(&other, 100, MPU_SLAB_MESSAGE));  /* for that are cells of other */
        CHECK(!mpu_loan_take(&other, 2000, MPU_SLAB_MESSAGE)); /* sizes */
        CHECK(!mpu_loan_take(&other, 900, MPU_SLAB_PIECE));
        CHECK(mpu_loan_take(&other, 900, MPU_SLAB_MESSAGE) == cell);
        CHECK(mpu_loan_keep(&own, s.shape, KEEPERS, offset_in(&s, cell), cell));
    }
    CHECK(mpu_slab_take(&s, 1000, MPU_SLAB_MESSAGE) != first);
}

/* The cell that was read last is the first to go, for its lines are in the nearest cache. */
static void check_last_first(struct mpu_slab s)
{
    struct mpu_loans l = {0};
    struct mpu_slab_cell *cell[2];
    for (int i = 0; i < 2; i++) {
        cell[i] = mpu_slab_take(&s, 1000, MPU_SLAB_MESSAGE);
        CHECK(mpu_loan_keep(&l, s.shape, KEEPERS, offset_in(&s, cell[i]), cell[i]));
    }
    for (int i = 1; i >= 0; i--)
        CHECK(mpu_loan_take(&l, 1000, MPU_SLAB_MESSAGE) == cell[i]);
    CHECK(!mpu_loan_take(&l, 1000, MPU_SLAB_MESSAGE));
}

int main(void)
{
    uint8_t *memory = aligned_alloc(4096, BYTES);
    CHECK(memory != NULL);
    memset(memory, 0, BYTES);
    struct mpu_slab_shape shape = mpu_slab_shape(BYTES, BYTES / 4);
    struct mpu_slab s = {.at = memory, .shape = &shape};
    for (int i = 0; i <= MPU_SLAB_PIECES; i++)
        check_half_is_left(s, i);
    check_answers(s);
    check_last_first(s);
    free(memory);
    return 0;
}
