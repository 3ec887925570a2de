/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"
#include "comm/meeting.h"

#pragma weak MPI_Intercomm_merge = PMPI_Intercomm_merge

struct side {
    int high;
    struct mpi_verdict verdict;
};

/* The lower group comes first; of two that say the same, the one whose first rank is lower in the
 * world, and that one leads. */
static int agree(struct mpi_process *p, const struct mpi_bootstrap *m, const struct mpi_comm *c,
                 int high, int able, bool *first, struct mpi_verdict *v)
{
    struct side mine = {high != 0, {able, 0}}, theirs = {0};
    int here = mpi_group_world(&c->group, 0), there = mpi_group_world(&c->remote, 0);
    int rc = mpi_meet_all(m, 0, &mine.verdict.class);
    if (!rc && c->group.rank == 0) {
        mine.verdict = mpi_comm_judge(p, mine.verdict.class);
        rc = mpi_meet_swap(m, there, &mine, &theirs, sizeof mine);
        if (mine.verdict.class || (!theirs.verdict.class && here < there))
            theirs.verdict = mine.verdict;
    }
    if (!rc)
        rc = mpi_meet_bcast(m, 0, &theirs, sizeof theirs);
    *first = mine.high != theirs.high ? !mine.high : here < there;
    *v = theirs.verdict;
    return rc;
}

/* Both orders of the groups, as it is not known yet which one it will be; and the communicator. */
static int take_room(struct mpi_process *p, const struct mpi_comm *c, struct mpi_group order[2],
                     struct mpi_comm **made)
{
    order[0] = order[1] = (struct mpi_group){0};
    *made = mpi_comm_room(p);
    bool able = *made && !mpi_group_join(p, &c->group, &c->remote, &order[0]) &&
                !mpi_group_join(p, &c->remote, &c->group, &order[1]);
    return able ? MPI_SUCCESS : MPI_ERR_NO_MEM;
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
    struct mpi_bootstrap m;
    if ((rc = mpi_comm_meeting(&m, p, call, c, &c->group)))
        return rc;
    struct mpi_group order[2];
    struct mpi_verdict v;
    bool first;
    int able = take_room(p, c, order, &made);
    rc = agree(p, &m, c, high, able, &first, &v);
    rc = rc ? mpi_meet_raise(&m, c, rc) : MPI_SUCCESS;
    mpi_meeting_end(m.op);
    if (!rc && !able)
        mpi_comm_open(p, made, c, (uint32_t)MPI_ID_NONE,
                      "a communicator made by MPI_Intercomm_merge", &order[!first], NULL);
    else
        mpi_free(p, made);
    mpi_group_drop(p, &order[0]);
    mpi_group_drop(p, &order[1]);
    if (rc || (rc = mpi_comm_settle(p, call, c, v, able ? NULL : made)))
        return rc;
    *newintracomm = mpi_comm_handle(p, made);
    return MPI_SUCCESS;
}
