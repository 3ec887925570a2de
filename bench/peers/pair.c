/* SPDX-License-Identifier: MIT */
/* Two ranks: how long a message takes one way, and the gap between messages that are sent in
 * windows, each window answered by an empty message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

enum { WINDOW = 64, LINE = 64 };

struct pair {
    int rank, bytes, window;
    char *out, *in;  /* `in` has room for a window of messages */
    size_t distance; /* between messages in it */
};

static void ping_pong(void *arg, int times)
{
    struct pair *q = arg;
    int peer = 1 - q->rank;

    for (int i = 0; i < times; i++) {
        if (q->rank == 0)
            MPI_Send(q->out, q->bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
        MPI_Recv(q->in, q->bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (q->rank == 1)
            MPI_Send(q->out, q->bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
    }
}

static void windows(void *arg, int times)
{
    struct pair *q = arg;
    MPI_Request request[WINDOW];

    for (int i = 0; i < times; i++) {
        if (q->rank == 0) {
            for (int k = 0; k < q->window; k++)
                MPI_Isend(q->out, q->bytes, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &request[k]);
            MPI_Waitall(q->window, request, MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_CHAR, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            for (int k = 0; k < q->window; k++)
                MPI_Irecv(q->in + (size_t)k * q->distance, q->bytes, MPI_CHAR, 0, 2, MPI_COMM_WORLD,
                          &request[k]);
            MPI_Waitall(q->window, request, MPI_STATUSES_IGNORE);
            MPI_Send(NULL, 0, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
        }
    }
}

/* Did the whole of the last message of a window come? */
static bool arrived(const struct pair *q)
{
    const char *last = q->in + (size_t)(q->window - 1) * q->distance;

    return memcmp(last, q->out, (size_t)q->bytes) == 0;
}

static void series(struct peers *p, const char *name, int window, peers_batch *batch, double scale)
{
    for (int i = 0; i < p->sizes; i++) {
        size_t bytes = p->size[i], distance = (bytes + LINE - 1) / LINE * LINE;

        if (!peers_wanted(p, name, bytes, (double)(distance * (size_t)window + bytes)))
            continue;
        struct pair q = {.rank = p->rank,
                         .bytes = (int)bytes,
                         .window = window,
                         .out = peers_memory(bytes),
                         .in = peers_memory(distance * (size_t)window),
                         .distance = distance};
        memset(q.out, 0x5a, bytes);
        peers_point(p, name, bytes, batch, &q, scale);
        bool receives = batch == ping_pong || p->rank == 1;
        peers_check(!receives || arrived(&q), name, bytes);
        free(q.out);
        free(q.in);
    }
}

void peers_pair(struct peers *p)
{
    static const struct {
        const char *name;
        int window;
    } gap[] = {{"gap 1", 1}, {"gap 16", 16}, {"gap 64", WINDOW}};

    series(p, "latency", 1, ping_pong, 0.5);
    for (int i = 0; i < 3; i++)
        series(p, gap[i].name, gap[i].window, windows, 1.0 / gap[i].window);
}
