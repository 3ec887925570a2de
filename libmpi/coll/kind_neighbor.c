/* SPDX-License-Identifier: MIT */
/* Neighbourhood collectives: everyone exchanges with its neighbours in the topology, all at once.
 *
 * The same rank may be a neighbour twice (a torus of two). Messages of a pair match in the order of
 * the lists of neighbours, except in a Cartesian topology, where what goes up along a dimension
 * comes from below: there each direction has a tag. */
#include <base/error.h>

#include "coll/forms.h"
#include "coll/round.h"
#include "comm/topo.h"

/* A block for each destination, or the same for all. */
static int check(struct mpi_coll *c, const struct mpi_coll_args *a)
{
    if (a->send.buf == MPI_IN_PLACE || a->recv.buf == MPI_IN_PLACE)
        return mpi_error(c->comm, MPI_ERR_BUFFER, c->call,
                         "MPI_IN_PLACE is not for neighbourhood collectives");
    int sources, destinations, rc;
    mpi_topo_degrees(c->comm, &sources, &destinations);
    c->neighbours = mpi_alloc(c->p, (size_t)(sources + destinations + 1) * sizeof(int));
    if (!c->neighbours)
        return mpi_error_below(c->comm, -B_ENOMEM, c->call);
    mpi_topo_neighbours(c->comm, c->neighbours, c->neighbours + sources);
    int blocks = c->kind->send == MPI_COLL_BLOCKS ? destinations : MPI_COLL_ONE;
    if ((rc = mpi_coll_check_side(c, &c->recv, &a->recv, sources, "recvbuf")) ||
        (rc = mpi_coll_check_side(c, &c->send, &a->send, blocks, "sendbuf")))
        return rc;
    return mpi_coll_check_apart(c, a);
}

static int exchange(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->coll;
    bool cart = c->comm->topo->kind == MPI_CART;
    int sources, destinations;
    mpi_topo_degrees(c->comm, &sources, &destinations);
    int rc = mpi_coll_reserve(c, sources + destinations);
    if (k)
        return MPI_COLL_DONE;
    for (int i = 0; i < sources && !rc; i++)
        if (c->neighbours[i] != MPI_PROC_NULL)
            rc = mpi_coll_recv(c, on, c->neighbours[i], cart ? i ^ 1 : 0,
                               mpi_coll_block(&c->recv, i));
    for (int i = 0; i < destinations && !rc; i++) {
        int to = c->neighbours[sources + i];
        if (to != MPI_PROC_NULL)
            rc = mpi_coll_send(c, on, to, cart ? i : 0,
                               c->send.blocks >= 0 ? mpi_coll_block(&c->send, i)
                                                   : mpi_coll_whole(&c->send));
    }
    return mpi_coll_more(rc);
}

static const struct mpi_coll_algorithm direct = {MPI_COLL_NAMED("neighbor-direct"),
                                                 .round = exchange};

#define KIND(name, NAME, gives)                                                                    \
    const struct mpi_coll_kind mpi_coll_neighbor_##name = {.id = MPI_COLL_NEIGHBOR_##NAME,         \
                                                           .neighbours = true,                     \
                                                           .check = check,                         \
                                                           .send = MPI_COLL_##gives,               \
                                                           .intra = MPI_COLL_TABLE(&direct)}
KIND(allgather, ALLGATHER, WHOLE);
KIND(allgatherv, ALLGATHERV, WHOLE);
KIND(alltoall, ALLTOALL, BLOCKS);
KIND(alltoallv, ALLTOALLV, BLOCKS);
KIND(alltoallw, ALLTOALLW, BLOCKS);
