/* SPDX-License-Identifier: MIT */
/* Linux port only: a job as its launcher sees it. A job is one anonymous shared mapping (a memfd)
 * that holds the NoC and the clusters' windows, and one process per cluster. Nothing has a name in
 * the system, so any number of jobs run side by side and nothing is left behind. */
#ifndef HAL_JOB_H
#define HAL_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <hal/hosted.h>
#include <hal/machine.h>

struct hal_job;

/* Makes the mapping for machine m. -B_ENOMEM if the system refuses, -B_ERANGE if it is larger than
 * a file of this process may be (RLIMIT_FSIZE). */
int hal_job_create(const struct hal_machine *m, const struct hal_options *o, struct hal_job **job);

/* The value for LWMPI_JOB in the environment of cluster `cluster`'s process; the process must
 * inherit the descriptor that hal_job_fd returns. */
void hal_job_environment(const struct hal_job *job, int cluster, char *value, size_t size);
int hal_job_fd(const struct hal_job *job);

/* Tells the job that cluster `cluster` runs as process `pid`, respectively that it ended; the other
 * ends then answer -B_EIO instead of waiting. */
void hal_job_started(struct hal_job *job, int cluster, pid_t pid);
void hal_job_ended(struct hal_job *job, int cluster);

/* How far a cluster came; tells a process that ended in the middle of the job from one that never
 * took part (a plain program) or that was done. */
enum hal_job_state { HAL_JOB_ABSENT, HAL_JOB_RUNS, HAL_JOB_OFF };
enum hal_job_state hal_job_state(const struct hal_job *job, int cluster);

/* Did a cluster end the whole job (hal_abort)? Then *status is what it gave. */
bool hal_job_aborted(const struct hal_job *job, int *status);

/* Asks every cluster to print its report (hal/report.h) on its standard error; with `stands`, if
 * the options do not say `verbose`, only to note how its ranks stand for hal_job_explain, where it
 * can. Has it answered the last time this was asked, or does it not run? Have all? */
void hal_job_report(struct hal_job *job, bool stands);
bool hal_job_answered(const struct hal_job *job, int cluster);
bool hal_job_reported(const struct hal_job *job);

/* hal_stand_explain over what the clusters have noted; false: nobody has. */
bool hal_job_explain(const struct hal_job *job, const char *title, char *text, size_t size);

/* Counters and results as the clusters recorded them (hal_counter_*, but from the launcher). */
const char *hal_job_counter_name(const struct hal_job *job, int i);
uint64_t hal_job_counter_sum(const struct hal_job *job, int i);

/* Nanoseconds since the job's machine started. */
uint64_t hal_job_time_ns(const struct hal_job *job);

/* Writes the trace, if the options asked for one and the job `ran`; gives the mapping up. False:
 * not all of the trace could be written, which it has said. */
bool hal_job_destroy(struct hal_job *job, bool ran);

#endif
