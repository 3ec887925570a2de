/* SPDX-License-Identifier: MIT */
/* MPI in a process whose main was not taken over: an interpreter that loads it as an extension, or
 * a program that opens the library at run time. The calling thread becomes the one rank. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <base/error.h>
#include <hal/core.h>
#include <hal/hosted.h>
#include <hal/machine.h>
#include <kernel/boot.h>
#include <mpiutil/boot.h>
#include <mpiutil/rank.h>
#include <process/helper.h>
#include <process/image.h>
#include <process/parent.h>
#include <svc/spawn_server.h>

#include "parts.h"
#include "services.h"

static struct image_services services; /* on only where mpiexec started some */

/* The process ends: leave the machine in the order opposite to mpu_attach. A child that the program
 * forked has a copy of the rank and no helper; its end is nobody's. */
static void detach(int status, void *arg)
{
    (void)arg;
    if (getpid() != image.process)
        return;
    int rank = mpu_rank_number(mpu_self());
    image_helper_stop();
    status = mpu_rank_leave(status & 255);
    mpu_cluster_fini();
    if (services.on)
        svc_spawn_ended(&services.client, rank, status);
    image_services_end(&services);
    kern_shutdown();
    hal_detach(status);
    image.over = true;
}

static int refuse(int error, const char *why)
{
    fprintf(stderr, "lwmpi: %s\n", why);
    return error;
}

int mpu_attach(void)
{
    char why[256];
    if (image_params(&image, why, sizeof why) < 0)
        return refuse(-B_EINVAL, why);
    int e = hal_attach();
    if (e == -B_ENOSYS)
        return refuse(e, "this program loads MPI while it runs, which a machine in virtual time "
                         "cannot take part in; run it with --machine linux");
    if (e < 0)
        return refuse(e, b_error_message(e));
    if (image_fit(&image, why, sizeof why) < 0)
        return refuse(-B_EINVAL, why);
    int clusters = (int)hal_machine()->compute_clusters;
    if (svc_spawn_count(&image.job, hal_cluster(), clusters) != 1)
        return refuse(-B_EINVAL,
                      "this program loads MPI while it runs, so it must be a process per "
                      "rank; run it without --ranks-per-cluster");
    kern_adopt();
    if (hal_machine()->io_clusters > 0)
        e = image_services_begin(&services, &image.job, image.services);
    if (e == 0)
        e = mpu_cluster_init(&image.job, &image.tuning, image_parts.sets);
    if (e == 0)
        e = mpu_rank_enter(svc_spawn_rank(&image.job, hal_cluster(), 0, clusters));
    if (e < 0)
        return refuse(e, b_error_message(e));
    image_parent_begin(mpu_rank_number(mpu_self()));
    image.process = getpid();
    on_exit(detach, NULL);
    return 0;
}
