/* SPDX-License-Identifier: MIT */
/* Values of thresholds as users write them, and what wrong ones are answered with. */
#include <string.h>

#include <base/error.h>
#include <mpiutil/tuning.h>
#include <test/check.h>

static void right(enum mpu_tune_id id, const char *text, uint32_t value)
{
    struct mpu_tuning t = {.given = 0};
    char why[240] = "";
    CHECK_EQ(mpu_tune_read(&t, id, text, why, sizeof why), 0);
    CHECK_EQ(t.value[id], value);
    CHECK_EQ(t.given, 1u << id);
    CHECK_EQ(why[0], '\0');
}

static void wrong(enum mpu_tune_id id, const char *text)
{
    struct mpu_tuning t = {.given = 0};
    char why[240] = "";
    CHECK_EQ(mpu_tune_read(&t, id, text, why, sizeof why), -B_EINVAL);
    CHECK_EQ(t.given, 0);
    CHECK(strstr(why, mpu_tunes[id].variable) && strstr(why, "must be"));
}

int main(void)
{
    right(MPU_TUNE_EAGER_LIMIT, "0", 0);
    right(MPU_TUNE_EAGER_LIMIT, "96", 96);
    right(MPU_TUNE_EAGER_LIMIT, "64 B", 64);
    right(MPU_TUNE_DMA_THRESHOLD, "4KB", 4096);
    right(MPU_TUNE_DMA_THRESHOLD, "3 MB", 3 << 20);
    right(MPU_TUNE_DMA_THRESHOLD, "4294967295", 4294967295u);
    static const char *const bad[] = {"",     "-1",         "1.5",    " 1", "1 kB", "1KB ",
                                      "4 GB", "4294967296", "4096MB", "x",  "0x10"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        wrong(MPU_TUNE_DMA_THRESHOLD, bad[i]);
    right(MPU_TUNE_EAGER_LIMIT, "64KB", 64 << 10);
    wrong(MPU_TUNE_EAGER_LIMIT, "65537");
    wrong(MPU_TUNE_EAGER_LIMIT, "1MB");
    right(MPU_TUNE_CHECK, "no", 0);
    right(MPU_TUNE_CHECK, "yes", 1);
    wrong(MPU_TUNE_CHECK, "maybe");
    wrong(MPU_TUNE_CHECK, "");
    return 0;
}
