/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "coll/agree.h"
#include "coll/engine.h"
#include "coll/kind.h"
#include "coll/round.h"
#include "comm/comm.h"
#include "comm/meeting.h"

static const struct mpi_coll_kind of_all = {.id = MPI_COLL_MEETING};
static const struct mpi_coll_kind of_some = {.id = MPI_COLL_MEETING_OF_SOME};
static const struct mpi_coll_algorithm algorithm = {MPI_COLL_NAMED("meeting")};

/* Messages between the groups of an intercommunicator, which are numbered apart. */
enum { WITHIN, BETWEEN };

static void fill(struct mpi_coll *c, struct mpi_process *p, const char *call, struct mpi_comm *comm,
                 bool all)
{
    mpi_coll_blank(c, p, comm, call, all ? &of_all : &of_some, true);
    c->algorithm = &algorithm;
    c->agreement.mark = mpi_coll_mark_of(call);
    mpi_checker_begin(p->checker, &c->agreement.check);
}

struct mpi_coll *mpi_meeting_begin(struct mpi_process *p, const char *call, struct mpi_comm *comm,
                                   bool all)
{
    struct mpi_coll *c = mpi_alloc(p, sizeof *c), none;
    fill(c ? c : &none, p, call, comm, all);
    mpi_coll_prepare(p);
    if (c) {
        mpi_comm_retain(comm);
        if (p->checker)
            p->checker->hooks->made(c);
    } else {
        none.error = MPI_ERR_NO_MEM;
        mpi_coll_absent(&none);
        comm->unfinished[0]--;
    }
    return c;
}

/* Where the message of a world rank goes. */
struct address {
    const struct mpu_comm *on;
    int rank, sub;
};

static struct address find(const struct mpi_coll *c, int world)
{
    const struct mpi_comm *comm = c->comm;
    int here = mpi_group_find(&comm->group, world);
    if (here != MPI_UNDEFINED)
        return (struct address){comm->inter ? &comm->local : &comm->coll, here, WITHIN};
    return (struct address){&comm->coll, mpi_group_find(&comm->remote, world), BETWEEN};
}

/* One round of the operation, in which there is nothing to be done but these messages. */
int mpi_meeting_trade(struct mpi_coll *c, struct mpi_peer_data out, struct mpi_peer_data in)
{
    if (in.world >= 0) {
        struct address from = find(c, in.world);
        mpi_coll_recv(c, from.on, from.rank, from.sub, mpi_coll_bytes(in.data, in.n));
    }
    if (out.world >= 0) {
        struct address to = find(c, out.world);
        mpi_coll_send(c, to.on, to.rank, to.sub, mpi_coll_bytes(out.data, out.n));
    }
    c->running = c->stopped = true;
    mpi_coll_rounds(c);
    return c->error ? -B_EPROTO : 0;
}

/* An error of this rank alone: the others would wait for it. They raise the same class. */
int mpi_meeting_raise(struct mpi_coll *c, int error)
{
    bool own = !c->error;
    if (own) {
        mpi_coll_fail(c, mpi_class_below(error));
        mpi_coll_break(c, MPI_COLL_OWN, c->rank);
    }
    mpi_coll_leave(c);
    return own ? mpi_error_below(c->comm, error, c->call) : mpi_coll_result(c);
}

int mpi_meeting_class(const struct mpi_coll *c)
{
    return c && c->error ? c->error : MPI_ERR_OTHER;
}

void mpi_meeting_end(struct mpi_coll *c)
{
    struct mpi_process *p = c->p;
    mpi_coll_judge(c);
    mpi_coll_leave(c);
    mpi_coll_end(c);
    mpi_free(p, c);
}
