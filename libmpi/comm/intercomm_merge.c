/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "internal/comm.h"
#include "internal/meeting.h"

#pragma weak MPI_Intercomm_merge = PMPI_Intercomm_merge

struct side {
    int high;
    uint32_t id;
};

/* The lower group comes first; of two that say the same, the one whose first rank is lower in the
 * world, and that one leads. */
static int agree(struct mpi_process *p, const struct mpi_crowd *m, const struct mpi_comm *c,
                 int high, bool *first, uint32_t *id)
{
    struct side mine = {high != 0, 0}, theirs = {0};
    int here = mpi_group_world(&c->group, 0), there = mpi_group_world(&c->remote, 0);
    int rc = mpi_meet_all(m, 0);
    if (!rc && c->group.rank == 0) {
        mine.id = mpi_comm_take_id(p);
        rc = mpi_meet_swap(m, there, &mine, &theirs, sizeof mine);
        if (here < there)
            theirs.id = mine.id;
    }
    if (!rc)
        rc = mpi_meet_bcast(m, 0, &theirs, sizeof theirs);
    *first = mine.high != theirs.high ? !mine.high : here < there;
    *id = theirs.id;
    return rc;
}

int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm)
{
    static const char call[] = "MPI_Intercomm_merge";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c, *made;
    int rc = mpi_check_inter(p, call, intercomm, &c);
    if (rc || (rc = mpi_check_out(c, call, newintracomm, "newintracomm")))
        return rc;
    *newintracomm = MPI_COMM_NULL;
    struct mpi_crowd m;
    if ((rc = mpi_comm_meeting(&m, p, call, c, &c->group)))
        return rc;
    struct mpi_group all;
    uint32_t id;
    bool first;
    rc = agree(p, &m, c, high, &first, &id);
    if (!rc)
        rc =
            mpi_group_join(p, first ? &c->group : &c->remote, first ? &c->remote : &c->group, &all);
    rc = rc ? mpi_meet_raise(&m, c, rc) : MPI_SUCCESS;
    mpi_meeting_end(m.op);
    if (rc)
        return rc;
    made = mpi_comm_new(p, c, id, "a communicator made by MPI_Intercomm_merge", &all, NULL);
    mpi_group_drop(p, &all);
    if (!made)
        return mpi_error_below(c, -B_ENOMEM, call);
    *newintracomm = mpi_comm_handle(p, made);
    return MPI_SUCCESS;
}
