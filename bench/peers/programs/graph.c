/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "graph.h"
#include "programs.h"

/* A one-to-one map of the numbers of vertices, so that a high degree says nothing of the number. */
static int shuffled(uint32_t v)
{
    v = v * 2654435761u & (GRAPH_VERTICES - 1);
    v ^= v >> GRAPH_SCALE / 2;
    return (int)(v * 2246822519u & (GRAPH_VERTICES - 1));
}

/* Bit by bit an edge falls into a quarter of the matrix, with the odds of Graph500. */
static void find_ends(int edge, int end[2])
{
    uint32_t a = 0, b = 0;

    for (int bit = 0; bit < GRAPH_SCALE; bit++) {
        double where = programs_fraction((uint64_t)edge * GRAPH_SCALE + (uint64_t)bit);
        a = 2 * a + (where >= 0.76);
        b = 2 * b + ((where >= 0.57 && where < 0.76) || where >= 0.95);
    }
    end[0] = shuffled(a);
    end[1] = shuffled(b);
}

int graph_end(int edge)
{
    int end[2];

    find_ends(edge, end);
    return end[0];
}

/* Goes over all edges. First counts those of each own vertex; then, at[v] being where the next one
 * of vertex v goes, writes them. */
static void go_over_edges(const struct graph *g, int *at, bool write)
{
    for (int i = 0; i < GRAPH_EDGES; i++) {
        int end[2];

        find_ends(i, end);
        for (int k = 0; k < 2; k++)
            if (end[k] % g->ranks == g->rank) {
                int *place = &at[end[k] / g->ranks];
                if (write)
                    g->beside[*place] = end[1 - k];
                ++*place;
            }
    }
}

void graph_make(struct graph *g, int rank, int ranks)
{
    g->rank = rank;
    g->ranks = ranks;
    g->vertices = (GRAPH_VERTICES - rank + ranks - 1) / ranks;
    g->start = programs_memory((size_t)(g->vertices + 1) * sizeof *g->start);
    int *at = programs_memory((size_t)g->vertices * sizeof *at), sum = 0;

    go_over_edges(g, at, false);
    for (int v = 0; v < g->vertices; v++) {
        g->start[v] = sum;
        sum += at[v];
        at[v] = g->start[v];
    }
    g->start[g->vertices] = sum;
    g->beside = programs_memory((size_t)sum * sizeof *g->beside);
    go_over_edges(g, at, true);
    free(at);
}

void graph_release(struct graph *g)
{
    free(g->start);
    free(g->beside);
}
