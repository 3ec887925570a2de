/* SPDX-License-Identifier: MIT */
#include <mpiutil/stats.h>

#include "protocol/protocol.h"

static uint64_t messages(const struct mpu_rank *r, int id)
{
    return r->carried[id].messages;
}

static uint64_t bytes(const struct mpu_rank *r, int id)
{
    return r->carried[id].bytes;
}

static uint64_t unexpected(const struct mpu_rank *r, int arg)
{
    (void)arg;
    return r->match.waiting;
}

static uint64_t unexpected_most(const struct mpu_rank *r, int arg)
{
    (void)arg;
    return r->match.waiting_most;
}

static uint64_t lazy(const struct mpu_rank *r, int arg)
{
    (void)arg;
    return r->lazy.used;
}

static uint64_t lazy_most(const struct mpu_rank *r, int arg)
{
    (void)arg;
    return r->lazy.most;
}

enum { USED, HIGH, LIMIT };

static uint64_t memory(const struct mpu_rank *r, int which)
{
    size_t value[3];
    (void)r;
    k_memory(&value[USED], &value[HIGH], &value[LIMIT]);
    return value[which];
}

#define CARRIED(id, name)                                                                          \
    {name ".messages", "messages that the rank sent by " name,                                     \
     MPU_STAT_COUNTER, false,                                                                      \
     messages,         id},                                                                        \
    {                                                                                              \
        name ".bytes", "bytes that the rank sent by " name, MPU_STAT_COUNTER, true, bytes, id      \
    }

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
     false, unexpected, 0},
    {"unexpected.high", "most such messages at a time", MPU_STAT_HIGH, false, unexpected_most, 0},
    {"lazy.used", "memory of copies of messages that are not sent yet", MPU_STAT_LEVEL, true, lazy,
     0},
    {"lazy.high", "most such memory at a time", MPU_STAT_HIGH, true, lazy_most, 0},
    {"memory.used", "memory in use in the rank's cluster", MPU_STAT_LEVEL, true, memory, USED},
    {"memory.high", "most memory in use in the rank's cluster", MPU_STAT_HIGH, true, memory, HIGH},
    {"memory.size", "memory of the rank's cluster", MPU_STAT_SIZE, true, memory, LIMIT},
};
const int mpu_stats_count = sizeof mpu_stats / sizeof mpu_stats[0];

uint64_t mpu_stat_read(const struct mpu_rank *r, int i)
{
    return mpu_stats[i].read(r, mpu_stats[i].arg);
}
