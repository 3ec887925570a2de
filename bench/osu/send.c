/* SPDX-License-Identifier: MIT */
/* Ping-pong that tells how long MPI_Send keeps its caller, beside how long a message takes: a
 * message that is copied or sent in the background leaves its sender early (ho-2015, V). */
#include "osu.h"

/* Seconds of one way, and in *send those of MPI_Send on the calling rank. */
static double ping_pong(const struct osu *o, const char *out, char *in, int n, double *send)
{
    int skip = osu_skip(o, (size_t)n), iterations = osu_iterations(o, (size_t)n);
    double begin = 0;

    *send = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = -skip; i < iterations; i++) {
        if (i == 0)
            begin = MPI_Wtime();
        if (o->rank == 1)
            MPI_Recv(in, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double before = MPI_Wtime();
        MPI_Send(out, n, MPI_CHAR, 1 - o->rank, 1, MPI_COMM_WORLD);
        if (i >= 0)
            *send += (MPI_Wtime() - before) / iterations;
        if (o->rank == 0)
            MPI_Recv(in, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return (MPI_Wtime() - begin) / (2.0 * iterations);
}

int main(int argc, char **argv)
{
    struct osu o = {.least = 0, .most = 4 << 20};

    osu_begin(&o, argc, argv, 2, NULL);
    char *out = osu_memory(&o, o.most), *in = osu_memory(&o, o.most);
    osu_title(&o, "Duration of MPI_Send", "# Size         MPI_Send (us)      Latency (us)");
    for (size_t n = o.least; n <= o.most; n = osu_next(n)) {
        double send, way = ping_pong(&o, out, in, (int)n, &send);
        osu_say(&o, "%-10zu%18.3f%18.3f\n", n, send * 1e6, way * 1e6);
    }
    osu_end(&o);
    return 0;
}
