/* SPDX-License-Identifier: MIT */
/* Ping-pong that tells how long MPI_Send keeps its caller, beside how long a message takes: a
 * message that is copied or sent in the background leaves its sender early (ho-2015, V). */
#include "osu.h"

/* Seconds of one way, and in *send those of MPI_Send on rank `from`, of which all learn. */
struct duration {
    double way, send;
};

static struct duration ping_pong(const struct osu *o, const char *out, char *in, int n)
{
    int skip = osu_skip(o, (size_t)n), iterations = osu_iterations(o, (size_t)n);
    bool first = o->rank == o->from, second = o->rank == o->to;
    struct duration d = {0, 0};
    double begin = 0;

    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = -skip; i < iterations && (first || second); i++) {
        if (i == 0)
            begin = MPI_Wtime();
        if (second)
            MPI_Recv(in, n, MPI_CHAR, o->from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double before = MPI_Wtime();
        MPI_Send(out, n, MPI_CHAR, first ? o->to : o->from, 1, MPI_COMM_WORLD);
        if (i >= 0)
            d.send += (MPI_Wtime() - before) / iterations;
        if (first)
            MPI_Recv(in, n, MPI_CHAR, o->to, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    d.way = (MPI_Wtime() - begin) / (2.0 * iterations);
    MPI_Bcast(&d, 2, MPI_DOUBLE, o->from, MPI_COMM_WORLD);
    return d;
}

int main(int argc, char **argv)
{
    struct osu o = {.least = 0, .most = 4 << 20};

    osu_begin(&o, argc, argv, 0, NULL);
    if (o.ranks < 2)
        osu_leave(&o, 2, "osu: this needs two ranks or more: mpiexec -n 2", "");
    char *out = osu_memory(&o, o.most), *in = osu_memory(&o, o.most);
    osu_title(&o, "Duration of MPI_Send", "# Size         MPI_Send (us)      Latency (us)");
    for (size_t n = o.least; n <= o.most; n = osu_next(n)) {
        struct duration d = ping_pong(&o, out, in, (int)n);
        osu_say(&o, "%-10zu%18.3f%18.3f\n", n, d.send * 1e6, d.way * 1e6);
    }
    osu_end(&o);
    return 0;
}
