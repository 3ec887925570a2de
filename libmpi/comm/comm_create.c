/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "comm/comm.h"
#include "comm/meeting.h"

#pragma weak MPI_Comm_create = PMPI_Comm_create

static const char *const name[] = MPI_COMM_MADE_BY("MPI_Comm_create");

/* Each side learns the other side's part: the first ranks trade, then tell their own group. */
static int learn(struct mpi_process *p, const struct mpi_bootstrap *m, const struct mpi_comm *c,
                 const struct mpi_group *mine, struct mpi_group *theirs)
{
    int far = mpi_group_world(&c->remote, 0), n = mine->size, n2 = 0, able = MPI_SUCCESS;
    int rc = mpi_meet_all(m, 0, &able);
    if (!rc && m->group->rank == 0)
        rc = mpi_meet_swap(m, far, &n, &n2, sizeof n);
    if (rc || (rc = mpi_meet_bcast(m, 0, &n2, sizeof n2)))
        return rc;
    struct mpi_ranks *list = mpi_ranks_new(p, n2), *own = mpi_ranks_new(p, n);
    if (!list || !own) {
        mpi_free(p, list);
        mpi_free(p, own);
        return -B_ENOMEM;
    }
    for (int i = 0; i < n; i++)
        own->world[i] = mpi_group_world(mine, i);
    size_t bytes = (size_t)n * sizeof(int), room = (size_t)n2 * sizeof(int);
    if (m->group->rank == 0)
        rc = mpi_meet_trade(m, far, own->world, bytes, list->world, room);
    if (!rc)
        rc = mpi_meet_bcast(m, 0, list->world, room);
    mpi_free(p, own);
    *theirs = mpi_group_of(p, list, n2);
    return rc;
}

/* The members of both parts make it, if there are any on each side. */
static int create_inter(struct mpi_bootstrap *m, struct mpi_comm *c, const struct mpi_group *mine,
                        struct mpi_comm **made)
{
    struct mpi_group theirs = {0}, both;
    m->group = &c->group;
    int rc = learn(m->p, m, c, mine, &theirs);
    if (!rc && theirs.size && mine->rank != MPI_UNDEFINED) {
        rc = mpi_comm_both(m->p, mine, &theirs, &both);
        if (!rc) {
            m->group = &both;
            int class = mpi_comm_make(m, c, name[true], mine, &theirs, made);
            mpi_group_drop(m->p, &both);
            mpi_group_drop(m->p, &theirs);
            return class;
        }
    }
    mpi_group_drop(m->p, &theirs);
    return rc ? mpi_meet_raise(m, c, rc) : MPI_SUCCESS;
}

int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    static const char call[] = "MPI_Comm_create";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c, *made = NULL;
    struct mpi_group *g;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_group(p, c, call, group, &g)) ||
        (rc = mpi_check_out(c, call, newcomm, "newcomm")) || (rc = mpi_check_subset(c, call, g)))
        return rc;
    *newcomm = MPI_COMM_NULL;
    struct mpi_bootstrap m;
    if ((rc = mpi_comm_meeting(&m, p, call, c, g)))
        return rc;
    if (c->inter)
        rc = create_inter(&m, c, g, &made);
    else if (g->rank != MPI_UNDEFINED)
        rc = mpi_comm_make(&m, c, name[false], g, NULL, &made);
    mpi_meeting_end(m.op);
    if (made)
        *newcomm = mpi_comm_handle(p, made);
    return rc;
}
