/* SPDX-License-Identifier: MIT */
/* The order of events on one cycle: the same for the same seed, another for another one, and the
 * work is done all the same. Each cluster's cores race for a lock and mail their order to cluster
 * 0. */
#include "contract_run.h"

#include <hal/lock.h>
#include <hal/work.h>

#define SEEDS    24
#define CLUSTERS 4
#define CORES    17

static struct hal_lock locks[CLUSTERS];
static unsigned char order[CLUSTERS][CORES];
static int entered[CLUSTERS], log_length;
static unsigned char log_text[CLUSTERS * (CORES + 1)];

static void racer(void *arg)
{
    (void)arg;
    int me = hal_cluster();
    hal_work(100); /* all of them end on one cycle */
    hal_lock(&locks[me]);
    order[me][entered[me]++] = (unsigned char)hal_core();
    hal_unlock(&locks[me]);
    hal_event_notify(0);
}

static void collect(void)
{
    for (int clusters = 0; clusters < CLUSTERS; clusters++) {
        int from;
        const struct hal_mail *m;
        while (!(m = hal_mailbox_peek(&from)))
            hal_event_wait(HAL_NEVER);
        uint32_t seen = 0;
        log_text[log_length++] = (unsigned char)from;
        for (int i = 0; i < CORES; i++) {
            seen |= UINT32_C(1) << m->data[i];
            log_text[log_length++] = m->data[i];
        }
        CHECK_EQ(seen, (1 << CORES) - 1);
        CHECK_EQ(hal_mailbox_release(from, 0), 0);
    }
}

static void boot(void *arg)
{
    (void)arg;
    int me = hal_cluster();
    hal_lock_init(&locks[me], "race");
    for (int i = 1; i < CORES; i++)
        CHECK_EQ(hal_core_start(i, racer, NULL), 0);
    racer(NULL);
    while (entered[me] < CORES)
        hal_event_wait(HAL_NEVER);
    struct hal_mail m = {{0}, {0}};
    memcpy(m.data, order[me], CORES);
    CHECK_EQ(hal_mailbox_send(0, &m, CORES), 0);
    if (me == 0)
        collect();
}

static uint64_t run(uint64_t seed, unsigned char *text)
{
    struct hal_machine m;
    struct hal_options o;
    struct hal_result r;
    contract_load("mppa256", &m, &o);
    m.compute_clusters = CLUSTERS;
    m.io_clusters = 0;
    m.noc.torus_x = m.noc.torus_y = 2;
    o.seed = seed;
    memset(entered, 0, sizeof entered);
    log_length = 0;
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    CHECK_EQ(log_length, sizeof log_text);
    memcpy(text, log_text, sizeof log_text);
    hal_result(&r);
    return r.cycles;
}

int main(void)
{
    static unsigned char texts[SEEDS][sizeof log_text], again[sizeof log_text];
    int different = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t cycles = run(seed, texts[seed]);
        CHECK_EQ(run(seed, again), cycles);
        CHECK(memcmp(texts[seed], again, sizeof again) == 0);
        different += seed > 0 && memcmp(texts[seed], texts[0], sizeof again) != 0;
    }
    CHECK_EQ(different, SEEDS - 1);
    for (int i = 1; i < CORES; i++)
        CHECK_EQ(texts[0][i], i - 1); /* without a seed: in the order in which they began */
    return 0;
}
