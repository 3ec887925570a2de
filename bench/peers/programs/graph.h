/* SPDX-License-Identifier: MIT */
/* A graph as Graph500 makes them (R-MAT, undirected, with multiple edges and loops), whose vertices
 * are dealt to the ranks in turn: vertex v is number v / ranks of rank v % ranks. */
#ifndef PEERS_GRAPH_H
#define PEERS_GRAPH_H

enum {
    GRAPH_SCALE = 13,
    GRAPH_VERTICES = 1 << GRAPH_SCALE,
    GRAPH_EDGES = 8 * GRAPH_VERTICES, /* each stands in the lists of both ends */
};

/* The vertices of one rank: those beside its vertex v are beside[start[v]] to below
 * beside[start[v + 1]]. */
struct graph {
    int rank, ranks, vertices;
    int *start, *beside;
};

void graph_make(struct graph *g, int rank, int ranks);
void graph_release(struct graph *g);

/* One of the two ends of an edge. */
int graph_end(int edge);

#endif
