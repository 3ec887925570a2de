/* SPDX-License-Identifier: MIT */
/* The layer of MPI programs. */
#include <stdio.h>

#include <hal/power.h>
#include <mpiutil/boot.h>
#include <mpiutil/machine.h>
#include <process/helper.h>
#include <process/image.h>
#include <process/parent.h>
#include <process/threads.h>

#include "parts.h"

/* Ends the job if it is to use what the program was not linked with. */
static void check_parts(const struct image *im)
{
    static const enum mpu_tune_id ids[] = {MPU_TUNE_PROTOCOLS, MPU_TUNE_CHECK};
    const uint32_t *value = im->tuning.value;
    char why[160];
    const bool has[] = {value[ids[0]] == 0 || image_parts.paper,
                        value[ids[1]] == 0 || image_parts.checks};
    for (int i = 0; i < 2; i++) {
        const struct mpu_tune *t = &mpu_tunes[ids[i]];
        snprintf(why, sizeof why, "%s=%s: static programs do not have this", t->variable,
                 t->words[value[ids[i]]]);
        if (!has[i])
            hal_abort(2, why);
    }
}

static int cluster_begin(const struct image *im)
{
    int e = image_parent_prepare();
    check_parts(im);
    return e < 0 ? e : mpu_cluster_init(&im->job, &im->tuning, image_parts.sets);
}

static int rank_begin(struct svc_rank *r)
{
    int e = mpu_rank_enter(r->rank);
    if (e == 0)
        image_parent_begin(r->rank);
    return e;
}

/* A rank that may end with sessions still open waits for the others here, which is no call of the
 * program's: it has the turn all the same, which who waits gives to others. */
static int rank_end(int status)
{
    image_helper_stop();
    if (image.shared)
        return mpu_rank_leave(status);
    image_threads_take();
    status = mpu_rank_leave(status);
    image_threads_give();
    return status;
}

bool mpu_gone(void)
{
    return image.over;
}

uint64_t mpu_told_work(double cycles)
{
    return image.compute == IMAGE_ANNOTATED ? image_compute_scaled(cycles) : 0;
}

const struct image_layer image_layer = {
    .name = "MPI",
    .cluster_begin = cluster_begin,
    .cluster_end = mpu_cluster_fini,
    .rank_begin = rank_begin,
    .rank_open = mpu_rank_open,
    .rank_end = rank_end,
    .rank_works = mpu_rank_works,
    .work = mpu_work,
};
