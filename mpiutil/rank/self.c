/* SPDX-License-Identifier: MIT */
/* Who calls: a rank, also by a thread of its program that can act for it, or nobody. */
#include <base/here.h>
#include <mpiutil/boot.h>
#include <mpiutil/rank.h>

struct mpu_rank *mpu_self(void)
{
    return b_here ? (struct mpu_rank *)*b_here : mpu_thread_acts_for();
}

void *mpu_self_user(void)
{
    const struct mpu_rank_head *r = (const struct mpu_rank_head *)mpu_self();
    return r ? r->user : NULL;
}
