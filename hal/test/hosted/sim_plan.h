/* SPDX-License-Identifier: MIT */
/* A list of transfers, run on the models of the simulated machine and on SimGrid. */
#ifndef HAL_TEST_SIM_PLAN_H
#define HAL_TEST_SIM_PLAN_H

#include <stdint.h>

#include <hal/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sim_plan {
    int from, to;
    uint64_t bytes, start; /* start: cycle */
    uint32_t rate;         /* bytes per cycle at which it is injected */
    uint64_t end;          /* cycle of arrival on the simulated machine */
    uint32_t hops;
};

/* Fills n random transfers between the clusters of m, the same ones for the same seed. */
void sim_plan_draw(struct sim_plan *p, int n, const struct hal_machine *m, uint64_t seed);

/* Runs them on machine m with a model of the network and sets `end` and `hops`. */
void sim_plan_run(struct sim_plan *p, int n, const struct hal_machine *m, const char *model);

/* The links of the way, as numbered in sim/noc.h; returns how many. */
uint32_t sim_plan_links(const struct hal_machine *m, int from, int to, uint32_t *link);

/* mppa256 with software that costs nothing. */
struct hal_machine sim_plan_machine(void);

#ifdef __cplusplus
}
#endif

#endif
