/* SPDX-License-Identifier: MIT */
/* Breadth-first search, level by level. An edge to a vertex of another rank becomes a pair of
 * numbers in a buffer for that rank, which is sent when it is full; meanwhile a rank looks for what
 * has come (Iprobe) and takes it. Buffers that are not full end a level, and a number that is
 * reduced over all ranks tells whether there is another. A step is the search from another root. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "programs.h"

enum {
    PAIRS = 128, /* of a buffer: 1 KB */
    BUFFERS = 8, /* that may be on their way at a time */
    NOWHERE = -1,
};

enum { MORE, LAST }; /* tags: whether this rank's level goes on */

struct pair {
    int vertex, parent;
};

/* What goes to one rank. */
struct outgoing {
    struct pair pair[BUFFERS][PAIRS];
    MPI_Request request[BUFFERS];
    int buffer, pairs; /* the one that is being filled */
};

struct bfs {
    MPI_Comm comm;
    int rank, ranks, steps;
    struct graph graph;
    int *parent, *level;           /* of each vertex of this rank */
    int *frontier, *next, reached; /* vertices, and how many of the next level */
    int depth, ended;     /* the level that is being reached, ranks that have sent all of it */
    struct outgoing *out; /* for each rank */
    int64_t levels;       /* of all steps: the sum of all levels, of this rank's vertices */
};

static bool suits(int ranks)
{
    return ranks <= GRAPH_VERTICES / 16;
}

static int owner(const struct bfs *s, int vertex)
{
    return vertex % s->ranks;
}

static void *make(MPI_Comm comm)
{
    struct bfs *s = programs_memory(sizeof *s);

    s->comm = comm;
    MPI_Comm_rank(comm, &s->rank);
    MPI_Comm_size(comm, &s->ranks);
    graph_make(&s->graph, s->rank, s->ranks);
    int **vector[4] = {&s->parent, &s->level, &s->frontier, &s->next};
    for (int i = 0; i < 4; i++)
        *vector[i] = programs_memory((size_t)s->graph.vertices * sizeof(int));
    s->out = programs_memory((size_t)s->ranks * sizeof *s->out);
    for (int i = 0; i < s->ranks; i++)
        for (int k = 0; k < BUFFERS; k++)
            s->out[i].request[k] = MPI_REQUEST_NULL;
    return s;
}

static void release(void *problem)
{
    struct bfs *s = problem;
    void *memory[] = {s->parent, s->level, s->frontier, s->next, s->out, s};

    graph_release(&s->graph);
    for (int i = 0; i < 6; i++)
        free(memory[i]);
}

static void reach(struct bfs *s, int vertex, int parent)
{
    int v = vertex / s->ranks;

    if (s->parent[v] != NOWHERE)
        return;
    s->parent[v] = parent;
    s->level[v] = s->depth;
    s->levels += s->depth;
    s->next[s->reached++] = v;
}

/* Takes the next message, whoever sent it. */
static void take(struct bfs *s)
{
    struct pair pair[PAIRS];
    MPI_Status status;
    int numbers;

    MPI_Recv(pair, 2 * PAIRS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, s->comm, &status);
    MPI_Get_count(&status, MPI_INT, &numbers);
    for (int i = 0; i < numbers / 2; i++)
        reach(s, pair[i].vertex, pair[i].parent);
    s->ended += status.MPI_TAG == LAST;
}

static void take_what_came(struct bfs *s)
{
    for (int came = 1; came;) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, s->comm, &came, MPI_STATUS_IGNORE);
        if (came)
            take(s);
    }
}

/* Sends the buffer for a rank. The next one may still be on its way: the rank may wait likewise, so
 * what comes is taken meanwhile. */
static void send(struct bfs *s, int rank, int tag)
{
    struct outgoing *o = &s->out[rank];
    int done = 0;

    MPI_Isend(o->pair[o->buffer], 2 * o->pairs, MPI_INT, rank, tag, s->comm,
              &o->request[o->buffer]);
    o->buffer = (o->buffer + 1) % BUFFERS;
    o->pairs = 0;
    while (!done) {
        take_what_came(s);
        MPI_Test(&o->request[o->buffer], &done, MPI_STATUS_IGNORE);
    }
}

static void follow_edges(struct bfs *s, int v)
{
    int vertex = v * s->ranks + s->rank;

    for (int k = s->graph.start[v]; k < s->graph.start[v + 1]; k++) {
        int to = owner(s, s->graph.beside[k]);
        if (to == s->rank) {
            reach(s, s->graph.beside[k], vertex);
            continue;
        }
        struct outgoing *o = &s->out[to];
        o->pair[o->buffer][o->pairs++] = (struct pair){s->graph.beside[k], vertex};
        if (o->pairs == PAIRS)
            send(s, to, MORE);
    }
}

/* From the vertices of the frontier to those of the next. Returns how many there are on all ranks;
 * no rank goes on before all have told, that is, have taken all messages of this level. */
static int go_a_level(struct bfs *s, int vertices)
{
    int all;

    s->depth++;
    s->reached = 0;
    s->ended = 1;
    for (int i = 0; i < vertices; i++)
        follow_edges(s, s->frontier[i]);
    for (int i = 0; i < s->ranks; i++)
        if (i != s->rank)
            send(s, i, LAST);
    while (s->ended < s->ranks)
        take(s);
    MPI_Allreduce(&s->reached, &all, 1, MPI_INT, MPI_SUM, s->comm);
    return all;
}

/* An end of some edge, so that it is not alone. */
static int root(int step)
{
    return graph_end((int)(programs_random((uint64_t)step) % GRAPH_EDGES));
}

static void run(void *problem, int steps)
{
    struct bfs *s = problem;

    for (int k = 0; k < steps; k++, s->steps++) {
        for (int v = 0; v < s->graph.vertices; v++)
            s->parent[v] = s->level[v] = NOWHERE;
        s->depth = s->reached = 0;
        if (owner(s, root(s->steps)) == s->rank)
            reach(s, root(s->steps), root(s->steps));
        do {
            int *reached = s->next;
            s->next = s->frontier;
            s->frontier = reached;
        } while (go_a_level(s, s->reached) > 0);
    }
    for (int i = 0; i < s->ranks; i++)
        MPI_Waitall(BUFFERS, s->out[i].request, MPI_STATUSES_IGNORE);
}

/* One vertex of the last search: its level is that in `level` of all vertices, its parent is
 * beside it and one level above, and none beside it is farther away than one level. Then the
 * levels are the distances from the root. */
static bool right(const struct bfs *s, int v, const int *level)
{
    int mine = s->level[v], vertex = v * s->ranks + s->rank;
    bool beside = s->parent[v] == vertex && vertex == root(s->steps - 1);

    if (mine != level[vertex])
        return false;
    for (int k = s->graph.start[v]; k < s->graph.start[v + 1]; k++) {
        int other = level[s->graph.beside[k]];
        if ((mine == NOWHERE) != (other == NOWHERE) || abs(mine - other) > 1)
            return false;
        beside = beside || (s->graph.beside[k] == s->parent[v] && other == mine - 1);
    }
    return mine == NOWHERE || beside;
}

static const char *wrong(void *problem, double *result)
{
    struct bfs *s = problem;
    struct bfs *one = make(MPI_COMM_SELF);
    double levels = (double)s->levels;
    int faults = 0, all;

    one->steps = s->steps - 1;
    run(one, 1);
    for (int v = 0; v < s->graph.vertices; v++)
        faults += !right(s, v, one->level);
    release(one);
    MPI_Allreduce(&faults, &all, 1, MPI_INT, MPI_SUM, s->comm);
    MPI_Allreduce(&levels, result, 1, MPI_DOUBLE, MPI_SUM, s->comm);
    return all ? "a level is not the distance from the root" : NULL;
}

const struct program program_bfs = {.name = "bfs",
                                    .steps = 256,
                                    .bytes = 4e6,
                                    .suits = suits,
                                    .make = make,
                                    .run = run,
                                    .wrong = wrong,
                                    .release = release};
