/* SPDX-License-Identifier: MIT */
/* A rank remembers the last operations that have ended, to answer queries of ranks that are still
 * at them; and in MPI_Finalize, which no other collective follows, queries about operations that it
 * has not come to. The answer is an alarm. docs/collectives.md, Checking. */

#include "check/layer.h"
#include "comm/comm.h"

static const struct mpi_call finalize = {.root = -1, .mark = UINT16_MAX, .name = "MPI_Finalize"};

/* Where operation n of a context is noted, and by which key above its digest. */
static uint32_t key_of(uint32_t context, uint32_t n)
{
    return (context + 1) * UINT32_C(0x9e3779b1) + n;
}

static uint64_t *place_of(const struct mpi_process *p, uint32_t key)
{
    return &mpi_checker_state(p)->past[key % MPI_CHECKER_PAST];
}

/* Of one that was broken there is no digest: it was another one for everybody. */
void mpi_checker_note(struct mpi_coll *c)
{
    uint32_t key = key_of(c->comm->coll.context, mpi_coll_number_of(c)), digest = 0;
    if (!c->broken) {
        struct mpi_call own = mpi_call_of(c);
        digest = mpi_checker_digest(&own);
    }
    *place_of(c->p, key) = (uint64_t)key << 32 | digest;
}

/* Whether a query is about an operation that the rank has not come to, and will not. */
static bool never_comes(const struct mpi_process *p, const struct mpi_comm *c, uint32_t n)
{
    uint32_t next = mpi_coll_number(c, n < MPI_COLL_NUMBERS);
    return mpi_checker_state(p)->finalizes && (n - next) % MPI_COLL_NUMBERS < MPI_COLL_ERA;
}

/* The rank will not come to the operation, or has ended it, broken or as another one. */
static bool is_mine(const struct mpu_alarm *a, const void *process)
{
    struct mpi_process *p = (struct mpi_process *)(uintptr_t)process;
    struct mpi_comm *c = a->asks ? mpi_comm_of_context(p, a->context) : NULL;
    if (!c)
        return false;
    if (never_comes(p, c, a->first))
        return true;
    uint32_t key = key_of(a->context, a->first);
    uint64_t own = *place_of(p, key);
    return own && own >> 32 == key && (uint32_t)own != mpi_checker_digest(mpi_checker_call(a));
}

/* Each once: an operation that the rank will not come to counts as made then, together with those
 * before it, and one that has ended is forgotten. */
static void answer(struct mpi_process *p, struct mpi_comm *comm, uint32_t n)
{
    bool never = never_comes(p, comm, n);
    uint32_t *made = &comm->collectives[n >= MPI_COLL_NUMBERS];
    if (never)
        *made += (n - *made) % MPI_COLL_NUMBERS + 1;
    else
        *place_of(p, key_of(comm->coll.context, n)) = 0;
    const struct mpi_call ended = mpi_call_ending(p, comm, n);
    mpi_coll_alarm(p, comm, n, n, never ? &finalize : &ended);
}

void mpi_checker_answer(struct mpi_process *p)
{
    struct mpu_alarm a;
    while (mpu_alarm_find(p->rank, is_mine, p, &a))
        answer(p, mpi_comm_of_context(p, a.context), a.first);
}
