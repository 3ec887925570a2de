/* SPDX-License-Identifier: MIT */
#include "segment/cluster.h"

__attribute__((cold)) void mpu_outcome_differs(struct mpu_outcome *o,
                                               const struct mpu_signature *own,
                                               const struct mpu_signature *said)
{
    o->agreed = false;
    o->first = *own;
    o->odd = *said;
}
