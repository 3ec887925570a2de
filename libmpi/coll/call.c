/* SPDX-License-Identifier: MIT */
/* What a rank has called, as marks of messages, alarms and queries say it: docs/collectives.md,
 * Agreement. */
#include <base/fmt.h>
#include <base/mem.h>

#include "coll/call.h"
#include "coll/kind.h"
#include "comm/comm.h"

/* Marks of calls that differ in one thing never are the same, unless that is an amount of data and
 * differs by a multiple of this. */
#define MARKS 1021

/* Between groups only those who reduce have one. A program's own operation has another address on
 * each rank. */
static uint64_t operator_of(const struct mpi_coll *c)
{
    bool any = c->op && !(c->comm->inter && c->kind->id == MPI_COLL_REDUCE);
    return !any ? 0 : c->op->handle ? c->op->handle : c->op->commutative ? 1 : 2;
}

/* Of all that ranks must say alike, and that algorithms are chosen by. */
unsigned int mpi_coll_mark(struct mpi_coll *c)
{
    if (c->agreement.mark)
        return c->agreement.mark;
    uint64_t all = (uint64_t)c->kind->id * 101 + operator_of(c) * 211 + c->blocking * 37 +
                   c->p->algorithm[c->kind->id] * UINT64_C(53);
    if (c->kind->id == MPI_COLL_ALLTOALL && c->in_place)
        all += 71;
    if (!c->comm->inter)
        all += (uint64_t)c->root * 5 + c->bytes + c->amounts;
    c->agreement.mark = (uint16_t)((1 + all % MARKS) << MPU_MARK_OPERATION_SHIFT);
    return c->agreement.mark;
}

uint16_t mpi_coll_mark_of(const char *call)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *s = call; *s; s++)
        hash = (hash ^ (uint8_t)*s) * 16777619u;
    return (uint16_t)((1 + hash % MARKS) << MPU_MARK_OPERATION_SHIFT);
}

struct mpi_call mpi_call_of(struct mpi_coll *c)
{
    bool wrong = c->agreement.verdict == MPI_COLL_OWN, intra = !c->comm->inter;
    bool meets = c->algorithm && c->algorithm->meet && c->algorithm->form;
    struct mpi_call own = {.bytes = intra ? c->bytes : 0,
                           .root = intra && c->kind->rooted ? c->root : -1,
                           .op = (uint16_t)operator_of(c),
                           .mark = wrong ? 0 : (uint16_t)mpi_coll_mark(c),
                           .id = (uint8_t)c->kind->id,
                           .waits = meets ? MPI_CALL_MEETS : 0,
                           .class = (uint8_t)c->error};
    b_fmt(own.name, sizeof own.name, "%s", c->call);
    return own;
}

int mpi_call_class_beside(const struct mpi_call *own, const struct mpi_call *other)
{
    if (own->mark == other->mark || !other->mark)
        return other->class ? other->class : MPI_ERR_OTHER;
    if (own->id != other->id)
        return MPI_ERR_OTHER;
    if (own->root != other->root)
        return MPI_ERR_ROOT;
    if (own->op != other->op)
        return MPI_ERR_OP;
    return own->bytes < other->bytes   ? MPI_ERR_TRUNCATE
           : own->bytes > other->bytes ? MPI_ERR_COUNT
                                       : MPI_ERR_OTHER;
}

struct mpi_call mpi_call_in(const struct mpu_alarm *a)
{
    struct mpi_call call;
    memcpy(&call, a->call, sizeof call);
    call.name[sizeof call.name - 1] = '\0';
    return call;
}

struct wanted {
    uint32_t context, number;
    bool classed; /* only one that says with which error the operation ends */
};

static bool concerns(const struct mpu_alarm *a, const void *arg)
{
    const struct wanted *w = arg;
    return !a->asks && a->context == w->context && w->number >= a->first && w->number <= a->last &&
           (!w->classed || ((const struct mpi_call *)(const void *)a->call)->class);
}

bool mpi_call_find(const struct mpi_coll *c, int *rank, struct mpi_call *call)
{
    struct mpu_alarm a;
    struct wanted w = {c->comm->coll.context, mpi_coll_number_of(c), true};
    bool found = mpu_alarm_find(c->p->rank, concerns, &w, &a);
    w.classed = false;
    if (!found && !mpu_alarm_find(c->p->rank, concerns, &w, &a))
        return false;
    *rank = a.rank;
    *call = mpi_call_in(&a);
    return true;
}

struct mpi_call mpi_call_ending(const struct mpi_process *p, const struct mpi_comm *comm,
                                uint32_t n)
{
    struct mpu_alarm a;
    const struct wanted w = {comm->coll.context, n, true};
    if (mpu_alarm_find(p->rank, concerns, &w, &a))
        return mpi_call_in(&a);
    return (struct mpi_call){.root = -1, .mark = UINT16_MAX, .name = "something else"};
}

struct mpu_alarm mpi_call_alarm(const struct mpi_comm *comm, uint32_t n,
                                const struct mpi_call *call, bool asks)
{
    struct mpu_alarm a = {comm->coll.context, n, n, comm->group.rank, asks, {0}};
    memcpy(a.call, call, sizeof *call);
    return a;
}
