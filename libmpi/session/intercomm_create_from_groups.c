/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/from_group.h"

#pragma weak MPI_Intercomm_create_from_groups = PMPI_Intercomm_create_from_groups

/* What only the leader gives; its errors are told to the group. */
static int check_leader(struct mpi_process *p, const char *call, MPI_Group remote_group,
                        int remote_leader, struct mpi_bridge *b)
{
    const struct mpi_group *there = mpi_group(p, remote_group);
    if (!there)
        return mpi_error(b->parent, MPI_ERR_GROUP, call, "the remote group is no group");
    if (remote_leader < 0 || remote_leader >= there->size)
        return mpi_error(b->parent, MPI_ERR_RANK, call, "the remote leader %d is not in 0..%d",
                         remote_leader, there->size - 1);
    b->far = mpi_group_world(there, remote_leader);
    if (b->far == mpu_rank_number(p->rank))
        return mpi_error(b->parent, MPI_ERR_GROUP, call, "the remote leader is the caller");
    return MPI_SUCCESS;
}

int PMPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader,
                                      MPI_Group remote_group, int remote_leader,
                                      const char *stringtag, MPI_Info info,
                                      MPI_Errhandler errhandler, MPI_Comm *newintercomm)
{
    static const char call[] = "MPI_Intercomm_create_from_groups";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_from_group f = {.call = call,
                               .handle = local_group,
                               .stringtag = stringtag,
                               .info = info,
                               .errhandler = errhandler};
    struct mpi_comm *made;
    int rc = mpi_check_from_group(p, &f);
    if (rc || (rc = mpi_check_out(&f.none, call, newintercomm, "newintercomm")))
        return rc;
    *newintercomm = MPI_COMM_NULL;
    if (!f.crowd.group || local_leader < 0 || local_leader >= f.group->size)
        return mpi_error(&f.none, f.crowd.group ? MPI_ERR_RANK : MPI_ERR_GROUP, call,
                         "the local group of %d ranks has no leader %d", f.group->size,
                         local_leader);
    struct mpi_bridge b = {.local = f.crowd,
                           .leader = local_leader,
                           .between = f.crowd,
                           .parent = &f.none,
                           .name = "an intercommunicator made by MPI_Intercomm_create_from_groups"};
    if (f.group->rank == local_leader)
        b.class = check_leader(p, call, remote_group, remote_leader, &b);
    if (!(rc = mpi_bridge(p, &b, &made)))
        *newintercomm = mpi_comm_handle(p, made);
    return rc;
}
