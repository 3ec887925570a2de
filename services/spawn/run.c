/* SPDX-License-Identifier: MIT */
/* Start and end of a cluster's ranks. No rank runs before all have their threads: a job that
 * cannot be complete must not start, because its ranks would wait for the missing ones. */
#include <svc/spawn.h>

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include <base/error.h>
#include <base/fmt.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>
#include <sys/k_wait.h>

struct crew;

struct member {
    struct crew *crew;
    int rank;
    int thread;
};

struct crew {
    int (*rank_main)(int rank, void *arg);
    void *arg;
    struct k_wait gate;
    bool open, cancelled; /* under gate.lock */
    int count;
    struct member member[];
};

/* Waits at the gate; true = run. */
static bool pass(struct crew *crew)
{
    k_wait_lock(&crew->gate);
    while (!crew->open) {
        k_wait_on(&crew->gate, K_FOREVER);
        k_wait_lock(&crew->gate);
    }
    bool run = !crew->cancelled;
    k_wait_unlock(&crew->gate);
    return run;
}

static void member_main(void *arg)
{
    struct member *m = arg;
    int status = pass(m->crew) ? m->crew->rank_main(m->rank, m->crew->arg) : 0;
    k_thread_exit((void *)(intptr_t)status);
}

static void open_gate(struct crew *crew, bool cancelled)
{
    k_wait_lock(&crew->gate);
    crew->open = true;
    crew->cancelled = cancelled;
    k_wake(&crew->gate, INT_MAX);
    k_wait_unlock(&crew->gate);
}

static int member_start(struct member *m, const struct svc_job *job, const struct k_info *info)
{
    struct svc_place place =
        svc_spawn_place(job, m->rank, info->compute_clusters, info->user_core, info->cores);
    char name[16];
    b_fmt(name, sizeof name, "rank %d", m->rank);
    return k_thread_create(&(struct k_thread_attr){
        .entry = member_main, .arg = m, .name = name, .core = place.core, .stack = job->stack});
}

/* Starts all members; how many got a thread. */
static int start(struct crew *crew, const struct svc_job *job, const struct k_info *info)
{
    for (int i = 0; i < crew->count; i++) {
        struct member *m = &crew->member[i];
        *m = (struct member){
            .crew = crew,
            .rank = svc_spawn_rank(job, info->cluster, i, info->compute_clusters),
        };
        m->thread = member_start(m, job, info);
        if (m->thread < 0)
            return i;
    }
    return crew->count;
}

/* Waits for the first `n` members; the first status that is not 0. */
static int finish(struct crew *crew, int n)
{
    int status = 0;
    for (int i = 0; i < n; i++) {
        void *value = NULL;
        k_thread_join(crew->member[i].thread, &value);
        status = status != 0 ? status : (int)(intptr_t)value;
    }
    return status;
}

int svc_spawn_run(const struct svc_job *job, int (*rank_main)(int rank, void *arg), void *arg)
{
    struct k_info info;
    k_info(&info);
    int count = svc_spawn_count(job, info.cluster, info.compute_clusters);
    size_t size = sizeof(struct crew) + (size_t)count * sizeof(struct member);
    void *memory;
    if (k_page_alloc(size, &memory) != 0)
        return -B_ENOMEM;
    struct crew *crew = memory;
    crew->rank_main = rank_main;
    crew->arg = arg;
    crew->count = count;
    k_wait_init(&crew->gate, "start of all ranks");
    int started = start(crew, job, &info);
    open_gate(crew, started < count);
    int status = finish(crew, started);
    k_page_free(memory, size);
    return started < count ? -B_ENOMEM : status;
}
