/* SPDX-License-Identifier: MIT */
/* The table of contents of a hosted image: machine, kernel, MPI, ranks. */
#include <base/error.h>
#include <hal/console.h>
#include <hal/core.h>
#include <hal/machine.h>
#include <hal/power.h>
#include <kernel/boot.h>
#include <mpiutil/boot.h>

#include "image.h"

int image_fit(struct image *im, char *why, size_t size)
{
    const struct hal_machine *m = hal_machine();
    int most, cores = (int)m->compute_cores - (m->asymmetric ? 1 : 0);
    if (im->job.per_cluster == 0)
        im->job.per_cluster = cores;
    if (svc_spawn_check(&im->job, (int)m->compute_clusters, &most) == 0)
        return 0;
    snprintf(why, size, "%d ranks do not fit machine %s: %u clusters of %d ranks hold %d",
             im->job.ranks, m->name, m->compute_clusters, im->job.per_cluster, most);
    return -B_ERANGE;
}

/* Runs as the first thread of each cluster. I/O clusters and clusters without ranks end at once:
 * ranks live on compute clusters only, and nobody else sends anything yet. */
static int cluster_main(void *arg)
{
    struct image *im = arg;
    int clusters = (int)hal_machine()->compute_clusters;
    if (hal_cluster() >= clusters || svc_spawn_count(&im->job, hal_cluster(), clusters) == 0)
        return 0;
    int e = image_ranks_prepare();
    if (e == 0)
        e = mpu_cluster_init(&im->job, &im->tuning);
    if (e < 0) {
        char why[200];
        snprintf(why, sizeof why,
                 "MPI with %d ranks does not fit a cluster of %u KB and %u mailboxes (%s); "
                 "--ranks-per-cluster chooses fewer ranks, --machine a larger one",
                 svc_spawn_count(&im->job, hal_cluster(), clusters),
                 hal_machine()->compute_memory / 1024, hal_machine()->mailbox_ports,
                 b_error_message(e));
        hal_abort(1, why);
    }
    int status = svc_spawn_run(&im->job, image_rank_main, im);
    if (status < 0) {
        char why[160];
        snprintf(why, sizeof why, "cannot start the ranks: %s; use fewer --ranks-per-cluster",
                 b_error_message(status));
        hal_abort(1, why);
    }
    mpu_cluster_fini();
    return status;
}

void image_boot(void *arg)
{
    struct image *im = arg;
    char why[256];
    if (image_fit(im, why, sizeof why) < 0)
        hal_abort(2, why);
    kern_boot(cluster_main, im);
}
