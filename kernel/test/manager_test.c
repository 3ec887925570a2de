/* SPDX-License-Identifier: MIT */
/* What the start of a thread costs in virtual time: the same however many there are; with the
 * ancestor's thread manager one price more for each, and more yet while another core ends one. */
#include <hal/clock.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>

#include <test/on_machine.h>

enum { FLOWS = 21 };
#define SETTLED UINT64_C(1000000) /* cycles: whoever was started has ended */

static void plain_return(void *arg)
{
    (void)arg;
}

/* Starts all, with a pause before each or none; cost[i]: cycles that start i took. */
static void start_all(uint64_t cost[FLOWS], uint64_t pause)
{
    int id[FLOWS];
    for (int i = 0; i < FLOWS; i++) {
        if (pause > 0)
            k_thread_sleep(pause);
        uint64_t begin = hal_clock_cycles();
        id[i] = k_thread_create(&(struct k_thread_attr){.entry = plain_return, .core = K_ANY});
        cost[i] = hal_clock_cycles() - begin;
        CHECK(id[i] >= 0);
    }
    for (int i = 0; i < FLOWS; i++)
        CHECK_EQ(k_thread_join(id[i], NULL), 0);
}

static int body(void *arg)
{
    const struct hal_machine *m = arg;
    uint64_t step = m->ancestor_threads ? m->cost.thread_search : 0;
    uint64_t paced[FLOWS], at_once[FLOWS], sum = 0, least = 0;
    start_all(paced, SETTLED);
    start_all(at_once, 0);
    for (int i = 0; i < FLOWS; i++) {
        CHECK_EQ(paced[i] - paced[0], (uint64_t)i * step);
        least += paced[i];
        sum += at_once[i];
    }
    CHECK(m->ancestor_threads ? sum > least : sum == least);
    return 0;
}

int main(void)
{
    struct hal_machine m;
    one_cluster("mppa256", true, &m);
    CHECK_EQ(on_machine(&m, body, &m), 0);
    m.ancestor_threads = true;
    CHECK_EQ(on_machine(&m, body, &m), 0);
    return 0;
}
