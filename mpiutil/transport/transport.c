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

/* Where ranks outnumber the processors each answer that a sender waits for costs a turn of the
 * processor, so no message is announced that could be sent without. Of many for which it waits at
 * once each answer costs a message more, which is worth it from four times the length on: an
 * exchange of all pairs of 4 ranks took 14.2 us by single copies and 8.7 through cells with 8 KB,
 * 15.7 and 11.9 with 16 KB, 20.4 and 22.2 with 32 KB, 32 and 43 with 64 KB (Intel Xeon). */
bool mpu_answer_is_dear(const struct mpu_rank *r, uint64_t n)
{
    return r->cluster->info.oversubscribed &&
           (!r->outbox.together || n / 4 < r->tune[MPU_TUNE_SINGLE_COPY]);
}
