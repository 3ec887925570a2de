/* SPDX-License-Identifier: MIT */
/* How much of a nonblocking communication hides behind computation. */
#include "osu.h"

/* A real machine does not work: it comes back at once, unless it has others to serve just then. */
double osu_virtual_hz(void)
{
    const double cycles = 1e6;
    double least = 1;

    for (int i = 0; i < 8 && least > 1e-4; i++) {
        double begin = MPI_Wtime();
        MPI_Pcontrol(MPIX_PCONTROL_WORK, cycles);
        double took = MPI_Wtime() - begin;
        least = took < least ? took : least;
    }
    return least > 1e-4 ? cycles / least : 0;
}

static void compute(double seconds, double hz)
{
    double end = MPI_Wtime() + seconds;

    if (hz > 0)
        MPI_Pcontrol(MPIX_PCONTROL_WORK, seconds * hz);
    while (MPI_Wtime() < end)
        ;
}

/* Seconds of a repetition with `work` seconds of computation in it. */
static double repeat(const struct osu *o, size_t n,
                     void (*start)(void *arg, size_t n, MPI_Request *q), void *arg, double work,
                     double hz)
{
    int skip = osu_skip(o, n), iterations = osu_iterations(o, n);
    double sum = 0;

    for (int i = -skip; i < iterations; i++) {
        MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        start(arg, n, q);
        if (work > 0)
            compute(work, hz);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        if (i >= 0)
            sum += MPI_Wtime() - begin;
    }
    return sum / iterations;
}

struct osu_overlap osu_measure_overlap(const struct osu *o, size_t n,
                                       void (*start)(void *arg, size_t n, MPI_Request *q),
                                       void *arg)
{
    double hz = osu_virtual_hz();
    struct osu_overlap v = {.pure = repeat(o, n, start, arg, 0, hz)};

    v.compute = v.pure;
    v.overall = repeat(o, n, start, arg, v.compute, hz);
    return v;
}

void osu_overlap(const struct osu *o, size_t n, const struct osu_overlap *mine)
{
    double one[3] = {mine->overall, mine->compute, mine->pure}, sum[3];

    MPI_Reduce(one, sum, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    double hidden = 100 - 100 * (sum[0] - sum[1]) / sum[2];
    hidden = hidden < 0 ? 0 : hidden > 100 ? 100 : hidden;
    osu_say(o, "%-10zu%18.2f%18.2f%18.2f%18.2f\n", n, sum[0] * 1e6 / o->ranks,
            sum[1] * 1e6 / o->ranks, sum[2] * 1e6 / o->ranks, hidden);
}
