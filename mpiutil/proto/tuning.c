/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/fmt.h>
#include <base/mem.h>
#include <mpiutil/wire.h>

#include "proto/proto.h"

#define MB 1048576u

const struct mpu_tune mpu_tunes[MPU_TUNES] = {
    [MPU_TUNE_EAGER_LIMIT] = {"eager_limit", "LWMPI_EAGER_LIMIT",
                              "longest message that travels with its header", 0, MPU_EAGER_MAX},
    [MPU_TUNE_SPLIT_LIMIT] = {"split_limit", "LWMPI_SPLIT_LIMIT",
                              "longest message that travels in several mailbox messages", 0,
                              MPU_SPLIT_MAX},
    [MPU_TUNE_LAZY_LIMIT] = {"lazy_limit", "LWMPI_LAZY_LIMIT",
                             "longest message that is copied at its sender, who goes on", 0,
                             16 * MB},
    [MPU_TUNE_LAZY_BYTES] = {"lazy_bytes", "LWMPI_LAZY_BYTES",
                             "memory of a rank for such copies that are not sent yet", 0, 256 * MB},
    [MPU_TUNE_DMA_THRESHOLD] = {"dma_threshold", "LWMPI_DMA_THRESHOLD",
                                "shortest message that is sent by DMA", 0, UINT32_MAX}};

uint32_t *mpu_tune(struct mpu_rank *r, enum mpu_tune_id id)
{
    return &r->tune[id];
}

void mpu_tunes_init(uint32_t *value, const struct k_info *info, const struct mpu_tuning *given)
{
    const uint32_t machine[MPU_TUNES] = {[MPU_TUNE_EAGER_LIMIT] = info->eager_limit,
                                         [MPU_TUNE_SPLIT_LIMIT] = info->split_limit,
                                         [MPU_TUNE_LAZY_LIMIT] = info->lazy_limit,
                                         [MPU_TUNE_LAZY_BYTES] = info->lazy_bytes,
                                         [MPU_TUNE_DMA_THRESHOLD] = info->dma_threshold};
    for (int i = 0; i < MPU_TUNES; i++) {
        value[i] = given->given & 1u << i ? given->value[i] : machine[i];
        if (value[i] > mpu_tunes[i].most)
            value[i] = mpu_tunes[i].most;
    }
}

/* Reading -------------------------------------------------------------------------------------- */

static bool same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
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
        if (same(at, units[i].name)) {
            *value = n * units[i].bytes;
            return 0;
        }
    return -B_EINVAL;
}

int mpu_tune_read(struct mpu_tuning *tuning, enum mpu_tune_id id, const char *text, char *why,
                  size_t size)
{
    const struct mpu_tune *t = &mpu_tunes[id];
    uint64_t value = 0;
    if (bytes(text, &value) || value < t->least || value > t->most) {
        b_fmt(why, size,
              "%s=%.40s: %s; must be a number of bytes from %u to %u; KB or MB may "
              "follow it",
              t->variable, text, t->what, t->least, t->most);
        return -B_EINVAL;
    }
    tuning->value[id] = (uint32_t)value;
    tuning->given |= 1u << id;
    return 0;
}
