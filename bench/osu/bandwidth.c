/* SPDX-License-Identifier: MIT */
/* Streams: windows of messages, each window answered once. */
#include "bandwidth.h"

enum { DATA = 100, ANSWER = 101 };

struct stream osu_stream(struct osu *o, int peer, bool sends, bool receives)
{
    return (struct stream){
        .o = o,
        .peer = peer,
        .sends = sends,
        .receives = receives,
        .out = osu_memory(o, o->most),
        .in = osu_memory(o, o->most),
        .request = osu_memory(o, 2 * (size_t)o->window * sizeof(MPI_Request)),
    };
}

static void window(struct stream *s, int n)
{
    int used = 0, length = s->o->window;
    char answer = 0;

    for (int i = 0; i < length && s->receives; i++)
        MPI_Irecv(s->in, n, MPI_CHAR, s->peer, DATA, MPI_COMM_WORLD, &s->request[used++]);
    for (int i = 0; i < length && s->sends; i++)
        MPI_Isend(s->out, n, MPI_CHAR, s->peer, DATA, MPI_COMM_WORLD, &s->request[used++]);
    MPI_Waitall(used, s->request, MPI_STATUSES_IGNORE);
    if (s->receives)
        MPI_Send(&answer, 1, MPI_CHAR, s->peer, ANSWER, MPI_COMM_WORLD);
    if (s->sends)
        MPI_Recv(&answer, 1, MPI_CHAR, s->peer, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

double osu_stream_time(struct stream *s, size_t n)
{
    int skip = osu_skip(s->o, n) / 10, iterations = osu_iterations(s->o, n) / 10;
    double begin = 0;

    iterations = s->o->iterations >= 0 ? s->o->iterations : iterations;
    skip = s->o->skip >= 0 ? s->o->skip : skip;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = -skip; i < iterations; i++) {
        if (i == 0)
            begin = MPI_Wtime();
        window(s, (int)n);
    }
    return (MPI_Wtime() - begin) / iterations;
}
