/* SPDX-License-Identifier: MIT */
/* Ping-pong: half of the time that a message takes there and back. */
#include "osu.h"

static double ping_pong(const struct osu *o, const char *out, char *in, int n)
{
    int skip = osu_skip(o, (size_t)n), iterations = osu_iterations(o, (size_t)n);
    double begin = 0;

    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = -skip; i < iterations; i++) {
        if (i == 0)
            begin = MPI_Wtime();
        if (o->rank == 0) {
            MPI_Send(out, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(in, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(in, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        }
    }
    return (MPI_Wtime() - begin) * 1e6 / (2.0 * iterations);
}

int main(int argc, char **argv)
{
    struct osu o = {.least = 0, .most = 4 << 20};

    osu_begin(&o, argc, argv, 2, NULL);
    char *out = osu_memory(&o, o.most), *in = osu_memory(&o, o.most);
    osu_title(&o, "Latency", "# Size          Latency (us)");
    for (size_t n = o.least; n <= o.most; n = osu_next(n))
        osu_say(&o, "%-10zu%18.2f\n", n, ping_pong(&o, out, in, (int)n));
    osu_end(&o);
    return 0;
}
