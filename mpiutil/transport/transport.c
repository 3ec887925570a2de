/* SPDX-License-Identifier: MIT */
#include "transport/transport.h"

bool mpu_urgent(const struct mpu_rank *r, const struct mpu_wire *w)
{
    const uint32_t kinds = 1u << MPU_RTS | 1u << MPU_ALLOW | 1u << MPU_WANT | 1u << MPU_FOUND |
                           1u << MPU_REFUSED | 1u << MPU_OVER | 1u << MPU_PIECE | 1u << MPU_MORE;
    _Static_assert(MPU_KINDS <= 32, "a bit for each kind");
    return r->outbox.hurries || (kinds >> w->kind & 1);
}
