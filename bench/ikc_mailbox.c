/* SPDX-License-Identifier: MIT */
/* k_mailbox one way between two clusters, half of a round trip: in cycles of mppa256 on sim, and on
 * linux with inline calls. */
#include "kernel_bench.h"

#include <sys/k_mailbox.h>

enum { BYTES = 64 };

static int number; /* of the batch's rounds; constant while clusters run */

static void must(long got, long want)
{
    if (got != want)
        k_abort(1, "ikc_mailbox: a mailbox did not answer as it should");
}

/* Of both ends: the first one sends, the second one answers. */
static void turns(int in, int out, bool first)
{
    char buf[BYTES] = {0};
    for (int i = 0; i < number; i++) {
        if (first)
            must(k_mailbox_write(out, buf, BYTES), BYTES);
        must(k_mailbox_read(in, buf, BYTES, NULL), BYTES);
        if (!first)
            must(k_mailbox_write(out, buf, BYTES), BYTES);
    }
}

static int body(void *arg)
{
    (void)arg;
    struct k_info info;
    k_info(&info);
    if (info.cluster > 1)
        return 0;
    int in = k_mailbox_create(0), out = k_mailbox_open(1 - info.cluster, 0);
    double value[BATCHES];
    k_thread_sleep(info.hz / 1000); /* the other port is there */
    turns(in, out, info.cluster == 0);
    for (int i = 0; i < BATCHES; i++) {
        uint64_t begin = bench_now();
        turns(in, out, info.cluster == 0);
        value[i] = (double)(bench_now() - begin) / (2.0 * number);
    }
    if (info.cluster == 0) {
        printf("%s: k_mailbox of 64 B one way,%.1f,%s,\n", on_sim() ? "mppa256" : "linux",
               bench_median(value, BATCHES), on_sim() ? "cycles" : "ns");
        fflush(stdout); /* a cluster ends without the C library */
    }
    return 0;
}

int main(void)
{
    struct hal_machine m;
    struct hal_options o;
    bench_load(on_sim() ? "mppa256" : "linux", &m, &o);
    if (!on_sim()) {
        m.compute_clusters = 2;
        m.compute_cores = 1;
        m.noc.torus_x = 2;
    }
    number = on_sim() ? 20 : 2000;
    bench_body = body;
    return hal_run(&m, &o, bench_boot, NULL);
}
