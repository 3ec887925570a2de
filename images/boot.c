/* SPDX-License-Identifier: MIT */
/* The table of contents of a hosted image: machine, kernel, layer (MPI), ranks. */
#include <base/error.h>
#include <hal/console.h>
#include <hal/core.h>
#include <hal/machine.h>
#include <hal/power.h>
#include <kernel/boot.h>
#include <process/image.h>

#include "services.h"

int image_fit(struct image *im, char *why, size_t size)
{
    const struct hal_machine *m = hal_machine();
    int most, cores = (int)m->compute_cores - (m->asymmetric ? 1 : 0);
    if (im->job.per_cluster == 0)
        im->job.per_cluster = cores;
    if (im->io && m->io_clusters == 0) {
        snprintf(why, size, "machine %s has no I/O cluster for an I/O rank", m->name);
        return -B_ERANGE;
    }
    if (im->io) /* far from the services, which live on the first one */
        im->job.io_cluster = (int)(m->compute_clusters + m->io_clusters) - 1;
    if (svc_spawn_check(&im->job, (int)m->compute_clusters, &most) == 0)
        return 0;
    snprintf(why, size, "%d ranks do not fit machine %s: %u clusters of %d ranks hold %d",
             im->job.ranks, m->name, m->compute_clusters, im->job.per_cluster, most);
    return -B_ERANGE;
}

/* The machine cannot go on without what this cluster lacks. */
static _Noreturn void give_up(const char *what, int error, const char *way_out)
{
    char why[256];
    snprintf(why, sizeof why, "%s: %s; %s", what, b_error_message(error), way_out);
    hal_abort(1, why);
}

static int run_ranks(struct image *im, struct image_services *services)
{
    int clusters = (int)hal_machine()->compute_clusters;
    int e = image_ranks_prepare();
    if (image_programs_charge)
        image_programs_charge(im);
    if (e == 0)
        e = image_layer.cluster_begin(im);
    if (e < 0) {
        char what[128];
        snprintf(what, sizeof what,
                 "%s with %d ranks does not fit a cluster of %lu KB and %u mailboxes",
                 image_layer.name, svc_spawn_count(&im->job, hal_cluster(), clusters),
                 (unsigned long)hal_machine()->compute_memory / 1024, hal_machine()->mailbox_ports);
        give_up(what, e, "--ranks-per-cluster chooses fewer ranks, --machine a larger one");
    }
    image_stand_begin();
    int status = image_services_run(services, image_rank_main, im);
    if (status < 0)
        give_up("cannot start the ranks", status, "use fewer --ranks-per-cluster");
    image_layer.cluster_end();
    return status;
}

/* Runs as the first thread of each cluster. Those without ranks and servers end at once. */
static int cluster_main(void *arg)
{
    struct image *im = arg;
    struct image_services services;
    if (image_memory_watch)
        image_memory_watch();
    int status = 0, e = image_services_begin(&services, &im->job, im->services);
    if (e == -B_EIO && !services.ranks)
        return 0; /* those whom it was to serve have ended, of which others tell */
    if (e < 0)
        give_up("cannot start the services of a cluster", e,
                "its memory, threads and mailboxes must suffice for them");
    if (services.ranks)
        status = run_ranks(im, &services);
    image_services_end(&services);
    return status;
}

void image_boot(void *arg)
{
    struct image *im = arg;
    char why[640];
    if (image_fit(im, why, sizeof why) < 0)
        hal_abort(2, why);
    static bool loaded; /* by the first cluster with ranks that boots here */
    bool ranks = svc_spawn_count(&im->job, hal_cluster(), (int)hal_machine()->compute_clusters) > 0;
    if (ranks && !loaded &&
        (image_programs_load(im, why, sizeof why) < 0 ||
         image_compute_begin(im, why, sizeof why) < 0))
        hal_abort(2, why);
    loaded = loaded || ranks;
    image_stop_begin();
    kern_boot(cluster_main, im);
}
