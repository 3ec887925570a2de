/* SPDX-License-Identifier: MIT */
/* Virtual topologies: who is whose neighbour in a communicator. */
#ifndef MPI_COMM_TOPO_H
#define MPI_COMM_TOPO_H

#include "core/object.h"

/* Never changes; shared by communicators that count. Arrays lie behind it in the same memory. */
struct mpi_topo {
    int refs;
    int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
    union {
        struct {
            int ndims;
            int *dims, *periods;
        } cart;
        struct {
            int nodes;
            int *index, *edges; /* neighbours of node i: edges[index[i - 1] .. index[i] - 1] */
        } graph;
        struct { /* of the calling rank */
            int in, out;
            bool weighted;
            int *sources, *destinations;
            int *source_weights, *destination_weights; /* NULL: unweighted */
        } dist;
    } u;
};

/* One more user of t, which may be NULL; and one less. */
struct mpi_topo *mpi_topo_share(struct mpi_topo *t);
void mpi_topo_drop(struct mpi_process *p, struct mpi_topo *t);

/* How many neighbours the calling rank of c receives from and sends to in neighbourhood
 * collectives, and their ranks, MPI_PROC_NULL among them (MPI 5.0, 8.6). c has a topology; the
 * arrays have room for them. */
void mpi_topo_degrees(const struct mpi_comm *c, int *in, int *out);
void mpi_topo_neighbours(const struct mpi_comm *c, int *sources, int *destinations);

/* Cartesian: coordinates of a rank, and the rank `steps` away along dimension d from the calling
 * one; MPI_PROC_NULL beyond an edge. */
void mpi_cart_coords(const struct mpi_topo *t, int rank, int *coords);
int mpi_cart_rank(const struct mpi_topo *t, const int *coords);
int mpi_cart_shift(const struct mpi_comm *c, int d, int64_t steps);

#endif
