/* SPDX-License-Identifier: MIT */
#include <mpiutil/trace.h>

#include "rank/rank.h"

const char *mpu_last_way(struct mpu_rank *r)
{
    const char *way = r->way;
    r->way = NULL;
    return way;
}
