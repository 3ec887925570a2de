/* SPDX-License-Identifier: MIT */
/* Throughput of 1 to 15 threads that share the one portal of a cluster, in virtual time of mppa256:
 * each thread of a compute cluster sends 1 KB to one of 3 threads of an I/O cluster and gets 1 KB
 * back, over and over (uller-2020, figure 2, where the throughput fell as threads were added).
 *
 * The source does not say what its throughput is. Beside what all threads move in a second of the
 * whole run stands what its published benchmarks print: the bytes that the ports of a side have
 * moved, divided by the time that their operations took. */
#include "kernel_bench.h"

#include <sys/k_ikc.h>
#include <sys/k_portal.h>

enum { SERVERS = 3, MOST = 15, ROUNDS = 40, BYTES = 1024 };

enum { CC, IO, SIDES };

struct run {
    int threads;                            /* of the compute cluster */
    uint64_t cycles;                        /* for all rounds of all threads */
    uint64_t volume[SIDES], latency[SIDES]; /* as the ports of each side count them */
};

/* A thread of either cluster; its ports have the number of the thread. */
struct party {
    int me, rounds, in, out;
};

static int io_cluster(void)
{
    return (int)hal_machine()->compute_clusters;
}

static void must(long got, long want)
{
    if (got != want)
        k_abort(1, "ikc_multiplex: a portal did not answer as it should");
}

/* The reader of the answer names the server, which need not announce it. */
static void client(void *arg)
{
    const struct party *p = arg;
    struct k_source server = {io_cluster(), p->me % SERVERS};
    char request[BYTES] = {0}, answer[BYTES];
    for (int i = 0; i < p->rounds; i++) {
        must(k_portal_aread(p->in, &server, answer, BYTES, NULL), 0);
        must(k_portal_awrite(p->out, &server, request, BYTES, 0), 0);
        must(k_ikc_wait(K_PORTAL, p->out, K_FOREVER), BYTES);
        must(k_ikc_wait(K_PORTAL, p->in, K_FOREVER), BYTES);
    }
}

static void server(void *arg)
{
    const struct party *p = arg;
    char buf[BYTES];
    struct k_source from;
    for (int i = 0; i < p->rounds; i++) {
        must(k_portal_read(p->in, buf, BYTES, &from), BYTES);
        must(k_portal_awrite(p->out, &from, buf, BYTES, K_PORTAL_QUIET), 0);
        must(k_ikc_wait(K_PORTAL, p->out, K_FOREVER), BYTES);
    }
}

static uint64_t counted(int id, enum k_stat what)
{
    uint64_t value = 0;
    must(k_portal_stat(id, what, &value), 0);
    return value;
}

static void count(struct run *run, int side, const struct party *p, int n)
{
    for (int i = 0; i < n; i++) {
        run->volume[side] += counted(p[i].in, K_STAT_VOLUME) + counted(p[i].out, K_STAT_VOLUME);
        run->latency[side] += counted(p[i].in, K_STAT_LATENCY) + counted(p[i].out, K_STAT_LATENCY);
    }
}

static int body(void *arg)
{
    struct run *run = arg;
    struct k_info info;
    k_info(&info);
    bool io = info.cluster == io_cluster();
    if (!io && info.cluster != 0)
        return 0;
    struct party p[MOST];
    int id[MOST], n = io ? SERVERS : run->threads;
    for (int i = 0; i < n; i++) {
        int served = (run->threads - i + SERVERS - 1) / SERVERS;
        p[i] = (struct party){i, io ? ROUNDS * (i < run->threads ? served : 0) : ROUNDS,
                              k_portal_create(i), k_portal_open(K_ANY, K_ANY)};
    }
    k_thread_sleep(100000); /* all ports are there */
    uint64_t begin = k_time_cycles();
    for (int i = 0; i < n; i++) {
        id[i] = k_thread_create(&(struct k_thread_attr){
            .entry = io ? server : client, .arg = &p[i], .core = info.user_core + i});
        must(id[i] >= 0, 1);
    }
    for (int i = 0; i < n; i++)
        must(k_thread_join(id[i], NULL), 0);
    if (!io)
        run->cycles = k_time_cycles() - begin;
    count(run, io ? IO : CC, p, n);
    k_thread_sleep(100000);
    return 0;
}

int main(void)
{
    struct hal_machine m;
    struct hal_options o;
    bench_load("mppa256", &m, &o);
    bench_body = body;
    double first = 0, last = 0, side[SIDES];
    for (int threads = 1; threads <= MOST; threads++) {
        struct run run = {.threads = threads};
        int status = hal_run(&m, &o, bench_boot, &run);
        if (status != 0)
            return status;
        double seconds = (double)run.cycles / (double)m.hz;
        last = 2.0 * BYTES * ROUNDS * threads / seconds / 1e6;
        first = threads == 1 ? last : first;
        printf("mppa256: portal throughput of %d threads,%.2f,MB/s,\n", threads, last);
        for (int i = 0; i < SIDES; i++) {
            side[i] = (double)run.volume[i] / (double)run.latency[i] * (double)m.hz / 1e6;
            printf("mppa256: throughput of a port %s with %d threads,%.3f,MB/s,\n",
                   i == IO ? "on IO" : "on CC", threads, side[i]);
        }
    }
    printf("mppa256: portal throughput of 15 threads to that of 1,%.2f,ratio,>= 0.9\n",
           last / first);
    return 0;
}
