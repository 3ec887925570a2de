/* SPDX-License-Identifier: MIT */
#include "comm/bridge.h"
#include "comm/meeting.h"

#pragma weak MPI_Intercomm_create = PMPI_Intercomm_create

/* What only the leader gives; its errors are told to the group. */
static int check_leader(struct mpi_process *p, const char *call, MPI_Comm peer_comm,
                        int remote_leader, int tag, struct mpi_bridge *b)
{
    struct mpi_comm *peer;
    int rc = mpi_check_comm(p, call, peer_comm, &peer);
    if (rc || (rc = mpi_check_tag(peer, call, tag, false)) ||
        (rc = mpi_check_rank(peer, call, remote_leader, false)))
        return rc;
    if (remote_leader == MPI_PROC_NULL)
        return mpi_error(peer, MPI_ERR_RANK, call, "the remote leader is MPI_PROC_NULL");
    b->between = mpi_comm_some(p, call, peer, NULL, tag);
    b->far = mpu_comm_world(&peer->p2p, remote_leader);
    if (b->far == mpu_rank_number(p->rank))
        return mpi_error(peer, MPI_ERR_RANK, call, "the remote leader is the caller");
    return MPI_SUCCESS;
}

int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm,
                          int remote_leader, int tag, MPI_Comm *newintercomm)
{
    static const char call[] = "MPI_Intercomm_create";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c, *made;
    int rc = mpi_check_intra(p, call, local_comm, &c);
    if (rc || (rc = mpi_check_out(c, call, newintercomm, "newintercomm")))
        return rc;
    if (local_leader < 0 || local_leader >= c->group.size)
        return mpi_error(c, MPI_ERR_RANK, call, "the local leader %d is not in 0..%d", local_leader,
                         c->group.size - 1);
    *newintercomm = MPI_COMM_NULL;
    struct mpi_bridge b = {.leader = local_leader,
                           .parent = c,
                           .name = "an intercommunicator made by MPI_Intercomm_create"};
    rc = mpi_comm_meeting(&b.local, p, call, c, &c->group);
    if (c->group.rank == local_leader)
        b.class = check_leader(p, call, peer_comm, remote_leader, tag, &b);
    if (rc) {
        if (c->group.rank == local_leader && !b.class)
            mpi_bridge_refuse(&b, MPI_ERR_NO_MEM);
        return rc;
    }
    rc = mpi_bridge(p, &b, &made);
    mpi_meeting_end(b.local.op);
    if (!rc)
        *newintercomm = mpi_comm_handle(p, made);
    return rc;
}
