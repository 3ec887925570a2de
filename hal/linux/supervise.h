/* SPDX-License-Identifier: MIT */
/* What hal_run's supervisor asks of the job beyond hal/job.h. */
#ifndef HAL_LINUX_SUPERVISE_H
#define HAL_LINUX_SUPERVISE_H

#include <hal/job.h>

#include "port.h"

struct lx_header *lx_job_header(const struct hal_job *job);

/* The process of a cluster; 0 = none, or ended. Processes started and not ended. */
pid_t lx_job_pid(const struct hal_job *job, int cluster);
int lx_job_running(const struct hal_job *job);

/* Tells what waitpid said about a cluster. Returns true if the job must end now: the process was
 * killed by a signal, ended with a status without power-off, or a cluster called hal_abort. why
 * gets one line (cluster, process, signal or status), empty if there is nothing to say. */
bool lx_job_exited(struct hal_job *job, int cluster, int wait_status, char *why, size_t why_size);

/* Kills all processes that still run; they have yet to be waited for. */
void lx_job_kill(struct hal_job *job);

/* Gives the job its status, unless it failed before. */
void lx_job_fail(struct hal_job *job, int status);
int lx_job_status(const struct hal_job *job);

#endif
