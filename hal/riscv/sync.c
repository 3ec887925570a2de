/* SPDX-License-Identifier: MIT */
/* C-NoC words: a ring for each pair of clusters. */
#include "riscv.h"

#include <base/error.h>
#include <hal/sync.h>

static int next; /* round-robin; under the caller's lock */

static uint32_t slots(void)
{
    return hal_machine()->sync_slots;
}

int hal_sync_signal(int to, uint64_t word)
{
    if (to < 0 || to >= hal_machine_clusters(hal_machine()))
        return -B_EHOSTUNREACH;
    struct rv_pair *p = &rv_noc()->pair[rv_cluster][to];
    uint32_t n = atomic_load(&p->words);
    if (n - atomic_load(&p->read) == slots())
        return -B_EAGAIN;
    p->word[n % slots()] = word;
    atomic_store(&p->words, n + 1);
    rv_raise_noc(to);
    return 0;
}

int hal_sync_peek(int *from, uint64_t *word)
{
    int clusters = hal_machine_clusters(hal_machine());
    for (int i = 0; i < clusters; i++) {
        int sender = (next + i) % clusters;
        struct rv_pair *p = &rv_noc()->pair[sender][rv_cluster];
        uint32_t n = atomic_load(&p->read);
        if (n != atomic_load(&p->words)) {
            *from = sender;
            *word = p->word[n % slots()];
            return 0;
        }
    }
    return -B_EAGAIN;
}

int hal_sync_release(int from)
{
    struct rv_pair *p = &rv_noc()->pair[from][rv_cluster];
    uint32_t n = atomic_load(&p->read);
    if (n == atomic_load(&p->words))
        return -B_EINVAL;
    atomic_store(&p->read, n + 1);
    next = from + 1;
    rv_raise_noc(from);
    return 0;
}
