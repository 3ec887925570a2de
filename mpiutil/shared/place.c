/* SPDX-License-Identifier: MIT */
#include "shared/place.h"

#include <mpiutil/channel.h>

#define PAGE       4096
#define SLAB_LEAST (64u * 1024) /* a share that leaves less for all but its ring is too small */

static size_t pages(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

struct mpu_place_map mpu_places(const struct k_info *info, int ranks, uint32_t entries,
                                struct k_board *board)
{
    size_t ring = mpu_ring_bytes(entries);
    struct mpu_place_map m = {.cores = info->compute_cores,
                              .shares = info->clusters * info->compute_cores,
                              .ring = pages(ring)};
    size_t longest = mpu_ring_need(MPU_INLINE_MAX) * sizeof(struct mpu_entry);
    size_t leaders = pages(mpu_meetings_bytes(info->clusters, ranks));
    size_t left = board->bytes < leaders ? 0 : board->bytes - leaders;
    m.share = left / (size_t)m.shares / PAGE * PAGE;
    if (ring < sizeof(struct mpu_ring) + longest || m.share < m.ring + SLAB_LEAST)
        return m;
    size_t staging = (m.share - m.ring) / 8 / PAGE * PAGE;
    size_t most = (size_t)((ranks + info->clusters - 1) / info->clusters) * MPU_STAGING_EACH;
    m.staging = staging < most ? staging : most;
    m.at = (uint8_t *)board->at + leaders;
    size_t slab = m.share - mpu_place_slab_at(&m);
    /* More for pieces where cores keep cells (loan.h): a message of a megabyte is kept whole. */
    m.shape = mpu_slab_shape(slab, (uint32_t)(slab >> (info->oversubscribed ? 3 : 2)));
    board->bytes = leaders;
    return m;
}
