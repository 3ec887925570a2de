/* SPDX-License-Identifier: MIT */
#include "transport/transport.h"

void mpu_post_header(struct mpu_rank *r, int to, enum mpu_kind kind, uint16_t port, uint32_t cookie,
                     uint64_t size)
{
    const struct mpu_wire w = {.kind = (uint8_t)kind,
                               .port = port,
                               .from = (uint32_t)r->number,
                               .cookie = cookie,
                               .size = size};
    mpu_post(r, to, &w, NULL, 0);
}

bool mpu_urgent(const struct mpu_rank *r, const struct mpu_wire *w)
{
    const uint32_t kinds = 1u << MPU_RTS | 1u << MPU_ALLOW | 1u << MPU_WANT | 1u << MPU_FOUND |
                           1u << MPU_REFUSED | 1u << MPU_OVER | 1u << MPU_PIECE | 1u << MPU_MORE;
    _Static_assert(MPU_KINDS <= 32, "a bit for each kind");
    return r->outbox.hurries || (kinds >> w->kind & 1);
}

/* Where ranks outnumber the processors each answer that a sender waits for costs a time slice, so
 * no message is announced that could be sent without; unless the rank waits for the answers of many
 * at once, and all these messages take more cells than caches hold, if the other ranks send as
 * many: with a quarter of the caches for the cells the buffers on both sides have room, too. A
 * scatter of 16 ranks, of 8, 16, 32 KB to each: 58, 127, 185 us through cells, 53, 80, 134 by
 * single copies; of 8 ranks, 64 KB: 43 and 44 (AMD EPYC). */
bool mpu_answer_is_dear(const struct mpu_rank *r, uint64_t n)
{
    uint64_t many = r->outbox.together;
    return r->cluster->info.oversubscribed &&
           (many <= 1 || n * many * (uint64_t)mpu_ranks(r) < r->tune[MPU_TUNE_CACHED_BYTES] / 4);
}
