/* SPDX-License-Identifier: MIT */
/* The straight way through a hall: of 96 ranks of a core 93 come so. It decides with few loads that
 * nothing is special, and touches few lines of the rank: docs/collectives.md. */
#include "coll/hall.h"
#include "progress/progress.h"

/* One more is missing on this core after the caller, what it says is what the others said, and
 * nobody need be told. */
static inline bool ordinary(const struct mpu_hall *h, const struct mpu_hall_core *core,
                            const struct mpu_rank *r, const struct mpu_said *said, uint32_t number)
{
    return (unsigned int)core->arrived - 1 < (unsigned int)core->members - 2 &&
           mpu_hall_at(core) == number + 1 && mpu_same_said(&core->said, said) && r != h->leader &&
           h->straight;
}

const struct mpu_said *mpu_hall_said(const struct mpu_hall *h, const struct mpu_rank *r,
                                     const struct mpu_words *w)
{
    const struct mpu_hall_core *core = &h->core[r->core];
    return core->arrived && mpu_same_words(&core->words, w) ? &core->said : NULL;
}

static inline bool idle(const struct mpu_rank *r)
{
    return !r->advance && !r->pause && !r->uneasy;
}

enum mpu_met mpu_hall_pass(struct mpu_hall *h, struct mpu_rank *r, const struct mpu_said *said,
                           struct mpu_visit *v)
{
    struct mpu_hall_core *core = mpu_hall_core_of(h, r);
    if (!ordinary(h, core, r, said, v->number) || !idle(r))
        return MPU_MET_NOT;
    unsigned int round = v->round = core->round + 1;
    core->arrived++; /* the first one did not come this way, and started the cluster's clock */
    r->awaited = NULL;
    mpu_note(r, MPU_WAITS);
    k_crowd_wait(&core->crowd, &r->bell);
    mpu_note(r, MPU_RUNS);
    if (core->round != round)
        return MPU_MET_COUNTED;
    return core->agreed ? MPU_MET : MPU_MET_DIFFER;
}
