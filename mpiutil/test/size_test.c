/* SPDX-License-Identifier: MIT */
/* What a rank costs before it receives anything: at most 4 KB of its cluster, beside its stack. */
#include <test/check.h>

#include "boot/boot.h"
#include "transport/cell.h"
#include "transport/credit.h"
#include "transport/transport.h"

int main(void)
{
    struct svc_job job = {.ranks = 192, .per_cluster = 12};
    struct mpu_cluster cluster = {
        .job = &job, .transport = &mpu_noc, .net_cell = mpu_cell_bytes(MPU_EAGER_MAX)};
    size_t bytes = mpu_rank_bytes(&cluster);
    printf("%zu bytes per rank of %d, of which %d are its heap's\n", bytes, job.ranks,
           MPU_HEAP_FIRST);
    CHECK(bytes <= 4096);
    CHECK_EQ(mpu_credit_window(&job, 12, (1 << 20) / cluster.net_cell, 4, 4096), 4);
    job = (struct svc_job){.ranks = 16, .per_cluster = 1};
    CHECK_EQ(mpu_credit_window(&job, 1, (1 << 20) / cluster.net_cell, 4, 4096), 409);
    CHECK_EQ(mpu_credit_window(&job, 1, (1 << 29) / cluster.net_cell, 4, 4096), 4096);
    return 0;
}
