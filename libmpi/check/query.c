/* SPDX-License-Identifier: MIT */
/* Stall queries: a rank that has waited for long in a collective says what it has called to those
 * that it waits for. Who is at the operation, or comes to it, and has called something else breaks
 * it. docs/collectives.md, Checking. */

#include "check/layer.h"
#include "coll/segment.h"
#include "comm/comm.h"

static struct mpu_alarm query_of(struct mpi_coll *c)
{
    struct mpi_call own = mpi_call_of(c);
    own.class = 0;
    own.waits |= mpi_checker_stuck(c) ? MPI_CALL_STUCK : 0;
    own.next = mpi_coll_number(c->comm, !c->blocking);
    return mpi_call_alarm(c->comm, mpi_coll_number_of(c), &own, true);
}

void mpi_checker_query(struct mpi_coll *c, int world)
{
    struct mpu_alarm q = query_of(c);
    mpu_alarm_tell_one(c->p->rank, &q, world);
}

void mpi_checker_query_leaders(struct mpi_coll *c)
{
    int i = 0, leader;
    while ((leader = mpu_leaders_missing(c->segment.at, mpi_segment_number(c), &i)) >= 0)
        mpi_checker_query(c, leader);
}

/* Where that cannot be done at once the rank asks when it has waited for long again. */
void mpi_checker_query_all(struct mpi_coll *c)
{
    struct mpi_checker_coll *k = &c->agreement.check;
    struct mpu_alarm q = query_of(c);
    mpu_alarm_raise(c->p->rank, &q);
    if (!k->asked)
        k->asked = 1;
    for (; k->asked <= c->messages.n; k->asked++) {
        struct mpi_coll_slot *s = &c->messages.slots[k->asked - 1];
        if (!mpu_done(&s->q) && !mpu_alarm_tell_one(c->p->rank, &q, s->q.world))
            return;
    }
}

uint32_t mpi_checker_digest(const struct mpi_call *a)
{
    uint64_t all = (a->bytes * 31 + (uint32_t)a->root) * 31 + a->op;
    all = ((all * 31 + a->id) * 1031 + a->mark) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(all >> 32);
}

struct at_operation {
    uint32_t context, number, digest;
};

static bool differs(const struct mpu_alarm *a, const void *arg)
{
    const struct at_operation *own = arg;
    return a->asks && a->context == own->context && own->number >= a->first &&
           own->number <= a->last && mpi_checker_digest(mpi_checker_call(a)) != own->digest;
}

bool mpi_checker_find_query(struct mpi_coll *c, int *rank, struct mpi_call *call)
{
    struct mpu_alarm a;
    struct mpi_call own = mpi_call_of(c);
    struct at_operation at = {c->comm->coll.context, mpi_coll_number_of(c),
                              mpi_checker_digest(&own)};
    if (!mpu_alarm_find(c->p->rank, differs, &at, &a))
        return false;
    *rank = a.rank;
    *call = mpi_call_in(&a);
    return true;
}
