/* SPDX-License-Identifier: MIT */
/* Threads of a program's own, which there are none of on bare metal: each thread is a rank's. */
#include <base/error.h>
#include <mpiutil/boot.h>

int mpu_attach(void)
{
    return -B_ENOSYS;
}

bool mpu_gone(void)
{
    return false;
}

uint64_t mpu_told_work(double cycles)
{
    (void)cycles;
    return 0;
}

enum mpu_threads mpu_threads_allow(struct mpu_rank *r, enum mpu_threads wanted)
{
    (void)r;
    return wanted > MPU_THREADS_OTHERS ? MPU_THREADS_OTHERS : wanted;
}

bool mpu_thread_is_main(void)
{
    return true;
}

bool mpu_thread_is_foreign(void)
{
    return false;
}

struct mpu_rank *mpu_thread_acts_for(void)
{
    return NULL;
}
