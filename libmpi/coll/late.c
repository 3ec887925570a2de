/* SPDX-License-Identifier: MIT */
/* A message of an operation that has ended here shows that its sender called something else then.
 * Those who are still at that operation are told; the next one on the communicator is done as
 * usual, and is an error on this rank. docs/collectives.md, Agreement. */
#include "coll/call.h"
#include "coll/kind.h"
#include "comm/comm.h"

/* Of blocking operations a rank has one at a time. Of the others any may be under way, or be
 * started once more: whether one is over shows when no other is left. */
enum { BLOCKING, OTHERS };

/* Whoever brings the message notes it; the rank looks where it waits next, or in an operation. */
static bool came(void *process, uint32_t context, int tag)
{
    struct mpi_process *p = process;
    const struct mpi_comm *comm = mpi_comm_of_context(p, context);
    uint32_t n = mpu_operation_of(tag), half = n >= MPI_COLL_NUMBERS ? OTHERS : BLOCKING;
    if (!comm)
        return false;
    uint32_t begun = comm->collectives[half] - (half == BLOCKING ? comm->unfinished[half] : 0);
    if ((begun - 1 - n) % MPI_COLL_NUMBERS >= MPI_COLL_ERA)
        return false;
    p->alarms.late[half] = (struct mpi_late){context, true};
    mpi_coll_listen_on(p);
    return half == BLOCKING;
}

void mpi_late_listen(struct mpi_process *p)
{
    mpu_set_unexpected(p->rank, came);
}

/* Messages of numbers before that of c, or before all that are under way. */
static void look(struct mpi_process *p, struct mpi_comm *comm, int half, const struct mpi_coll *c)
{
    uint32_t over = comm->collectives[half] - comm->unfinished[half];
    int first = mpi_coll_first_tag(half), from, tag;
    int end = c ? c->tag : first + (int)(over % MPI_COLL_NUMBERS) * MPU_OPERATION_TAGS;
    if (!mpi_coll_unmatched(p, comm, first + comm->forgotten[half], end - 1, 0, &from, &tag))
        return;
    uint32_t n = mpu_operation_of(tag);
    const struct mpi_call ended = mpi_call_ending(p, comm, n);
    comm->forgotten[half] = end - first;
    comm->late = from + 1;
    mpi_coll_alarm(p, comm, n, n, &ended);
}

void mpi_late_look(struct mpi_process *p, const struct mpi_coll *c)
{
    for (int half = BLOCKING; half <= OTHERS; half++) {
        struct mpi_late *l = &p->alarms.late[half];
        struct mpi_comm *comm = l->came ? mpi_comm_of_context(p, l->context) : NULL;
        bool own = c && c->comm == comm && c->blocking == (half == BLOCKING);
        if (!l->came || (comm && half == OTHERS && comm->unfinished[half] != own))
            continue; /* or it is not known yet which operations are over */
        l->came = false;
        mpi_coll_listen_on(p);
        if (comm)
            look(p, comm, half, own ? c : NULL);
    }
}

/* Those so far back are over on all ranks, or will never be. */
void mpi_late_renumber(struct mpi_process *p, struct mpi_comm *comm, int half)
{
    uint32_t made = comm->collectives[half];
    if (made == 0)
        return;
    uint32_t behind = (made - MPI_COLL_ERA) % MPI_COLL_NUMBERS + (uint32_t)half * MPI_COLL_NUMBERS;
    mpu_alarms_forget(p->rank, comm->coll.context, behind, behind + MPI_COLL_ERA - 1, false);
    comm->forgotten[half] = 0;
}

/* What makes communicators tells all its ranks how it ended, and has no error of this kind. */
void mpi_late_judge(struct mpi_coll *c)
{
    if (c->kind->id == MPI_COLL_MEETING || c->kind->id == MPI_COLL_MEETING_OF_SOME)
        return;
    mpi_coll_was_late(c, c->comm->late - 1);
    c->comm->late = 0;
}
