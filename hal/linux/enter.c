/* SPDX-License-Identifier: MIT */
/* How a process becomes a cluster: from the environment that a launcher set, or alone. */
#include "port.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <base/error.h>
#include <hal/context.h>
#include <hal/hosted.h>
#include <hal/mem.h>
#include <hal/power.h>

#include "../hosted/stack.h"

struct lx_port lx;

/* The context of hal_enter's caller, and of the boot function. */
static struct hal_context home, boot_context;

/* Dies with the process that started this one, whichever way that ends. */
static void die_with_parent(void)
{
    pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        raise(SIGKILL); /* it ended before the kernel could promise */
}

int lx_attach(struct lx_header *h, int cluster)
{
    int processors;
    lx.job = h;
    lx.self = lx_cluster(h, cluster);
    lx.cluster = cluster;
    lx.clusters = hal_machine_clusters(&h->machine);
    lx.cores = hal_machine_cores(&h->machine, cluster);
    lx.fits = lx_core_fits(&h->machine, &processors);
    lx.pinned = h->pin != 0 && lx.fits;
    /* A launcher that binds processes itself leaves each some of the job's processors. */
    if (h->pin == 0 && h->fits != 0 && lx.cores <= processors)
        lx.fits = true;
    lx.share = lx.fits ? 1 : lx_core_share(&h->machine, processors);
    gethostname(lx.host, sizeof lx.host);
    lx.spin_cycles = (uint64_t)((double)h->spin_ns * (double)h->hz / 1e9);
    hal_here_core = 0;
    /* Where the system lets only parents look into a process, the clusters may all the same. */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    int rc = lx_mailbox_attach();
    rc = rc == 0 ? lx_sync_attach() : rc;
    rc = rc == 0 ? lx_portal_attach() : rc;
    if (rc != 0)
        return rc;
    hal_stack_default(h->stack);
    hal_stack_watch();
    lx_core_bind(0);
    lx_report_attach();
    atomic_store(&lx.self->pid, getpid());
    return 0;
}

/* Reads "descriptor:cluster". */
static bool parse(const char *text, int *fd, int *cluster)
{
    char *end;
    errno = 0;
    long a = strtol(text, &end, 10);
    if (end == text || *end != ':' || a < 0 || a > 1 << 20)
        return false;
    const char *second = end + 1;
    long b = strtol(second, &end, 10);
    if (end == second || *end != '\0' || b < 0 || b >= HAL_CLUSTERS_MAX || errno != 0)
        return false;
    *fd = (int)a;
    *cluster = (int)b;
    return true;
}

/* Takes the place in a job that the launcher's LWMPI_JOB names. */
static int join(const char *value, struct lx_header **h, int *cluster, char *why, size_t size)
{
    int fd;
    if (!parse(value, &fd, cluster)) {
        snprintf(why, size, "\"%.40s\" is not descriptor:cluster", value);
        return -B_EINVAL;
    }
    int rc = lx_map_open(fd, h, why, size);
    if (rc != 0)
        return rc;
    int clusters = hal_machine_clusters(&(*h)->machine);
    unsigned absent = LX_ABSENT;
    if (*cluster >= clusters) {
        snprintf(why, size, "cluster %d: the machine has clusters 0 .. %d", *cluster, clusters - 1);
        rc = -B_EINVAL;
    } else if (!atomic_compare_exchange_strong(&lx_cluster(*h, *cluster)->state, &absent,
                                               LX_ATTACHED)) {
        snprintf(why, size, "cluster %d is taken: one process is one cluster, once", *cluster);
        rc = -B_EINVAL;
    }
    if (rc != 0) {
        lx_map_close(*h);
        return rc;
    }
    /* A program that this one starts is no part of the job. */
    close(fd);
    unsetenv("LWMPI_JOB");
    die_with_parent();
    return 0;
}

/* A machine of one cluster in this process. */
static int alone(struct lx_header **h, char *why, size_t size)
{
    struct hal_machine m;
    struct hal_options o;
    int fd;
    const char *name = getenv("LWMPI_MACHINE");
    int rc = hal_machine_load(!name || name[0] == '\0' ? "linux" : name, &m, why, size);
    if (rc == 0)
        rc = hal_options_default(&o, why, size);
    if (rc != 0)
        return rc;
    m.compute_clusters = 1;
    m.io_clusters = 0;
    rc = lx_map_create(&m, &o, &fd, h);
    if (rc != 0) {
        snprintf(why, size, "%s",
                 rc == -B_ERANGE ? "a machine is a file in memory, and files may not be that large "
                                   "here: lift the limit (ulimit -f unlimited)"
                                 : "no memory for a machine of one cluster");
        return rc;
    }
    close(fd);
    atomic_store(&lx_cluster(*h, 0)->state, LX_ATTACHED);
    return 0;
}

static int find_place(void)
{
    char why[256] = "";
    struct lx_header *h = NULL;
    int cluster = 0;
    const char *value = getenv("LWMPI_JOB");
    int rc = value ? join(value, &h, &cluster, why, sizeof why) : alone(&h, why, sizeof why);
    if (rc == 0) {
        rc = lx_attach(h, cluster);
        snprintf(why, sizeof why, "no memory");
    }
    if (rc != 0) {
        fprintf(stderr, "lwmpi: %s%s\n", value ? "LWMPI_JOB: " : "", why);
        return rc;
    }
    if (!value)
        lx_power_alone();
    return 0;
}

struct boot {
    void (*fn)(void *arg);
    void *arg;
};

static void boot_main(void *p)
{
    struct boot *b = p;
    b->fn(b->arg);
    lx_ended(lx.job, lx.cluster, LX_OFF, 0);
    hal_context_switch(&boot_context, &home);
}

/* Core 0 continues in hal_enter; another core has made it do so and has nothing left to do. */
static void leave_home(int status)
{
    (void)status;
    if (hal_here_core == 0) {
        static struct hal_context dead;
        hal_context_switch(&dead, &home);
    }
}

int hal_enter(void (*boot)(void *arg), void *arg)
{
    void *stack;
    size_t size;
    struct boot b = {.fn = boot, .arg = arg};
    if (find_place() != 0 || hal_stack_alloc(0, &stack, &size) != 0)
        return 1;
    lx_power_home(leave_home);
    hal_context_init(&boot_context, stack, size, boot_main, &b);
    hal_context_switch(&home, &boot_context);
    bool told = lx_power_end();
    return hal_status((int)atomic_load(&lx.self->status), told);
}

int hal_at_cycle(uint64_t cycle, bool (*look)(void))
{
    (void)cycle, (void)look;
    return -B_ENOSYS;
}

int hal_attach(void)
{
    int rc = find_place();
    if (rc == 0)
        lx_power_home(exit);
    return rc;
}

void hal_detach(int status)
{
    lx_ended(lx.job, lx.cluster, LX_OFF, status);
    int end = hal_status(status, lx_power_end());
    if (end != status)
        hal_abort(end, NULL);
}
