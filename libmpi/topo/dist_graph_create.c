/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "core/check.h"
#include "comm/comm.h"
#include "info/info.h"
#include "comm/meeting.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Dist_graph_create = PMPI_Dist_graph_create

/* Each rank gives any edges of the graph. All tell theirs in turn, and everyone keeps those that
 * begin or end at it, so that no rank ever holds more than the longest list and its own. */
struct edge {
    int source, destination, weight;
};

struct list {
    int n;
    struct edge *edges;
};

static int check(struct mpi_comm *c, const char *call, int n, const int *sources,
                 const int *degrees, const int *destinations, bool weighted, const int *weights,
                 int *total)
{
    int rc = mpi_check_edges(c, call, n, sources, false, NULL);
    if (rc)
        return rc;
    if (n && !degrees)
        return mpi_error(c, MPI_ERR_ARG, call, "argument degrees is a null pointer");
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        if (degrees[i] < 0)
            return mpi_error(c, MPI_ERR_ARG, call, "degrees[%d] = %d is negative", i, degrees[i]);
        sum += degrees[i];
    }
    if (sum > INT32_MAX)
        return mpi_error(c, MPI_ERR_ARG, call, "more edges than can be counted");
    *total = (int)sum;
    return mpi_check_edges(c, call, *total, destinations, weighted, weights);
}

static int write_list(struct mpi_process *p, int n, const int *sources, const int *degrees,
                      const int *destinations, const int *weights, struct list *l)
{
    l->edges = mpi_alloc(p, (size_t)l->n * sizeof *l->edges);
    if (!l->edges)
        return -B_ENOMEM;
    for (int i = 0, e = 0; i < n; i++)
        for (int j = 0; j < degrees[i]; j++, e++)
            l->edges[e] = (struct edge){sources[i], destinations[e], weights ? weights[e] : 0};
    return 0;
}

/* Adds the edges of a list that are the calling rank's; counts them only, unless t. */
static void keep(struct mpi_topo *t, const struct list *l, int me, int *in, int *out)
{
    for (int i = 0; i < l->n; i++) {
        const struct edge *e = &l->edges[i];
        if (e->destination == me) {
            if (t)
                t->u.dist.sources[*in] = e->source;
            if (t && t->u.dist.source_weights)
                t->u.dist.source_weights[*in] = e->weight;
            ++*in;
        }
        if (e->source == me) {
            if (t)
                t->u.dist.destinations[*out] = e->destination;
            if (t && t->u.dist.destination_weights)
                t->u.dist.destination_weights[*out] = e->weight;
            ++*out;
        }
    }
}

/* Once around: every rank's list to all. */
static int pass(const struct mpi_bootstrap *m, const struct list *mine, const int *counts,
                struct list *room, struct mpi_topo *t, int *in, int *out)
{
    int rc = 0, me = m->group->rank;
    *in = *out = 0;
    for (int r = 0; r < m->group->size && !rc; r++) {
        room->n = counts[r];
        size_t bytes = (size_t)room->n * sizeof *room->edges;
        if (!bytes)
            continue;
        if (r == me)
            memcpy(room->edges, mine->edges, bytes);
        rc = mpi_meet_bcast(m, r, room->edges, bytes);
        if (!rc)
            keep(t, room, me, in, out);
    }
    return rc;
}

static int collect(const struct mpi_bootstrap *m, const struct mpi_comm *c, const struct list *mine,
                   bool weighted, struct mpi_topo **t)
{
    struct mpi_process *p = m->p;
    int *counts = mpi_alloc(p, (size_t)c->group.size * sizeof *counts), most = 0, in, out;
    int rc = counts ? mpi_meet_allgather(m, &mine->n, sizeof mine->n, counts) : -B_ENOMEM;
    for (int i = 0; i < c->group.size && !rc; i++)
        most = counts[i] > most ? counts[i] : most;
    struct list room = {.edges = mpi_alloc(p, (size_t)most * sizeof *room.edges)};
    if (!rc && !room.edges)
        rc = -B_ENOMEM;
    if (!rc)
        rc = pass(m, mine, counts, &room, NULL, &in, &out);
    if (!rc && !(*t = mpi_topo_dist(p, in, out, weighted)))
        rc = -B_ENOMEM;
    if (!rc)
        rc = pass(m, mine, counts, &room, *t, &in, &out);
    mpi_free(p, room.edges);
    mpi_free(p, counts);
    return rc;
}

int PMPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[],
                           const int destinations[], const int *weights, MPI_Info info, int reorder,
                           MPI_Comm *comm_dist_graph)
{
    static const char call[] = "MPI_Dist_graph_create";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    (void)reorder;
    struct mpi_comm *c;
    struct mpi_info *i;
    struct mpi_topo *t = NULL;
    struct list mine = {0};
    bool weighted = weights != MPI_UNWEIGHTED;
    int rc = mpi_check_intra(p, call, comm_old, &c);
    if (rc || (rc = mpi_check_info(p, c, call, info, true, &i)) ||
        (rc = mpi_check_out(c, call, comm_dist_graph, "comm_dist_graph")) ||
        (rc = check(c, call, n, sources, degrees, destinations, weighted, weights, &mine.n)))
        return rc;
    *comm_dist_graph = MPI_COMM_NULL;
    struct mpi_bootstrap m;
    if ((rc = mpi_comm_meeting(&m, p, call, c, &c->group)))
        return rc;
    rc = write_list(p, n, sources, degrees, destinations, weighted ? weights : NULL, &mine);
    if (!rc)
        rc = collect(&m, c, &mine, weighted, &t);
    mpi_free(p, mine.edges);
    rc = rc ? mpi_meet_raise(&m, c, rc) : MPI_SUCCESS;
    mpi_meeting_end(m.op);
    return rc ? rc : mpi_topo_make(p, call, c, t, c->group.size, comm_dist_graph);
}
