/* SPDX-License-Identifier: MIT */
#include <mpiutil/stats.h>

#include "protocol/protocol.h"

/* By protocol two numbers each; behind those the others, as mpu_stat_read has them. */
#define COUNTER(at, name, what, bytes) [at] = {name, what, MPU_STAT_COUNTER, bytes}
#define CARRIED(id, name)                                                                          \
    COUNTER(2 * (id), name ".messages", "messages that the rank sent by " name, false),            \
        COUNTER(2 * (id) + 1, name ".bytes", "bytes that the rank sent by " name, true)

const struct mpu_stat mpu_stats[] = {
    CARRIED(MPU_PROTO_LOCAL_DIRECT, "local-direct"),
    CARRIED(MPU_PROTO_LOCAL_EAGER, "local-eager"),
    CARRIED(MPU_PROTO_LOCAL_COPY, "local-copy"),
    CARRIED(MPU_PROTO_EAGER, "eager"),
    CARRIED(MPU_PROTO_EAGER_SYNC, "eager-sync"),
    CARRIED(MPU_PROTO_SPLIT, "eager-split"),
    CARRIED(MPU_PROTO_LAZY, "lazy"),
    CARRIED(MPU_PROTO_RENDEZVOUS, "rendezvous"),
    CARRIED(MPU_PROTO_RENDEZVOUS_DMA, "rendezvous-dma"),
    CARRIED(MPU_PROTO_PIPELINE, "pipeline"),
    CARRIED(MPU_PROTO_PAPER, "paper-portal"),
    CARRIED(MPU_PROTO_SLOT, "paper-copy"),
    {"unexpected.length", "messages that have arrived and no receive has matched", MPU_STAT_LEVEL,
     false},
    {"unexpected.high", "most such messages at a time", MPU_STAT_HIGH, false},
    {"lazy.used", "memory of copies of messages that are not sent yet", MPU_STAT_LEVEL, true},
    {"lazy.high", "most such memory at a time", MPU_STAT_HIGH, true},
    {"memory.used", "memory in use in the rank's cluster", MPU_STAT_LEVEL, true},
    {"memory.high", "most memory in use in the rank's cluster", MPU_STAT_HIGH, true},
    {"memory.size", "memory of the rank's cluster", MPU_STAT_SIZE, true},
};
const int mpu_stats_count = sizeof mpu_stats / sizeof mpu_stats[0];

uint64_t mpu_stat_read(const struct mpu_rank *r, int i)
{
    if (i < 2 * MPU_PROTOS)
        return i % 2 ? r->carried[i / 2].bytes : r->carried[i / 2].messages;
    size_t used, high, limit;
    k_memory(&used, &high, &limit);
    const uint64_t others[] = {
        r->match.waiting, r->match.waiting_most, r->lazy.used, r->lazy.most, used, high, limit};
    return others[i - 2 * MPU_PROTOS];
}
