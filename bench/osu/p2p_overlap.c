/* SPDX-License-Identifier: MIT */
/* Overlap of a nonblocking exchange of two ranks with computation. */
#include "osu.h"

struct exchange {
    int peer;
    char *out, *in;
};

static void start(void *arg, size_t n, MPI_Request *q)
{
    const struct exchange *e = arg;

    MPI_Irecv(e->in, (int)n, MPI_CHAR, e->peer, 1, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(e->out, (int)n, MPI_CHAR, e->peer, 1, MPI_COMM_WORLD, &q[1]);
}

int main(int argc, char **argv)
{
    struct osu o = {.least = 1, .most = 4 << 20};

    osu_begin(&o, argc, argv, 2, NULL);
    struct exchange e = {1 - o.rank, osu_memory(&o, o.most), osu_memory(&o, o.most)};
    osu_title(&o, "Non-blocking Exchange", OSU_OVERLAP_COLUMNS);
    for (size_t n = o.least; n <= o.most; n = osu_next(n)) {
        struct osu_overlap v = osu_measure_overlap(&o, n, start, &e);
        osu_overlap(&o, n, &v);
    }
    osu_end(&o);
    return 0;
}
