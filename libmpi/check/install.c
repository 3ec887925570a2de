/* SPDX-License-Identifier: MIT */
/* The record of the checking layer: what is looked for when. */
#include <base/error.h>

#include "check/layer.h"
#include "comm/comm.h"
#include "core/object.h"

static void made(struct mpi_coll *c)
{
    struct mpi_checker_state *s = mpi_checker_state(c->p);
    if (!s->clock)
        mpu_stall_clock_start(c->p->rank);
    s->clock = true;
}

static void ended(struct mpi_coll *c)
{
    if (c->agreement.mark || c->broken)
        mpi_checker_note(c);
}

/* The rank has waited for long, and has not queried all that it waits for. */
static bool may_query(const struct mpi_coll *c)
{
    int asked = c->agreement.check.asked;
    return (!asked || asked <= c->messages.n) && mpi_coll_stalled(c);
}

static void waits(struct mpi_coll *c)
{
    struct mpi_call other;
    int rank;
    mpi_checker_answer(c->p);
    if (!c->broken && may_query(c))
        mpi_checker_query_all(c);
    c->agreement.check.stalls = c->p->checker->stalls;
    if (!c->broken && mpi_checker_find_query(c, &rank, &other)) {
        struct mpi_call own = mpi_call_of(c);
        mpi_coll_fail(c, mpi_call_class_beside(&own, &other));
        mpi_coll_break(c, MPI_COLL_QUERIED, rank);
    }
    if (!c->broken && mpi_checker_stuck(c) && mpi_checker_find_cycle(c, &rank, &other)) {
        mpi_coll_fail(c, MPI_ERR_OTHER);
        mpi_coll_break(c, MPI_COLL_CYCLE, rank);
    }
}

static void notified(struct mpi_process *p, uint32_t why)
{
    struct mpi_checker_state *s = mpi_checker_state(p);
    s->head.stalls += (why & MPU_STALLED) != 0;
    s->finalizes |= (why & MPU_STOPS) != 0;
    if (why & MPU_ALARMED)
        mpi_checker_answer(p);
}

static bool accuses(struct mpi_coll *c, int *rank, struct mpi_call *call)
{
    return c->agreement.verdict == MPI_COLL_QUERIED ? mpi_checker_find_query(c, rank, call)
           : c->agreement.verdict == MPI_COLL_CYCLE ? mpi_checker_find_cycle(c, rank, call)
                                                    : false;
}

static const struct mpi_checker_hooks hooks = {.made = made,
                                               .ended = ended,
                                               .waits = waits,
                                               .query = mpi_checker_query,
                                               .query_leaders = mpi_checker_query_leaders,
                                               .notified = notified,
                                               .accuses = accuses};

void mpi_checker_comm_gone(struct mpi_process *p, const struct mpi_comm *c)
{
    mpu_alarms_forget(p->rank, c->coll.context, 0, UINT32_MAX, true);
}

int mpi_checker_install(struct mpi_process *p)
{
    struct mpi_checker_state *s = mpi_alloc(p, sizeof *s);
    if (!s)
        return -B_ENOMEM;
    *s = (struct mpi_checker_state){.head.hooks = &hooks};
    p->checker = &s->head;
    mpi_coll_listen(p);
    return 0;
}
