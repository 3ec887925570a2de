/* SPDX-License-Identifier: MIT */
/* Ping-pong beside what the two processors do without any library, measured in turns in the same
 * run: the distance of two processors of a virtual machine changes from minute to minute. Beside a
 * message of at most 64 bytes stands the hand-over of a cache line, beside a longer one that and
 * one memcpy. Medians; with -f also the lowest, which other work on the machine disturbs least. */
#include "beside.h"
#include "median.h"

enum { TURNS = 21, LINE = 64, SHORT = 4096 };

/* The same memory as osu_yard_ns copies. */
static double message_ns(const struct osu *o, const struct yard *y, int n, int rounds)
{
    int peer = 1 - o->rank;
    double begin = MPI_Wtime();

    for (int i = 0; i < rounds; i++) {
        if (o->rank == 0)
            MPI_Send(y->out, n, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
        MPI_Recv(y->in, n, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (o->rank == 1)
            MPI_Send(y->out, n, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begin) * 1e9 / (2.0 * rounds);
}

static void line(const struct osu *o, struct yard *y, size_t n)
{
    int rounds = o->iterations >= 0 ? o->iterations : n > SHORT ? 20 : 2000;
    double message[TURNS], alone[TURNS], ratio[TURNS];
    size_t copied = n > LINE ? n : 0;

    for (int t = -1; t < TURNS; t++) { /* the first is for warmth */
        int at = t < 0 ? 0 : t;
        MPI_Barrier(MPI_COMM_WORLD);
        double before = osu_yard_ns(y, copied, rounds);
        MPI_Barrier(MPI_COMM_WORLD);
        message[at] = message_ns(o, y, (int)n, rounds);
        MPI_Barrier(MPI_COMM_WORLD);
        alone[at] = (before + osu_yard_ns(y, copied, rounds)) / 2;
        ratio[at] = message[at] / alone[at];
    }
    bench_sort(message, TURNS), bench_sort(alone, TURNS), bench_sort(ratio, TURNS);
    osu_say(o, "%-10zu%18.3f%18.3f%18.2f", n, message[TURNS / 2] / 1e3, alone[TURNS / 2] / 1e3,
            ratio[TURNS / 2]);
    if (o->full)
        osu_say(o, "%18.3f%18.3f", message[0] / 1e3, alone[0] / 1e3);
    osu_say(o, "\n");
}

int main(int argc, char **argv)
{
    struct osu o = {.least = 0, .most = 4 << 20};

    osu_begin(&o, argc, argv, 2, NULL);
    struct yard y = osu_yard(&o, o.most);
    osu_title(&o, "Latency Beside The Machine",
              "# Machine = hand-over of a cache line, beyond 64 bytes and one memcpy\n");
    osu_say(&o, "# Size          Latency (us)      Machine (us)             Ratio%s\n",
            o.full ? "  Least Latency(us)  Least Machine(us)" : "");
    for (size_t n = o.least; n <= o.most; n = osu_next(n))
        line(&o, &y, n);
    osu_yard_end(&y);
    osu_end(&o);
    return 0;
}
