/* SPDX-License-Identifier: MIT */
/* Collectives in a row: the clock is read at the ends of a batch only, so that no time between two
 * calls is left out. Each call ends after the one before, so that this is the time of a call and
 * not the rate at which ranks can run ahead: the root goes round, and every second scan goes the
 * other way. Then the rank on which a call waits last is the one that the next waits for.
 * Nonblocking ones are waited for at once. */
#include <stdlib.h>

#include "peers.h"

struct coll {
    int rank, ranks, count; /* doubles of a block */
    int calls;              /* so far: whose turn it is to be the root */
    double *out, *in;
    MPI_Comm backward; /* all ranks, the last one first */
    MPI_Request *q;    /* of nonblocking ones; NULL: they block */
    void (*call)(struct coll *c);
};

/* The call, or the nonblocking one. */
#define CALL(c, name, inname, ...)                                                                 \
    ((c)->q ? MPI_I##inname(__VA_ARGS__, (c)->q) : MPI_##name(__VA_ARGS__))

static int root(const struct coll *c)
{
    return c->calls % c->ranks;
}

static void barrier(struct coll *c)
{
    CALL(c, Barrier, barrier, MPI_COMM_WORLD);
}

static void bcast(struct coll *c)
{
    CALL(c, Bcast, bcast, c->in, c->count, MPI_DOUBLE, root(c), MPI_COMM_WORLD);
}

static void reduce(struct coll *c)
{
    CALL(c, Reduce, reduce, c->out, c->in, c->count, MPI_DOUBLE, MPI_SUM, root(c), MPI_COMM_WORLD);
}

static void allreduce(struct coll *c)
{
    CALL(c, Allreduce, allreduce, c->out, c->in, c->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void allgather(struct coll *c)
{
    CALL(c, Allgather, allgather, c->out, c->count, MPI_DOUBLE, c->in, c->count, MPI_DOUBLE,
         MPI_COMM_WORLD);
}

static void alltoall(struct coll *c)
{
    CALL(c, Alltoall, alltoall, c->out, c->count, MPI_DOUBLE, c->in, c->count, MPI_DOUBLE,
         MPI_COMM_WORLD);
}

static void gather(struct coll *c)
{
    CALL(c, Gather, gather, c->out, c->count, MPI_DOUBLE, c->in, c->count, MPI_DOUBLE, root(c),
         MPI_COMM_WORLD);
}

static void scatter(struct coll *c)
{
    CALL(c, Scatter, scatter, c->out, c->count, MPI_DOUBLE, c->in, c->count, MPI_DOUBLE, root(c),
         MPI_COMM_WORLD);
}

static void reduce_scatter(struct coll *c)
{
    CALL(c, Reduce_scatter_block, reduce_scatter_block, c->out, c->in, c->count, MPI_DOUBLE,
         MPI_SUM, MPI_COMM_WORLD);
}

static void scan(struct coll *c)
{
    CALL(c, Scan, scan, c->out, c->in, c->count, MPI_DOUBLE, MPI_SUM,
         c->calls % 2 ? c->backward : MPI_COMM_WORLD);
}

static double one(const struct coll *c)
{
    (void)c;
    return 1;
}

static double all(const struct coll *c)
{
    return c->ranks;
}

static double up_to_me(const struct coll *c)
{
    return c->calls % 2 ? c->rank + 1 : c->ranks - c->rank; /* the last call was the one before */
}

static double one_on_root(const struct coll *c)
{
    return c->calls > c->rank;
}

static double all_on_root(const struct coll *c)
{
    return c->ranks * one_on_root(c);
}

/* `out` is all ones. `in` begins as zeros; only the first root of a broadcast has ones. */
static const struct {
    const char *name;
    void (*call)(struct coll *c);
    bool out_of_all, in_of_all; /* is there a block for each rank? */
    double (*want)(const struct coll *c);
} row[] = {
    {"barrier", barrier, false, false, NULL},
    {"bcast", bcast, false, false, one},
    {"reduce", reduce, false, false, all_on_root},
    {"allreduce", allreduce, false, false, all},
    {"gather", gather, false, true, one_on_root},
    {"scatter", scatter, true, false, one},
    {"allgather", allgather, false, true, one},
    {"alltoall", alltoall, true, true, one},
    {"reduce_scatter", reduce_scatter, true, false, all},
    {"scan", scan, false, false, up_to_me},
};

enum { ROWS = sizeof row / sizeof *row };

static void batch(void *arg, int times)
{
    struct coll *c = arg;

    for (int i = 0; i < times; i++, c->calls++) {
        c->call(c);
        if (c->q)
            MPI_Wait(c->q, MPI_STATUS_IGNORE);
    }
}

static bool right(const struct coll *c, int k, size_t in)
{
    double want = row[k].want ? row[k].want(c) : 0;

    for (size_t i = 0; row[k].want && i < in; i++)
        if (c->in[i] != want)
            return false;
    return true;
}

static void point(struct peers *p, int k, size_t bytes, MPI_Comm backward, MPI_Request *q)
{
    size_t count = bytes / sizeof(double), ranks = (size_t)p->ranks;
    size_t out = count * (row[k].out_of_all ? ranks : 1),
           in = count * (row[k].in_of_all ? ranks : 1);

    if (!peers_wanted(p, row[k].name, bytes, (double)((out + in) * sizeof(double))))
        return;
    struct coll c = {.rank = p->rank,
                     .ranks = p->ranks,
                     .count = (int)count,
                     .call = row[k].call,
                     .backward = backward,
                     .q = q,
                     .out = peers_memory(out * sizeof(double)),
                     .in = peers_memory(in * sizeof(double))};
    for (size_t i = 0; i < in; i++)
        c.in[i] = p->rank == 0 && row[k].call == bcast;
    peers_point(p, row[k].name, bytes, batch, &c, 1);
    peers_check(right(&c, k, in), row[k].name, bytes);
    free(c.out);
    free(c.in);
}

static void all_points(struct peers *p, MPI_Request *q)
{
    MPI_Comm backward;

    MPI_Comm_split(MPI_COMM_WORLD, 0, -p->rank, &backward);
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < (row[k].want ? p->sizes : 1); i++)
            point(p, k, row[k].want ? p->size[i] : 0, backward, q);
    MPI_Comm_free(&backward);
}

void peers_coll(struct peers *p)
{
    all_points(p, NULL);
}

void peers_icoll(struct peers *p)
{
    MPI_Request q;

    all_points(p, &q);
}
