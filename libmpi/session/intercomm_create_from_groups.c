/* SPDX-License-Identifier: MIT */
#include "internal/check.h"
#include "internal/errhandler.h"
#include "internal/from_group.h"

#pragma weak MPI_Intercomm_create_from_groups = PMPI_Intercomm_create_from_groups

/* What only the leader gives; its errors are told to the group. */
static int check_leader(struct mpi_process *p, const char *call, MPI_Group remote_group,
                        int remote_leader, struct mpi_bridge *b)
{
    struct mpi_group *there;
    int rc = mpi_check_group(p, call, remote_group, &there);
    if (rc)
        return rc;
    if (remote_leader < 0 || remote_leader >= there->size)
        return mpi_error(NULL, MPI_ERR_RANK, call, "the remote leader %d is not in 0..%d",
                         remote_leader, there->size - 1);
    b->far = mpi_group_world(there, remote_leader);
    if (b->far == mpu_rank_number(p->rank))
        return mpi_error(NULL, MPI_ERR_GROUP, call, "the remote leader is the caller");
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
    struct mpi_group *here;
    struct mpi_comm *made;
    struct mpi_bridge b = {.leader = local_leader,
                           .name = "an intercommunicator made by MPI_Intercomm_create_from_groups"};
    int rc = mpi_check_group(p, call, local_group, &here);
    if (rc || (rc = mpi_check_out(NULL, call, newintercomm, "newintercomm")) ||
        (rc = mpi_check_from_group(p, call, here, info, errhandler)) ||
        (rc = mpi_group_crowd(p, call, here, stringtag, &b.local)))
        return rc;
    if (local_leader < 0 || local_leader >= here->size)
        return mpi_error(NULL, MPI_ERR_RANK, call, "the local leader %d is not in 0..%d",
                         local_leader, here->size - 1);
    *newintercomm = MPI_COMM_NULL;
    b.between = b.local;
    if (here->rank == local_leader)
        b.class = check_leader(p, call, remote_group, remote_leader, &b);
    if ((rc = mpi_bridge(p, &b, &made)))
        return rc;
    mpi_errhandler_put(p, &made->errhandler, errhandler);
    *newintercomm = mpi_comm_handle(p, made);
    return MPI_SUCCESS;
}
