/* SPDX-License-Identifier: MIT */
/* How the ranks of all clusters stand, in a few lines. */
#include <hal/stand.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hal/console.h>

#include "cpu/cpu.h"
#include <hal/site.h>
#include "report.h"
#include "sim.h"

void hal_stand_register(hal_stand_function *stand, void *arg)
{
    hal_site_prepare();
    sim_cluster()->stand = stand;
    sim_cluster()->stand_arg = arg;
}

/* Its thread's own context, or that of the core that runs the thread. */
static void find_site(const struct sim_cluster *cl, struct hal_stand *s)
{
    const struct sim_core *c = &cl->cores[s->core];
    const void *sp = s->sp ? s->sp : c->context.sp;
    s->pid = getpid();
    if (!s->sp && c == sim.core) {
        uintptr_t here = (uintptr_t)__builtin_frame_address(0);
        bool signal = sim_report_interrupted.pc != 0;
        hal_site_walk(sim_report_interrupted.pc, signal ? sim_report_interrupted.fp : here, s->site,
                      HAL_STAND_SITES);
    } else if (sp) {
        hal_site_walk(0, (uintptr_t)hal_cpu_frame_pointer(sp), s->site, HAL_STAND_SITES);
    }
}

static bool add(struct hal_stand **all, int *n, int *room)
{
    if (*n == *room) {
        int more = *room == 0 ? 16 : 2 * *room;
        void *p = realloc(*all, (size_t)more * sizeof **all);
        if (!p)
            return false;
        *all = p;
        *room = more;
    }
    (*all)[*n] = (struct hal_stand){.rank = -1};
    return true;
}

bool sim_stand_print(const char *title, bool over)
{
    static char text[8192];
    char first[256];
    struct hal_stand *all = NULL;
    int n = 0, room = 0;
    for (int c = 0; c < sim.cluster_count; c++) {
        const struct sim_cluster *cl = &sim.clusters[c];
        for (int i = 0; cl->stand && !cl->ended && add(&all, &n, &room) &&
                        cl->stand(cl->stand_arg, i, &all[n]);
             i++)
            find_site(cl, &all[n++]);
    }
    if (n > 0) {
        snprintf(first, sizeof first, "%.*s at cycle %" PRIu64 " of %s (noc %s, seed %" PRIu64 ")",
                 (int)strcspn(title, ":"), title, sim.now, sim.machine.name, sim.options.noc,
                 sim.seed);
        hal_stand_explain(all, n, &(struct hal_stand_about){first, "has ended", over}, text,
                          sizeof text);
        hal_console_write(text, strlen(text));
    }
    free(all);
    return n > 0;
}
