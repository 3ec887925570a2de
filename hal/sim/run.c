/* SPDX-License-Identifier: MIT */
/* A run of the machine, from its description to its result. */
#include <hal/hosted.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <base/error.h>
#include <hal/clock.h>

#include "heat.h"
#include "hosted/stack.h"
#include "noc.h"
#include "report.h"
#include "sim.h"
#include "trace.h"

#define DEFAULT_MACHINE "mppa256"
#define LENT            15 /* times the memory of a compute cluster */

const char hal_port_name[] = "sim";
static bool running;
static void (*at_end)(void);

const struct hal_machine *hal_machine(void)
{
    return &sim.machine;
}

int hal_node(void)
{
    return hal_cluster();
}

const char *hal_node_name(void)
{
    return sim_cluster()->name;
}

static bool window_create(struct sim_cluster *cl)
{
    cl->window_size = hal_machine_window(&sim.machine, cl->number);
    cl->window = mmap(NULL, cl->window_size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); /* hal/page.h */
    if (cl->window == MAP_FAILED) {
        cl->window = NULL;
        return false;
    }
    return true;
}

static bool clusters_create(void)
{
    const struct hal_machine *m = &sim.machine;
    sim.cluster_count = sim.alive = hal_machine_clusters(m);
    sim.core_count = 0;
    size_t n = (size_t)sim.cluster_count;
    sim.clusters = calloc(n, sizeof *sim.clusters);
    sim.pairs = calloc(n * n, sizeof(struct sim_pair *));
    if (!sim.clusters || !sim.pairs)
        return false;
    for (int i = 0; i < sim.cluster_count; i++) {
        struct sim_cluster *cl = &sim.clusters[i];
        cl->number = i;
        snprintf(cl->name, sizeof cl->name, "%s cluster %d", m->name, i);
        cl->core_count = hal_machine_cores(m, i);
        cl->noc_cores = 1;
        sim.core_count += cl->core_count;
        if (!window_create(cl))
            return false;
    }
    sim.cores = calloc((size_t)sim.core_count, sizeof *sim.cores);
    return sim.cores != NULL;
}

/* Frees everything but the numbers that a result is made of. */
static void clusters_destroy(void)
{
    sim_portal_destroy();
    for (int i = 0; i < sim.cluster_count; i++) {
        struct sim_cluster *cl = &sim.clusters[i];
        if (cl->window) {
            munmap(cl->window, cl->window_size);
            cl->window = NULL;
        }
    }
    sim_board_destroy();
    sim_pairs_destroy();
    sim_cores_destroy();
    sim_events_clear();
}

static int setup(const struct hal_machine *m, const struct hal_options *o)
{
    const char *models;
    const struct sim_noc_model *model = sim_noc_find(o->noc, &models);
    if (!model) {
        fprintf(stderr, "LWMPI_NOC: no network model \"%s\"; there are: %s\n", o->noc, models);
        return -B_EINVAL;
    }
    free(sim.clusters);
    free(sim.cores);
    sim = (struct sim){.machine = *m, .options = *o, .seed = o->seed, .thread = pthread_self()};
    if (!clusters_create() || !sim_board_create()) {
        fprintf(stderr, "machine %s: no memory on this host for its clusters\n", m->name);
        return -B_ENOMEM;
    }
    sim_counters_clear();
    sim_noc_create(model);
    sim_portal_create();
    if (o->stack != 0)
        hal_stack_default(o->stack);
    sim.end = sim.stop = HAL_NEVER;
    if (o->timeout_ns != 0)
        sim.end = (uint64_t)((unsigned __int128)o->timeout_ns * m->hz / 1000000000u);
    sim.limit = sim.end;
    return 0;
}

static bool draw_heat(void)
{
    const char *file = sim.options.heat;
    return !file || sim_heat_write(file);
}

void hal_end_early(void)
{
    if (!running)
        return;
    draw_heat();
    if (at_end)
        at_end();
}

int hal_run(const struct hal_machine *m, const struct hal_options *o, void (*boot)(void *arg),
            void *arg)
{
    if (running)
        return -B_EBUSY;
    int e = setup(m, o);
    if (e < 0)
        return e;
    running = true;
    e = sim_cores_create(boot, arg);
    if (e < 0) {
        fprintf(stderr, "machine %s: no memory on this host for the stacks of its cores\n",
                m->name);
        sim_over(1);
    }
    bool whole = !o->trace || sim_trace_create(o->trace);
    sim_report_install();
    sim_dispatch();
    sim_report_remove();
    whole = sim_trace_destroy() && whole;
    whole = draw_heat() && whole;
    sim.status = hal_status(sim.status, whole);
    if (at_end)
        at_end();
    at_end = NULL;
    sim_noc_destroy();
    clusters_destroy();
    running = false;
    return sim.status;
}

/* A program that does not fit is to run all the same (docs/sim.md, Memory). */
static void lend_memory(struct hal_machine *m)
{
    const char *mode = getenv("LWMPI_MEMORY");
    if (mode && (strcmp(mode, "report") == 0 || strcmp(mode, "no") == 0))
        m->lent_memory = LENT * m->compute_memory;
}

int hal_enter(void (*boot)(void *arg), void *arg)
{
    char why[512];
    struct hal_machine m;
    struct hal_options o;
    const char *name = getenv("LWMPI_MACHINE");
    int e = hal_machine_load(!name || *name == '\0' ? DEFAULT_MACHINE : name, &m, why, sizeof why);
    if (e == 0)
        e = hal_options_default(&o, why, sizeof why);
    if (e < 0) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    lend_memory(&m);
    int status = hal_run(&m, &o, boot, arg);
    return status < 0 ? 1 : status;
}

void hal_at_end(void (*look)(void))
{
    at_end = look;
}

int hal_attach(void)
{
    return -B_ENOSYS;
}

void hal_detach(int status)
{
    (void)status;
}

/* Joules of `microwatts` for `cycles`. */
static double joules(double microwatts, double cycles)
{
    return microwatts * 1e-6 * cycles / (double)sim.machine.hz;
}

void hal_result(struct hal_result *r)
{
    const struct hal_power *p = &sim.machine.power;
    double busy = 0, cycles = (double)sim.now;
    for (int i = 0; i < sim.core_count; i++)
        busy += (double)sim_core_busy(&sim.cores[i]);
    *r = (struct hal_result){
        .cycles = sim.now,
        .seconds = cycles / (double)sim.machine.hz,
        .energy_core =
            joules(p->core_busy_uw, busy) + joules(p->core_idle_uw, cycles * sim.core_count - busy),
        .energy_noc = 1e-15 * ((double)sim_noc_use.flit_hops * p->flit_hop_fj +
                               (double)sim_noc_use.flit_nis * p->flit_ni_fj),
        .energy_static =
            joules((double)p->machine_uw + (double)p->cluster_uw * sim.cluster_count, cycles),
        .events = sim.events,
        .noc = sim.options.noc,
    };
}
