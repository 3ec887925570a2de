/* SPDX-License-Identifier: MIT */
/* A job as its launcher sees it: the mapping, the processes, and what became of them. */
#include "supervise.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/error.h>
#include <hal/job.h>
#include <hal/stand.h>

struct hal_job {
    struct lx_header *h;
    int fd;
    int running;                 /* processes started and not ended */
    int status;                  /* what ended the job, -1 = nothing did */
    pid_t pid[HAL_CLUSTERS_MAX]; /* 0 = none, or ended */
};

int hal_job_create(const struct hal_machine *m, const struct hal_options *o, struct hal_job **job)
{
    struct hal_job *j = calloc(1, sizeof *j);
    if (!j)
        return -B_ENOMEM;
    int rc = lx_map_create(m, o, &j->fd, &j->h);
    if (rc != 0) {
        free(j);
        return rc;
    }
    j->status = -1;
    *job = j;
    return 0;
}

void hal_job_environment(const struct hal_job *job, int cluster, char *value, size_t size)
{
    snprintf(value, size, "%d:%d", job->fd, cluster);
}

int hal_job_fd(const struct hal_job *job)
{
    return job->fd;
}

struct lx_header *lx_job_header(const struct hal_job *job)
{
    return job->h;
}

pid_t lx_job_pid(const struct hal_job *job, int cluster)
{
    return job->pid[cluster];
}

void hal_job_started(struct hal_job *job, int cluster, pid_t pid)
{
    job->pid[cluster] = pid;
    job->running++;
}

void hal_job_ended(struct hal_job *job, int cluster)
{
    if (job->pid[cluster] != 0) {
        job->pid[cluster] = 0;
        job->running--;
    }
    lx_ended(job->h, cluster, LX_DEAD, 0);
}

int lx_job_running(const struct hal_job *job)
{
    return job->running;
}

enum hal_job_state hal_job_state(const struct hal_job *job, int cluster)
{
    static const enum hal_job_state states[] = {[LX_ABSENT] = HAL_JOB_ABSENT,
                                                [LX_ATTACHED] = HAL_JOB_RUNS,
                                                [LX_OFF] = HAL_JOB_OFF,
                                                [LX_DEAD] = HAL_JOB_RUNS};
    return states[atomic_load(&lx_cluster(job->h, cluster)->state) & 3];
}

bool hal_job_aborted(const struct hal_job *job, int *status)
{
    unsigned aborted = atomic_load(&job->h->aborted);
    if (aborted == 0)
        return false;
    *status = (int)aborted - 1;
    return true;
}

bool lx_job_exited(struct hal_job *job, int cluster, int wait_status, char *why, size_t why_size)
{
    int state = (int)atomic_load(&lx_cluster(job->h, cluster)->state);
    int pid = (int)job->pid[cluster];
    bool crashed = WIFSIGNALED(wait_status);
    int status = crashed ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
    why[0] = '\0';
    hal_job_ended(job, cluster);
    int aborted;
    if (hal_job_aborted(job, &aborted)) {
        lx_job_fail(job, aborted);
        return true;
    }
    if (crashed) {
        snprintf(why, why_size, "cluster %d (process %d) was killed by signal %d (%s)", cluster,
                 pid, WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
    } else if (state != LX_OFF && status != 0) {
        snprintf(why, why_size, "cluster %d (process %d) ended with status %d", cluster, pid,
                 status);
    } else {
        return false;
    }
    lx_job_fail(job, status);
    return true;
}

void lx_job_kill(struct hal_job *job)
{
    for (int c = 0; c < hal_machine_clusters(&job->h->machine); c++)
        if (job->pid[c] > 0)
            kill(job->pid[c], SIGKILL);
}

void lx_job_fail(struct hal_job *job, int status)
{
    if (job->status < 0)
        job->status = status;
}

int lx_job_status(const struct hal_job *job)
{
    return job->status >= 0 ? job->status : (int)atomic_load(&job->h->failure);
}

void hal_job_report(struct hal_job *job, bool stands)
{
    atomic_store(&job->h->short_reports, stands && !job->h->verbose);
    /* A cluster that computes is interrupted by the signal; one that waits is woken as well, for
     * the program may have taken the signal for itself. */
    atomic_fetch_add(&job->h->reports, 1);
    for (int c = 0; c < hal_machine_clusters(&job->h->machine); c++) {
        struct lx_cluster *cluster = lx_cluster(job->h, c);
        int pid = atomic_load(&cluster->pid);
        if (job->pid[c] > 0 && pid > 0 && atomic_load(&cluster->state) == LX_ATTACHED) {
            kill(pid, SIGQUIT);
            lx_event_all(job->h, c);
        }
    }
}

bool hal_job_answered(const struct hal_job *job, int cluster)
{
    struct lx_cluster *c = lx_cluster(job->h, cluster);
    return atomic_load(&c->state) != LX_ATTACHED ||
           atomic_load(&c->reported) == atomic_load(&job->h->reports);
}

bool hal_job_reported(const struct hal_job *job)
{
    for (int c = 0; c < hal_machine_clusters(&job->h->machine); c++)
        if (!hal_job_answered(job, c))
            return false;
    return true;
}

/* How many of its ranks a cluster that runs has told of; -1: it does not tell. */
static int stands_of(const struct hal_job *job, int cluster)
{
    return hal_job_answered(job, cluster) ? atomic_load(&lx_cluster(job->h, cluster)->stands) - 1
                                          : -1;
}

bool hal_job_explain(const struct hal_job *job, const char *title, char *text, size_t size)
{
    const char *missing = "has ended";
    int ranks = 0, n = 0, clusters = hal_machine_clusters(&job->h->machine);
    bool runs[HAL_CLUSTERS_MAX];
    for (int c = 0; c < clusters; c++) {
        runs[c] = job->pid[c] > 0 && atomic_load(&lx_cluster(job->h, c)->state) <= LX_ATTACHED;
        int here = runs[c] ? stands_of(job, c) : 0;
        missing = here < 0 ? "does not tell" : missing;
        ranks += here > 0 ? here : 0;
    }
    struct hal_stand *all = ranks == 0 ? NULL : calloc((size_t)ranks, sizeof *all);
    for (int c = 0; all && c < clusters; c++) {
        int here = runs[c] ? stands_of(job, c) : 0;
        for (int i = 0; i < here && n < ranks; i++)
            all[n++] = lx_stands(job->h, c)[i];
    }
    if (all)
        hal_stand_explain(all, n, &(struct hal_stand_about){title, missing, false}, text, size);
    free(all);
    return n > 0;
}

const char *hal_job_counter_name(const struct hal_job *job, int i)
{
    return lx_counter_name(job->h, i);
}

uint64_t hal_job_counter_sum(const struct hal_job *job, int i)
{
    return lx_counter_sum(job->h, i);
}

uint64_t hal_job_time_ns(const struct hal_job *job)
{
    return lx_monotonic_ns() - job->h->start_ns;
}

bool hal_job_destroy(struct hal_job *job, bool ran)
{
    bool told = !ran || lx_trace_write(job->h);
    lx_map_close(job->h);
    close(job->fd);
    free(job);
    return told;
}
