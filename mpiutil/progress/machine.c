/* SPDX-License-Identifier: MIT */
#include <mpiutil/machine.h>

#include "progress/progress.h"

const struct k_info *mpu_info(void)
{
    return &mpu_cluster()->info;
}

uint64_t mpu_time_ns(void)
{
    return k_time_ns();
}

void mpu_work(uint64_t cycles)
{
    struct mpu_rank *r = mpu_self();
    if (!r || !r->life.started || r->advancing > 0) {
        k_work(cycles);
        return;
    }
    for (uint64_t left = cycles; (left = k_bell_work(&r->bell, left)) > 0;)
        mpu_poll(r);
}

void mpu_rank_tells_work(void)
{
    struct mpu_rank *r = mpu_self();
    if (r)
        r->life.works = true;
}

bool mpu_rank_works(void)
{
    const struct mpu_rank *r = mpu_self();
    return r && r->life.works;
}

void mpu_copy(void *dst, const void *src, size_t n)
{
    mpu_move(mpu_cluster(), dst, src, n);
}

_Static_assert((int)MPU_COPIES == (int)K_COPY_PIECES, "so many at once");

void mpu_copy_also(struct mpu_copies *all, void *dst, const void *src, size_t n)
{
    if (mpu_cluster()->info.copies_free) {
        memcpy(dst, src, n);
        return;
    }
    if (all->n == MPU_COPIES)
        mpu_copy_all(all);
    all->piece[all->n++] = (struct b_piece){dst, src, n};
}

void mpu_copy_all(struct mpu_copies *all)
{
    if (all->n > 0)
        k_copy_pieces(all->piece, all->n);
    all->n = 0;
}

void mpu_abort(int status, const char *why)
{
    k_abort(status, why);
}
