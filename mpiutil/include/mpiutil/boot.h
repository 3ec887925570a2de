/* SPDX-License-Identifier: MIT */
/* How an image brings MPI up around a program. */
#ifndef MPIUTIL_BOOT_H
#define MPIUTIL_BOOT_H

#include <mpiutil/tuning.h>
#include <svc/spawn.h>

/* Makes this cluster's MPI state (ranks, inboxes, pools) for the job. Called once per cluster
 * from its first thread, before any rank starts; *job must stay valid. *tuning, the same on all
 * clusters, replaces values of the machine file. -B_ENOMEM: the cluster is too small. */
int mpu_cluster_init(const struct svc_job *job, const struct mpu_tuning *tuning);

/* Makes the calling thread rank `rank` of this cluster. Called once per rank thread, before
 * main. */
int mpu_rank_enter(int rank);

/* The calling rank's program ended with `status` (main returned, or it called exit). Reports a
 * rank that ends between MPI_Init and MPI_Finalize and aborts the job then. Returns the status
 * to use. */
int mpu_rank_leave(int status);

/* Releases the cluster's MPI state after its ranks ended. */
void mpu_cluster_fini(void);

/* Supplied by the image, called by MPI_Init on a thread that no rank entered: makes the calling
 * process its part of the machine, for programs whose main was not taken over (an interpreter
 * that loads MPI as an extension). Returns 0, the caller is a rank now; or, after one line on
 * the console that says why not, an error: -B_ENOSYS (this machine cannot be joined that way:
 * sim). */
int mpu_attach(void);

#endif
