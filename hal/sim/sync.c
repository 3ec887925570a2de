/* SPDX-License-Identifier: MIT */
/* Syncs: each pair of clusters has a ring of words and four running counts,
 *     credited <= released <= arrived <= sent <= credited + sync_slots
 * both the word and the credit for its slot travel on the control NoC. */
#include <hal/sync.h>

#include <stdlib.h>

#include <base/error.h>
#include <hal/work.h>

#include "noc.h"
#include "sim.h"

static void arrived(void *arg)
{
    struct sim_pair *p = arg;
    sim_landed(p->from);
    p->words_arrived++;
    sim_set_add(&sim.clusters[p->to].words, p->from);
    sim_raise_noc(&sim.clusters[p->to]);
}

static void credited(void *arg)
{
    struct sim_pair *p = arg;
    sim_landed(p->to);
    p->words_credited++;
    sim_raise_noc(&sim.clusters[p->from]);
}

int hal_sync_signal(int to, uint64_t word)
{
    sim_poll();
    if (to < 0 || to >= sim.cluster_count)
        return -B_EHOSTUNREACH;
    if (sim.clusters[to].gone)
        return -B_EIO;
    struct sim_pair *p = sim_pair(sim.core->cluster, to);
    uint32_t slots = sim.machine.sync_slots;
    if (p->words_sent - p->words_credited >= slots)
        return -B_EAGAIN;
    hal_work(sim.machine.cost.sync_signal);
    if (!p->words) {
        p->words = calloc(slots, sizeof *p->words);
        if (!p->words)
            abort();
    }
    p->words[p->words_sent++ % slots] = word;
    sim_noc_word(p->from, p->to, arrived, p);
    return 0;
}

int hal_sync_peek(int *from, uint64_t *word)
{
    sim_poll();
    int sender = sim_set_next(&sim_cluster()->words);
    if (sender < 0)
        return -B_EAGAIN;
    const struct sim_pair *p = sim_pair(sender, sim.core->cluster);
    *from = sender;
    *word = p->words[p->words_released % sim.machine.sync_slots];
    return 0;
}

int hal_sync_release(int from)
{
    if (from < 0 || from >= sim.cluster_count)
        return -B_EINVAL;
    struct sim_pair *p = sim_pair(from, sim.core->cluster);
    if (p->words_released == p->words_arrived)
        return -B_EINVAL;
    p->words_released++;
    if (p->words_released == p->words_arrived)
        sim_set_remove(&sim_cluster()->words, from);
    sim_noc_word(p->to, p->from, credited, p);
    return 0;
}
