/* SPDX-License-Identifier: MIT */
/* A rank that has waited for long in a collective says what it has called: docs/collectives.md,
 * Agreement. */
#include <base/mem.h>

#include "coll/agree.h"
#include "coll/call.h"
#include "internal/comm.h"

void mpi_coll_may_ask(struct mpi_process *p)
{
    uint64_t *past = p->past ? p->past : mpi_alloc(p, MPI_COLL_PAST * sizeof *past);
    if (past && !p->past)
        memset(past, 0, MPI_COLL_PAST * sizeof *past);
    p->past = past;
    mpu_clock_start(p->rank);
}

static struct mpu_alarm question(struct mpi_coll *c)
{
    struct mpi_call own = mpi_call_of(c);
    own.class = 0;
    own.waits |= mpi_coll_stuck(c) ? MPI_CALL_STUCK : 0;
    own.next = mpi_coll_number(c->comm, !c->blocking);
    return mpi_call_words(c->comm, mpi_coll_number_of(c), &own, true);
}

void mpi_coll_ask_one(struct mpi_coll *c, int world)
{
    struct mpu_alarm q = question(c);
    mpu_alarm_tell_one(c->p->rank, &q, world);
}

/* In the cluster, and those elsewhere that the round waits for. Where that cannot be done at once
 * the rank asks when it is impatient again. */
void mpi_coll_ask(struct mpi_coll *c)
{
    struct mpu_alarm q = question(c);
    mpu_alarm_raise(c->p->rank, &q);
    if (c->asked != c->round + 1)
        c->asked_slots = 0;
    c->asked = c->round + 1;
    for (; c->asked_slots < c->n; c->asked_slots++) {
        struct mpi_coll_slot *s = &c->slots[c->asked_slots];
        if (!mpu_done(&s->q) && !mpu_alarm_tell_one(c->p->rank, &q, s->peer))
            return;
    }
}

void mpi_call_note(const struct mpi_coll *c, uint32_t said)
{
    uint32_t key = mpi_call_key(c->comm->coll.context, mpi_coll_number_of(c));
    if (c->p->past)
        *mpi_call_place(c->p, key) = (uint64_t)key << 32 | said;
}

void mpi_coll_remember(struct mpi_coll *c)
{
    struct mpi_call own = mpi_call_of(c);
    mpi_call_note(c, mpi_call_terms(&own));
}
