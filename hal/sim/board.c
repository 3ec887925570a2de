/* SPDX-License-Identifier: MIT */
/* The board: memory of the process. What its clusters read and write there costs no time; what they
 * tell each other does. */
#include <hal/board.h>

#include <sys/mman.h>

#include <base/error.h>
#include <hal/work.h>

#include "noc.h"
#include "sim.h"

bool sim_board_create(void)
{
    size_t bytes = sim.machine.shared_memory;
    if (bytes == 0)
        return true;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    sim.board = p != MAP_FAILED ? p : NULL;
    return sim.board != NULL;
}

void sim_board_destroy(void)
{
    if (sim.board) {
        munmap(sim.board, sim.machine.shared_memory);
        sim.board = NULL;
    }
}

void *hal_board(size_t *bytes)
{
    *bytes = sim.machine.shared_memory;
    return sim.board;
}

static void told(void *arg)
{
    const struct sim_pair *p = arg;
    sim_landed(p->from);
    sim_raise_noc(&sim.clusters[p->to]);
}

/* All cores of the cluster look: it is not the one that was meant that counts. */
static void woken(void *arg)
{
    const struct sim_pair *p = arg;
    struct sim_cluster *to = &sim.clusters[p->to];
    sim_landed(p->from);
    for (int i = 0; i < to->core_count; i++)
        sim_raise(&to->cores[i]);
}

static int send(int to, void (*deliver)(void *arg))
{
    if (!sim.board)
        return -B_ENOSYS;
    hal_work(sim.machine.cost.sync_signal);
    struct sim_pair *p = sim_pair(sim.core->cluster, to);
    sim_noc_word(p->from, p->to, deliver, p);
    return 0;
}

int hal_board_tell(int to)
{
    return to < 0 || to >= sim.cluster_count ? -B_EHOSTUNREACH : send(to, told);
}

int hal_board_urge(int to)
{
    return hal_board_tell(to);
}

int hal_board_read(int from, uintptr_t address, void *to, size_t n)
{
    (void)from, (void)address, (void)to, (void)n;
    return -B_ENOSYS; /* clusters of the machines modelled have their memory for themselves */
}

int hal_board_wake(int to, int core)
{
    bool there =
        to >= 0 && to < sim.cluster_count && core >= 0 && core < sim.clusters[to].core_count;
    return there ? send(to, woken) : -B_EHOSTUNREACH;
}
