/* SPDX-License-Identifier: MIT */
/* Threads of a program's own, which there are none of on bare metal: each thread is a rank's; and
 * time, which passes by itself. */
#include <base/error.h>
#include <mpiutil/boot.h>
#include <mpiutil/machine.h>

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

void mpu_combined(enum mpu_numbers numbers, bool product, size_t bytes, uint64_t n)
{
    (void)numbers, (void)product, (void)bytes, (void)n;
}

void mpu_moved(uint64_t n)
{
    (void)n;
}

enum mpu_threads mpu_threads_allow(struct mpu_rank *r, enum mpu_threads wanted)
{
    (void)r;
    return wanted > MPU_THREADS_OTHERS ? MPU_THREADS_OTHERS : wanted;
}

int mpu_callback_begin(struct mpu_rank *r)
{
    (void)r;
    return MPU_CALLBACK_PLAIN;
}

void mpu_callback_end(struct mpu_rank *r, int was)
{
    (void)r, (void)was;
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
