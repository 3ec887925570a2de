/* SPDX-License-Identifier: MIT */
/* Wait cycles: blocking collectives and the others are numbered apart, and programs may mix them in
 * different orders, but not so that two ranks wait for each other in one of each.
 * docs/collectives.md, Wait cycles. */
#include "check/layer.h"
#include "coll/kind.h"

/* On which other ranks the end of a rank's part depends where the operation goes by messages,
 * whatever the library buffers (in a meeting in shared memory it depends on all). Of an operation
 * in which some ranks may have no data nothing is certain: NOBODY. */
enum need { NOBODY, ALL, ROOT, ALL_IF_ROOT, ALL_BEFORE };

static const uint8_t needs_of[] = {[MPI_COLL_BARRIER] = ALL,
                                   [MPI_COLL_MEETING] = ALL,
                                   [MPI_COLL_ALLGATHER] = ALL,
                                   [MPI_COLL_ALLREDUCE] = ALL,
                                   [MPI_COLL_ALLTOALL] = ALL,
                                   [MPI_COLL_REDUCE_SCATTER_BLOCK] = ALL,
                                   [MPI_COLL_BCAST] = ROOT,
                                   [MPI_COLL_SCATTER] = ROOT,
                                   [MPI_COLL_REDUCE] = ALL_IF_ROOT,
                                   [MPI_COLL_GATHER] = ALL_IF_ROOT,
                                   [MPI_COLL_SCAN] = ALL_BEFORE,
                                   [MPI_COLL_EXSCAN] = ALL_BEFORE,
                                   [MPI_COLL_MEETING_OF_SOME] = NOBODY};

static bool needs(const struct mpi_call *a, int me, int other)
{
    bool data = a->id != MPI_COLL_BARRIER && a->id != MPI_COLL_MEETING;
    if (a->waits & MPI_CALL_MEETS)
        return true;
    if (a->id >= sizeof needs_of || (data && !a->bytes))
        return false;
    switch ((enum need)needs_of[a->id]) {
    case ALL:
        return true;
    case ROOT:
        return other == a->root;
    case ALL_IF_ROOT:
        return me == a->root;
    case ALL_BEFORE:
        return other < me;
    default:
        return false;
    }
}

/* Of one half of the numbers: whether a rank whose next one is `next` has not come to n. */
static bool ahead(uint32_t n, uint32_t next)
{
    return (n - next) % MPI_COLL_NUMBERS < MPI_COLL_ERA;
}

/* Other threads could begin what is missing. */
bool mpi_checker_stuck(const struct mpi_coll *c)
{
    return c->p->thread_level != MPI_THREAD_MULTIPLE && (c->blocking || mpi_coll_awaited(c));
}

struct waiter {
    const struct mpi_coll *c;
    struct mpi_call own;
};

static bool closes(const struct mpu_alarm *a, const void *arg)
{
    const struct waiter *x = arg;
    const struct mpi_call *call = mpi_checker_call(a);
    const struct mpi_comm *comm = x->c->comm;
    bool blocking = a->first < MPI_COLL_NUMBERS;
    return a->asks && (call->waits & MPI_CALL_STUCK) && a->context == comm->coll.context &&
           blocking != x->c->blocking && ahead(a->first, mpi_coll_number(comm, blocking)) &&
           ahead(mpi_coll_number_of(x->c), call->next) && needs(call, a->rank, comm->group.rank) &&
           needs(&x->own, comm->group.rank, a->rank);
}

bool mpi_checker_find_cycle(struct mpi_coll *c, int *rank, struct mpi_call *call)
{
    struct mpu_alarm a;
    struct waiter x = {c, mpi_call_of(c)};
    if (c->comm->inter || !mpu_alarm_find(c->p->rank, closes, &x, &a))
        return false;
    *rank = a.rank;
    *call = mpi_call_in(&a);
    return true;
}
