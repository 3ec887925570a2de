/* SPDX-License-Identifier: MIT */
/* What may be tuned, as one table: the set of protocols, the thresholds between them, those between
 * the algorithms of collectives, and whether collectives are checked.
 *
 * A value comes from the machine file, from a variable of the environment (given to
 * mpu_cluster_init), or is written by the rank that it belongs to (MPI_T). Each rank has its own:
 * the sender chooses, and a receiver takes what comes. */
#ifndef MPIUTIL_TUNING_H
#define MPIUTIL_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpu_rank;

enum mpu_tune_id {
    MPU_TUNE_PROTOCOLS,
    MPU_TUNE_CHECK, /* the checking layer: libmpi/check */
    MPU_TUNE_LOCAL_LIMIT,
    MPU_TUNE_EAGER_LIMIT,
    MPU_TUNE_SPLIT_LIMIT,
    MPU_TUNE_LAZY_LIMIT,
    MPU_TUNE_LAZY_BYTES,
    MPU_TUNE_LANE_BYTES,
    MPU_TUNE_DMA_THRESHOLD,
    MPU_TUNE_SINGLE_COPY,
    MPU_TUNE_SINGLE_COPY_MOST,
    MPU_TUNE_CACHED_BYTES,
    MPU_TUNE_PAST_CACHES,
    MPU_TUNE_SEGMENT_LIMIT, /* from here on: which algorithms collectives take */
    MPU_TUNE_SEGMENT_EACH,
    MPU_TUNE_BCAST_PARTS,
    MPU_TUNE_GATHER_TREE,
    MPU_TUNE_ALLGATHER_DOUBLING,
    MPU_TUNE_ALLTOALL_BITS,
    MPU_TUNE_ALLREDUCE_PARTS,
    MPU_TUNE_REDUCE_SCATTER_PARTS,
    MPU_TUNES
};

struct mpu_tune {
    const char *name;         /* "eager_limit" */
    const char *variable;     /* "LWMPI_EAGER_LIMIT" */
    const char *what;         /* one sentence */
    uint32_t most;            /* the least is 0 */
    const char *const *words; /* of a choice: value i is words[i]; NULL: bytes */
    bool fixed;               /* alike on all ranks: not to be written once the machine runs */
    uint32_t usual;           /* where the machine file says nothing of it */
};

extern const struct mpu_tune mpu_tunes[MPU_TUNES];

/* The value of a rank; may be written, up to `most`, on its own thread, unless
 * it is fixed. */
uint32_t *mpu_tune(struct mpu_rank *r, enum mpu_tune_id id);

/* Values that replace those of the machine file; all-zero: none. */
struct mpu_tuning {
    uint32_t value[MPU_TUNES];
    uint32_t given; /* bit i: value[i] counts */
};

/* Reads `text`, a number of bytes such as "4096" or "4 KB", or a word, into t. -B_EINVAL, and one
 * line in why that says what would be right. Pure. */
int mpu_tune_read(struct mpu_tuning *t, enum mpu_tune_id id, const char *text, char *why,
                  size_t size);

#endif
