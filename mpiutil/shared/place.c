/* SPDX-License-Identifier: MIT */
#include "shared/place.h"

#include <mpiutil/channel.h>

#define PAGE       4096
#define SLAB_LEAST (64u * 1024)  /* a share that leaves less for rooms and slab is too small */
#define ROOM_MOST  (256u * 1024) /* what is longer leaves the caches: docs/collectives.md */

static size_t pages(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

struct mpu_place_map mpu_places(const struct k_info *info, int ranks, uint32_t entries,
                                struct k_board *board)
{
    struct mpu_place_map m = {.cores = info->compute_cores,
                              .shares = info->clusters * info->compute_cores,
                              .ring = pages(mpu_ring_bytes(entries))};
    size_t longest = mpu_ring_need(MPU_INLINE_MAX) * sizeof(struct mpu_entry);
    size_t leaders = pages(mpu_meetings_bytes(info->clusters, ranks));
    if (mpu_ring_bytes(entries) < sizeof(struct mpu_ring) + longest || board->bytes < leaders)
        return (struct mpu_place_map){0};
    m.share = (board->bytes - leaders) / (size_t)m.shares / PAGE * PAGE;
    if (m.share < m.ring + SLAB_LEAST)
        return (struct mpu_place_map){0};
    size_t room = (m.share - m.ring) / 8 / PAGE * PAGE;
    m.room = room < ROOM_MOST ? room : ROOM_MOST;
    m.at = (uint8_t *)board->at + leaders;
    m.shape = mpu_slab_shape(m.share - mpu_place_slab_at(&m));
    board->bytes = leaders;
    return m;
}
