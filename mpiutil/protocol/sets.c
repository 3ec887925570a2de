/* SPDX-License-Identifier: MIT */
/* The sets of protocols, and which of them a program may be linked with. */
#include "protocol/protocol.h"
#include "transport/memory.h"
#include "transport/transport.h"

#define IN_CLUSTER &mpu_local_eager, &mpu_local_direct, &mpu_local_copy
#define BY_DISTANCE                                                                                \
    {mpu_core_now, &mpu_local_direct, 2}, {mpu_cluster_now, &mpu_local_eager, 2},                  \
    {                                                                                              \
        mpu_far_now, &mpu_eager, 3                                                                 \
    }
static const struct mpu_set by_memory = {
    .transport = &mpu_memory,
    .proto = {IN_CLUSTER, &mpu_eager, &mpu_eager_sync, &mpu_pipeline},
    .pieces = mpu_pipeline_more,
    .route = {BY_DISTANCE},
    .bulk = &mpu_bulk_cells};

static const struct mpu_set by_noc = {.transport = &mpu_noc,
                                      .proto = {IN_CLUSTER, &mpu_eager, &mpu_eager_sync, &mpu_split,
                                                &mpu_lazy, &mpu_rendezvous, &mpu_rendezvous_dma},
                                      .other = &mpu_split,
                                      .route = {BY_DISTANCE},
                                      .bulk = &mpu_bulk_portal,
                                      .pieces = mpu_split_arrived,
                                      .reap = mpu_lazy_reap};

/* Those of uller-2021. */
#define PAPER                                                                                      \
    .answers = true, .looks_up = &mpu_names, .piece = 4096, .answered = mpu_rendezvous_answered
static const struct mpu_set paper_unopt = {
    .transport = &mpu_noc, .proto = {&mpu_paper}, .bulk = &mpu_bulk_portal, PAPER};
static const struct mpu_set paper_opt = {.transport = &mpu_noc,
                                         .proto = {&mpu_slot_copy, &mpu_paper},
                                         .other = &mpu_slot_copy,
                                         .route = {[MPU_ELSEWHERE] = {.first = 1}},
                                         .bulk = &mpu_bulk_portal,
                                         PAPER,
                                         .slots = 64,
                                         .progress = mpu_slot_progress,
                                         .withdrawn = mpu_slot_withdraw};
const char *const mpu_set_names[] = {"adaptive", "paper-unopt", "paper-opt"};

const struct mpu_sets mpu_sets_all = {&by_memory,  &by_noc,        {&paper_unopt, &paper_opt},
                                      &mpu_each,   mpu_index_grow, mpu_before,
                                      &mpu_lending};
const struct mpu_sets mpu_sets_memory = {.memory = &by_memory};
const struct mpu_sets mpu_sets_noc = {.noc = &by_noc, .grow = mpu_index_grow};
