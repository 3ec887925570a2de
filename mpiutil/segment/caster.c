/* SPDX-License-Identifier: MIT */
/* Multicasts that do not wait: mpiutil/multicast.h. Where one cannot go on its wait stands, and it
 * is the next step of its flow that goes on. */
#include "segment/caster.h"

#include <base/assert.h>

void mpu_caster_come(struct mpu_caster *k, int rank, uint32_t number)
{
    struct mpu_cast none = {.rank = rank, .place = &k->place};
    struct casting c = {
        .await = {.segment = k->segment, .rank = k->rank}, .at = k->at, .cast = &none};
    mpu_casting_tell(&c, number);
}

static enum mpu_cast_state state(const struct mpu_caster *k, bool done)
{
    return k->standing.stands ? MPU_CAST_WAITS : done ? MPU_CAST_DONE : MPU_CAST_FAILED;
}

enum mpu_cast_state mpu_caster_begin(struct mpu_caster *k, struct mpu_cast *x)
{
    b_assert(!k->standing.stands && !x->visit->cancelled);
    x->place = &k->place;
    k->now = (struct casting){.await = {k->segment, k->rank, x->visit, NULL, NULL, 0},
                              .at = k->at,
                              .cast = x,
                              .standing = &k->standing};
    k->standing.await = &k->now.await;
    return state(k, mpu_casting_begin(&k->now));
}

enum mpu_cast_state mpu_caster_go_on(struct mpu_caster *k)
{
    b_assert(!k->standing.stands);
    return state(k, mpu_casting_go_on(&k->now));
}

void mpu_caster_leave(struct mpu_caster *k)
{
    if (k->standing.stands)
        mpu_standing_end(&k->standing);
}

void mpu_caster_hurry(struct mpu_caster *k)
{
    if (k->standing.stands)
        mpu_standing_tell(&k->standing);
}
