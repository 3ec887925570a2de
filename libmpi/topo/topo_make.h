/* SPDX-License-Identifier: MIT */
/* How topologies are checked and made. */
#ifndef MPI_TOPO_TOPO_MAKE_H
#define MPI_TOPO_TOPO_MAKE_H

#include "core/err.h"
#include "comm/topo.h"

/* A topology with room for n numbers behind it, one reference. NULL: no memory. */
struct mpi_topo *mpi_topo_new(struct mpi_process *p, int kind, size_t n);

static inline int *mpi_topo_room(struct mpi_topo *t)
{
    return (int *)(t + 1);
}

/* A grid; a distributed graph whose arrays are to be filled in. NULL: no memory. */
struct mpi_topo *mpi_topo_cart(struct mpi_process *p, int ndims, const int *dims,
                               const int *periods);
struct mpi_topo *mpi_topo_dist(struct mpi_process *p, int in, int out, bool weighted);

/* Places the arrays of a grid made by mpi_topo_new(p, MPI_CART, 2 * ndims). */
void mpi_topo_cart_arrays(struct mpi_topo *t, int ndims);

/* The first n ranks of c make a communicator with topology t, whose reference it takes over; the
 * others get MPI_COMM_NULL. Raises on c. */
int mpi_topo_make(struct mpi_process *p, const char *call, struct mpi_comm *c, struct mpi_topo *t,
                  int n, MPI_Comm *made);

/* A communicator with a topology of this kind; else raises MPI_ERR_COMM, MPI_ERR_TOPOLOGY. */
int mpi_check_topo(struct mpi_process *p, const char *call, MPI_Comm comm, int kind,
                   struct mpi_comm **c);

/* A rank of c, and nothing else. */
int mpi_check_member(struct mpi_comm *c, const char *call, int rank);

/* Dimensions that fit into c, *size ranks; else raises MPI_ERR_DIMS, MPI_ERR_ARG. */
int mpi_check_grid(struct mpi_comm *c, const char *call, int ndims, const int *dims,
                   const int *periods, int *size);

/* A graph that fits into c; else raises MPI_ERR_ARG or MPI_ERR_RANK. */
int mpi_check_graph(struct mpi_comm *c, const char *call, int nodes, const int *index,
                    const int *edges);

/* n ranks of c, with weights >= 0 if weighted; else raises MPI_ERR_ARG, MPI_ERR_RANK. */
int mpi_check_edges(struct mpi_comm *c, const char *call, int n, const int *ranks, bool weighted,
                    const int *weights);

#endif
