/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/fmt.h>
#include <base/mem.h>
#include <mpiutil/segment.h>
#include <mpiutil/wire.h>

#include "protocol/protocol.h"
#include "shared/slab.h"

#define KB 1024u
#define MB 1048576u

static const char *const no_yes[] = {"no", "yes"};

#define TUNE(id, name, what, most, words, fixed, usual)                                            \
    [MPU_TUNE_##id] = {name, "LWMPI_" #id, what, most, words, fixed, usual}
#define BYTES(id, name, what, most, usual) TUNE(id, name, what, most, NULL, false, usual)

/* Of all ranks alike: both sides must know it, or take the same algorithm. */
#define ALIKE(id, name, what, most, usual) TUNE(id, name, what, most, NULL, true, usual)

const struct mpu_tune mpu_tunes[MPU_TUNES] = {
    TUNE(PROTOCOLS, "protocols", "set of protocols that messages use", 2, mpu_set_names, true, 0),
    TUNE(CHECK, "check",
         "ranks that wait for long ask what others have called; not in static programs", 1, no_yes,
         true, 0),
    ALIKE(LOCAL_LIMIT, "local_limit", "longest message in a cluster copied when sent",
          MPU_LOCAL_MAX, 0),
    BYTES(EAGER_LIMIT, "eager_limit", "longest message sent unasked", MPU_CELL_MAX, 0),
    BYTES(SPLIT_LIMIT, "split_limit", "longest message sent as several mailbox messages",
          MPU_SPLIT_MAX, 0),
    BYTES(LAZY_LIMIT, "lazy_limit", "longest message copied at its sender", 16 * MB, 0),
    BYTES(LAZY_BYTES, "lazy_bytes", "memory of a rank for such copies", 256 * MB, 0),
    ALIKE(LANE_BYTES, "lane_bytes", "memory of a core for short messages of its cluster", MB, 0),
    BYTES(DMA_THRESHOLD, "dma_threshold", "shortest message sent by DMA", UINT32_MAX, 0),
    BYTES(SINGLE_COPY, "single_copy", "shortest message that its receiver copies from its sender",
          UINT32_MAX, UINT32_MAX /* never */),
    BYTES(SINGLE_COPY_MOST, "single_copy_most", "longest such message", UINT32_MAX, UINT32_MAX),
    BYTES(CACHED_BYTES, "cached_bytes", "most bytes on their way stored in caches", UINT32_MAX,
          32 * MB),
    BYTES(PAST_CACHES, "past_caches", "fewest bytes that a sender always stores past caches",
          UINT32_MAX, UINT32_MAX),
    ALIKE(SEGMENT_LIMIT, "segment_limit", "longest data with which ranks meet in shared memory",
          MPU_SEGMENT_BYTES, 0),
    ALIKE(SEGMENT_EACH, "segment_each",
          "most clusters of which each reads in shared memory what all gave", MPU_LEADERS_EACH, 0),
    ALIKE(BCAST_PARTS, "bcast_parts", "shortest broadcast sent in parts", 16 * MB, 128 * KB),
    ALIKE(GATHER_TREE, "gather_tree", "longest data of a rank gathered or scattered by a tree",
          64 * KB, KB),
    ALIKE(ALLGATHER_DOUBLING, "allgather_doubling",
          "longest data of all ranks gathered for all by doubling", MB, 16 * KB),
    ALIKE(ALLTOALL_BITS, "alltoall_bits",
          "longest block of an alltoall that goes by bits of the distance", 64 * KB, 256),
    ALIKE(ALLREDUCE_PARTS, "allreduce_parts", "shortest vector reduced for all in parts", 16 * MB,
          32 * KB),
    ALIKE(REDUCE_SCATTER_PARTS, "reduce_scatter_parts",
          "shortest average block of a reduce_scatter that goes straight to its rank", 16 * MB, 0)};

uint32_t *mpu_tune(struct mpu_rank *r, enum mpu_tune_id id)
{
    return &r->tune[id];
}

/* What is few bytes where a cluster has so much memory: each communicator has room for two results
 * in each cluster. */
static uint32_t few(const struct k_info *info)
{
    uint64_t most = info->compute_memory / 4096;
    return most < MPU_SEGMENT_BYTES ? (uint32_t)most : MPU_SEGMENT_BYTES;
}

void mpu_tunes_init(uint32_t *value, const struct k_info *info, const struct mpu_tuning *given)
{
    for (int i = 0; i < MPU_TUNES; i++)
        value[i] = mpu_tunes[i].usual;
    value[MPU_TUNE_CHECK] = !info->copies_free; /* virtual time */
    value[MPU_TUNE_LOCAL_LIMIT] = info->local_limit;
    value[MPU_TUNE_EAGER_LIMIT] = info->eager_limit;
    value[MPU_TUNE_SPLIT_LIMIT] = info->split_limit;
    value[MPU_TUNE_LAZY_LIMIT] = info->lazy_limit;
    value[MPU_TUNE_LAZY_BYTES] = info->lazy_bytes;
    value[MPU_TUNE_LANE_BYTES] = info->lane_bytes;
    value[MPU_TUNE_DMA_THRESHOLD] = info->dma_threshold;
    value[MPU_TUNE_SEGMENT_LIMIT] = few(info);
    value[MPU_TUNE_REDUCE_SCATTER_PARTS] = 4 * few(info);
    value[MPU_TUNE_SEGMENT_EACH] = info->oversubscribed ? 0 : MPU_LEADERS_EACH;
    for (int i = 0; i < MPU_TUNES; i++) {
        if (given->given & 1u << i)
            value[i] = given->value[i];
        if (value[i] > mpu_tunes[i].most)
            value[i] = mpu_tunes[i].most;
    }
}

/* Reading -------------------------------------------------------------------------------------- */

static int word(const struct mpu_tune *t, const char *text, uint64_t *value)
{
    for (uint64_t i = 0; i <= t->most; i++)
        if (strcmp(text, t->words[i]) == 0) {
            *value = i;
            return 0;
        }
    return -B_EINVAL;
}

/* Digits, and perhaps a unit after a space. */
static int bytes(const char *text, uint64_t *value)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {{"", 1}, {"B", 1}, {"KB", 1024}, {"MB", MB}};
    uint64_t n = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        n = 10 * n + (uint64_t)(*at - '0');
        if (n > UINT32_MAX)
            return -B_EINVAL;
    }
    if (at == text)
        return -B_EINVAL;
    while (*at == ' ')
        at++;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(at, units[i].name) == 0) {
            *value = n * units[i].bytes;
            return 0;
        }
    return -B_EINVAL;
}

static void list(char *text, size_t size, const struct mpu_tune *t)
{
    static const char *const formats[] = {"%s", "%s or %s", "%s, %s or %s"};
    b_fmt(text, size, formats[t->most], t->words[0], t->most > 0 ? t->words[1] : NULL,
          t->most > 1 ? t->words[2] : NULL);
}

static void explain(const struct mpu_tune *t, const char *text, char *why, size_t size)
{
    char right[120];
    if (t->words)
        list(right, sizeof right, t);
    else
        b_fmt(right, sizeof right, "a number of bytes from 0 to %u; KB or MB may follow it",
              (unsigned)t->most);
    b_fmt(why, size, "%s=%.40s: %s; must be %s", t->variable, text, t->what, right);
}

int mpu_tune_read(struct mpu_tuning *tuning, enum mpu_tune_id id, const char *text, char *why,
                  size_t size)
{
    const struct mpu_tune *t = &mpu_tunes[id];
    uint64_t value = 0;
    int rc = t->words ? word(t, text, &value) : bytes(text, &value);
    if (rc || value > t->most) {
        explain(t, text, why, size);
        return -B_EINVAL;
    }
    tuning->value[id] = (uint32_t)value;
    tuning->given |= 1u << id;
    return 0;
}
