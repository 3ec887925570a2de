/* SPDX-License-Identifier: MIT */
/* Linux port only: a job as its launcher sees it. A job is one anonymous shared mapping (a memfd)
 * that holds the NoC and the clusters' windows, and one process per cluster. Nothing has a name in
 * the system, so any number of jobs run side by side and nothing is left behind. */
#ifndef HAL_JOB_H
#define HAL_JOB_H

#include <stdbool.h>
#include <sys/types.h>

#include <hal/hosted.h>
#include <hal/machine.h>

struct hal_job;

/* Makes the mapping for machine m. -B_ENOMEM if the system refuses. */
int hal_job_create(const struct hal_machine *m, const struct hal_options *o, struct hal_job **job);

/* The value for LWMPI_JOB in the environment of cluster `cluster`'s process; the process must
 * inherit the descriptor that hal_job_fd returns. */
void hal_job_environment(const struct hal_job *job, int cluster, char *value, size_t size);
int hal_job_fd(const struct hal_job *job);

/* Tells the job that cluster `cluster` runs as process `pid`, respectively that it ended; the other
 * ends then answer -B_EIO instead of waiting. */
void hal_job_started(struct hal_job *job, int cluster, pid_t pid);
void hal_job_ended(struct hal_job *job, int cluster);

/* Supervision. Whoever started the processes waits for them and tells here what waitpid said about
 * cluster `cluster`; hal_job_exited includes hal_job_ended. Returns true if the job must end now: the
 * process was killed by a signal, or ended with a status without power-off, or a cluster called
 * hal_abort. why gets one line (cluster, process, signal or status), empty if there is nothing to
 * say. */
bool hal_job_exited(struct hal_job *job, int cluster, int wait_status, char *why, size_t why_size);

/* Processes started and not ended. True once a cluster called hal_abort: the job must end now. */
int hal_job_running(const struct hal_job *job);
bool hal_job_aborted(const struct hal_job *job);

/* Kills all processes that still run (SIGKILL); they have yet to be waited for. */
void hal_job_kill(struct hal_job *job);

/* Ends the job with `status` for a reason of the launcher's own, unless it has failed before. */
void hal_job_fail(struct hal_job *job, int status);

/* The status of the job: of what ended it, else the first status that is not 0, or 0. */
int hal_job_status(const struct hal_job *job);

/* How far a cluster came; tells a process that ended in the middle of the job from one that never
 * took part (a plain program) or that was done. */
enum hal_job_state { HAL_JOB_ABSENT, HAL_JOB_RUNS, HAL_JOB_OFF };
enum hal_job_state hal_job_state(const struct hal_job *job, int cluster);

/* Did a cluster end the whole job (hal_abort)? Then *status is what it gave. */
bool hal_job_aborted(const struct hal_job *job, int *status);

/* Asks every cluster to print its report (hal/report.h) on its standard error. */
void hal_job_report(struct hal_job *job);
/* True when every cluster that runs has done so. */
bool hal_job_reported(const struct hal_job *job);

/* Counters and results as the clusters recorded them (hal_counter_*, but from the launcher). */
const char *hal_job_counter_name(const struct hal_job *job, int i);
uint64_t hal_job_counter_sum(const struct hal_job *job, int i);

/* Writes the trace, if the options asked for one, and gives the mapping up. */
void hal_job_destroy(struct hal_job *job);

#endif
