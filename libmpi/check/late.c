/* SPDX-License-Identifier: MIT */
/* A message of an operation that has ended here shows that its sender called something else then.
 * It is an error of the operation in which that is found, which is done as usual; the others are
 * told, who may still be at the one before. docs/collectives.md, Checking. */
#include "check/layer.h"
#include "coll/kind.h"
#include "comm/comm.h"

/* What makes communicators tells all its ranks how it ended, and has no error of this kind. */
static bool may_tell(const struct mpi_coll *c)
{
    return c->kind->id != MPI_COLL_MEETING && c->kind->id != MPI_COLL_MEETING_OF_SOME;
}

/* In either half of the numbers. While others are under way, or may be started, their messages are
 * not of the past. */
static bool find(const struct mpi_coll *c, int *from, int *tag)
{
    struct mpi_comm *comm = c->comm;
    for (int i = 0; may_tell(c) && comm->unfinished == 1 && i < 2; i++) {
        int first = mpi_coll_first_tag(i);
        int begun = (int)(comm->collectives[i] % MPI_COLL_NUMBERS);
        int end = i == !c->blocking ? c->tag : first + begun * MPI_COLL_SUBS;
        if (mpi_coll_unmatched(c, first + comm->forgotten[i], end - 1, 0, from, tag)) {
            comm->forgotten[i] = end - first;
            return true;
        }
    }
    return false;
}

void mpi_checker_look_late(struct mpi_coll *c)
{
    int from, tag;
    if (!c->agreement.check.made || !find(c, &from, &tag))
        return;
    uint32_t number = mpu_operation_of(tag);
    const struct mpi_call ended = mpi_checker_ending(c->p, c->comm, number);
    c->agreement.check.late = true;
    c->agreement.offender = from;
    mpi_coll_alert(c->p, c->comm, number, number, &ended);
}
