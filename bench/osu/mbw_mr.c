/* SPDX-License-Identifier: MIT */
/* Message rate: rank i of the first half streams to rank i of the second, all at once. */
#include "bandwidth.h"

int main(int argc, char **argv)
{
    struct osu o = {.least = 1, .most = 4 << 20};

    osu_begin(&o, argc, argv, -2, NULL);
    int pairs = o.ranks / 2;
    bool sends = o.rank < pairs;
    struct stream s = osu_stream(&o, sends ? o.rank + pairs : o.rank - pairs, sends, !sends);
    osu_title(&o, "Multiple Bandwidth / Message Rate", "");
    osu_say(&o,
            "# [ pairs: %d ] [ window size: %d ]\n# Size                  MB/s        Messages/s\n",
            pairs, o.window);
    for (size_t n = o.least ? o.least : 1; n <= o.most; n = osu_next(n)) {
        double seconds = osu_stream_time(&s, n), mine = sends ? seconds : 0, sum;
        MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        /* All pairs begin together: the average time of a window is that of all of them. */
        double rate = (double)pairs * o.window / (sum / pairs);
        osu_say(&o, "%-10zu%18.2f%18.2f\n", n, rate * (double)n / 1e6, rate);
    }
    osu_end(&o);
    return 0;
}
