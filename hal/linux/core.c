/* SPDX-License-Identifier: MIT */
/* Cores: kernel threads of the cluster's process, bound to processors when the job's cores fit. */
#include "port.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <base/error.h>
#include <base/here.h>
#include <hal/debug.h>

#include "../hosted/stack.h"

_Thread_local int hal_here_core;
_Thread_local void **b_here;
void *hal_here_local;

struct start {
    int core;
    void (*entry)(void *arg);
    void *arg;
};

static atomic_bool started[HAL_CORES_MAX];
static _Atomic(pid_t) os_thread[HAL_CORES_MAX]; /* of each core, for debuggers; 0: not started */

const struct hal_debug_word hal_debug_port[] = {{HAL_DEBUG_ADDRESS(os_thread)}, {NULL, 0}};

int hal_cluster(void)
{
    return lx.cluster;
}

void hal_local_set(void *p)
{
    hal_here_local = p;
}

long lx_core_share(const struct hal_machine *m, int processors)
{
    long cores = (long)m->compute_clusters * m->compute_cores + (long)m->io_clusters * m->io_cores;
    return (cores + processors - 1) / processors;
}

bool lx_core_fits(const struct hal_machine *m, int *processors)
{
    cpu_set_t set;
    *processors = 1;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return false;
    *processors = CPU_COUNT(&set);
    return lx_core_share(m, *processors) <= 1;
}

/* The number of a core among all cores of the machine. */
static long core_index(const struct hal_machine *m, int cluster, int core)
{
    long compute = cluster < (int)m->compute_clusters ? cluster : (long)m->compute_clusters;
    long io = cluster - compute;
    return compute * m->compute_cores + io * m->io_cores + core;
}

static cpu_set_t allowed; /* what the process had before its first thread was bound */
static bool known;

void lx_core_roam(void)
{
    if (known)
        sched_setaffinity(0, sizeof allowed, &allowed); /* refused: it stays where its core is */
}

void lx_core_bind(int core)
{
    atomic_store(&os_thread[core], gettid());
    if (!lx.pinned)
        return;
    if (!known)
        known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    int n = known ? CPU_COUNT(&allowed) : 0;
    long index = core_index(&lx.job->machine, lx.cluster, core) + lx.job->first_processor;
    for (int cpu = 0, i = 0; n > 0 && cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &allowed) && i++ == (int)(index % n)) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof one, &one); /* refused: the core roams, nothing is lost */
            return;
        }
    }
}

static void *thread_main(void *p)
{
    struct start s = *(struct start *)p;
    free(p);
    hal_here_core = s.core;
    lx_core_bind(s.core);
    hal_stack_watch();
    s.entry(s.arg);
    return NULL;
}

int hal_core_start(int core, void (*entry)(void *arg), void *arg)
{
    if (core < 1 || core >= lx.cores)
        return -B_EINVAL;
    if (atomic_exchange(&started[core], true))
        return -B_EBUSY;
    struct start *s = malloc(sizeof *s);
    if (!s)
        return -B_ENOMEM;
    *s = (struct start){.core = core, .entry = entry, .arg = arg};
    pthread_attr_t attr;
    pthread_t thread;
    size_t least = (size_t)PTHREAD_STACK_MIN;
    size_t stack = lx.job->stack > least ? lx.job->stack : least;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, (stack + 4095) / 4096 * 4096);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    int failed = pthread_create(&thread, &attr, thread_main, s);
    pthread_attr_destroy(&attr);
    if (failed != 0) {
        free(s);
        atomic_store(&started[core], false);
        return -B_ENOMEM;
    }
    return 0;
}
