/* SPDX-License-Identifier: MIT */
/* Two styles of access to the network, as souto-2018 compares them, in virtual time of mppa256.
 *
 *     noc_styles         as on the low level: DMA channels inject while the sender waits, and a
 *                        cluster receives from all at once, for resources are multiplexed
 *     noc_styles sync    as on the vendor's library: a core injects what is sent, and a cluster
 *                        receives from one other at a time, for the resource is exclusive
 *
 * What the vendor's library itself takes is added by LWMPI_MODEL=vendor. An I/O cluster sends a
 * block to each of 16 compute clusters in turn, and receives one from each; and it exchanges a
 * message of 120 bytes with 1 to 16 of them. */
#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>
#include <sys/k_sync.h>

#include "kernel_bench.h"

enum { CLUSTERS = 16, LEAST_KB = 1, MOST_KB = 1024, MAIL = 120, PORT = 1 };

static bool dma;

struct result {
    uint64_t sent, received; /* cycles of all 16 blocks */
    uint64_t mail;           /* cycles of the exchange */
};

static struct {
    int kb, peers; /* of a block; with how many mails are exchanged */
    struct result result;
} run;

static void must(long got, long want)
{
    if (got != want)
        k_abort(1, "noc_styles: communication did not end as it should");
}

static int io_cluster(void)
{
    return (int)hal_machine()->compute_clusters;
}

static int engine(void)
{
    return dma ? K_PORTAL_DMA : K_PORTAL_CORE;
}

/* All clusters that take part meet; the I/O cluster leads. */
static void meet(bool io)
{
    int nodes[CLUSTERS + 1] = {io_cluster()};
    for (int i = 0; i < CLUSTERS; i++)
        nodes[i + 1] = i;
    int in = k_sync_create(nodes, CLUSTERS + 1, io ? K_ALL_TO_ONE : K_ONE_TO_ALL);
    int out = k_sync_open(nodes, CLUSTERS + 1, io ? K_ONE_TO_ALL : K_ALL_TO_ONE);
    if (!io)
        must(k_sync_signal(out), 0);
    must(k_sync_wait(in, K_FOREVER), 0);
    if (io)
        must(k_sync_signal(out), 0);
    must(k_sync_close(out), 0);
    must(k_sync_unlink(in), 0);
}

/* The blocks of the I/O cluster; all are sent from and arrive in the same memory. */
static void blocks_of_io(char *block, size_t n)
{
    int in[CLUSTERS], out[CLUSTERS];
    for (int i = 0; i < CLUSTERS; i++) {
        in[i] = k_portal_create(PORT + i);
        out[i] = k_portal_open(i, PORT);
    }
    meet(true);
    uint64_t begin = k_time_cycles();
    for (int i = 0; i < CLUSTERS; i++) {
        must(k_portal_awrite(out[i], NULL, block, n, engine()), 0);
        must(k_ikc_wait(K_PORTAL, out[i], K_FOREVER), (long)n);
    }
    run.result.sent = k_time_cycles() - begin;
    meet(true);
    begin = k_time_cycles();
    for (int first = 0, together = dma ? CLUSTERS : 1; first < CLUSTERS; first += together) {
        for (int i = first; i < first + together; i++)
            must(k_portal_aread(in[i], &(struct k_source){i, K_ANY}, block, n, NULL), 0);
        for (int i = first; i < first + together; i++)
            must(k_ikc_wait(K_PORTAL, in[i], K_FOREVER), (long)n);
    }
    run.result.received = k_time_cycles() - begin;
}

static void blocks_of_cc(int me, char *block, size_t n)
{
    int in = k_portal_create(PORT), out = k_portal_open(io_cluster(), PORT + me);
    must(k_portal_aread(in, &(struct k_source){io_cluster(), K_ANY}, block, n, NULL), 0);
    meet(false);
    must(k_ikc_wait(K_PORTAL, in, K_FOREVER), (long)n);
    meet(false);
    must(k_portal_awrite(out, NULL, block, n, engine()), 0);
    must(k_ikc_wait(K_PORTAL, out, K_FOREVER), (long)n);
}

static void mails(int me, bool io)
{
    char mail[MAIL] = {0};
    int in = k_mailbox_create(PORT);
    int out[CLUSTERS], peers = io ? run.peers : me < run.peers;
    for (int i = 0; i < peers; i++)
        out[i] = k_mailbox_open(io ? i : io_cluster(), PORT);
    meet(io);
    uint64_t begin = k_time_cycles();
    for (int i = 0; io && i < peers; i++)
        must(k_mailbox_write(out[i], mail, MAIL), MAIL);
    for (int i = 0; i < peers; i++)
        must(k_mailbox_read(in, mail, MAIL, NULL), MAIL);
    for (int i = 0; !io && i < peers; i++)
        must(k_mailbox_write(out[i], mail, MAIL), MAIL);
    if (io)
        run.result.mail = k_time_cycles() - begin;
}

static int body(void *arg)
{
    (void)arg;
    struct k_info info;
    k_info(&info);
    bool io = info.cluster == io_cluster();
    if (info.cluster > io_cluster())
        return 0;
    size_t n = (size_t)run.kb * 1024;
    void *block;
    must(k_page_alloc(n > 0 ? n : 1, &block), 0);
    if (run.peers > 0)
        mails(info.cluster, io);
    else if (io)
        blocks_of_io(block, n);
    else
        blocks_of_cc(info.cluster, block, n);
    meet(io);
    return 0;
}

/* With blocks of so many KB, or mails to so many clusters. */
static void go(const struct hal_machine *m, const struct hal_options *o, int kb, int peers)
{
    run.kb = kb;
    run.peers = peers;
    int status = hal_run(m, o, bench_boot, NULL);
    if (status != 0)
        exit(status);
}

static double rate(const struct hal_machine *m, uint64_t cycles)
{
    return 1024.0 * CLUSTERS * run.kb / ((double)cycles / (double)m->hz) / 1e6;
}

int main(int argc, char **argv)
{
    dma = argc == 1;
    if (!dma && (argc != 2 || strcmp(argv[1], "sync") != 0)) {
        fprintf(stderr, "noc_styles: \"%s\": no argument, or sync\n", argv[argc - 1]);
        return 2;
    }
    struct hal_machine m;
    struct hal_options o;
    bench_load("mppa256", &m, &o);
    bench_body = body;
    for (int kb = LEAST_KB; kb <= MOST_KB; kb *= 2) {
        go(&m, &o, kb, 0);
        printf("mppa256: portal from IO to 16 CC: %d KB,%.2f,MB/s,\n", kb,
               rate(&m, run.result.sent));
        printf("mppa256: portal from 16 CC to IO: %d KB,%.2f,MB/s,\n", kb,
               rate(&m, run.result.received));
    }
    for (int peers = 1; peers <= CLUSTERS; peers++) {
        go(&m, &o, 0, peers);
        printf("mppa256: mails of IO and CC: %d CC,%.2f,us,\n", peers,
               1e6 * (double)run.result.mail / (double)m.hz);
    }
    return 0;
}
