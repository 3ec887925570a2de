/* SPDX-License-Identifier: MIT */
/* Bandwidth of a stream from rank 0 to rank 1; osu_bibw: in both directions at once. */
#include <stdio.h>
#include <string.h>

#include "bandwidth.h"

int main(int argc, char **argv)
{
    struct osu o = {.least = 1, .most = 4 << 20};
    const char *slash = strrchr(argv[0], '/');
    bool both = strcmp(slash ? slash + 1 : argv[0], "osu_bibw") == 0;

    osu_begin(&o, argc, argv, 2, NULL);
    struct stream s = osu_stream(&o, 1 - o.rank, both || o.rank == 0, both || o.rank == 1);
    osu_title(&o, both ? "Bi-Directional Bandwidth" : "Bandwidth", "# Size      Bandwidth (MB/s)");
    for (size_t n = o.least ? o.least : 1; n <= o.most; n = osu_next(n)) {
        double seconds = osu_stream_time(&s, n), bytes = (double)n * o.window * (both ? 2 : 1);
        osu_say(&o, "%-10zu%18.2f\n", n, bytes / seconds / 1e6);
    }
    osu_end(&o);
    return 0;
}
