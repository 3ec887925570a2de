/* SPDX-License-Identifier: MIT */
/* Who works how long for one heartbeat of the name service on mppa256 (souto-2022, 6.2, figure 16):
 * the core of the thread that says it is alive, the master core, which runs the kernel and the
 * Dispatcher, and the other cores of the cluster, on one of which the name daemon is a thread in
 * the variants baseline and partial. LWMPI_VARIANT chooses the variant. The name server is on an
 * I/O cluster; its work is not counted. A lookup, which the daemon answers, is told beside it, and
 * what the daemon takes from programs. */
#include <base/error.h>
#include <hal/core.h>
#include <kernel/cluster.h>
#include <svc/client.h>
#include <svc/daemon.h>
#include <svc/name.h>

#include "kernel_bench.h"

enum { TIMES = 30, PAUSE = 40000, NAMES = 8, MASTER = 0, USER = 1 };

static void *pages(size_t size)
{
    void *p = NULL;
    return k_page_alloc(size, &p) == 0 ? p : NULL;
}

/* Until the service answers: it may still be on its way up. */
static void await(struct svc_client *c, int node, enum svc_service service)
{
    while (svc_request(c, node, service, SVC_OP_PING, NULL, 0, NULL, 0, K_FOREVER) != 0)
        k_thread_sleep(PAUSE);
}

static void end(struct svc_client *c, int node, enum svc_service service)
{
    svc_request(c, node, service, SVC_OP_SHUTDOWN, NULL, 0, NULL, 0, K_FOREVER);
}

static void beat(struct svc_client *c)
{
    svc_name_beat(c, "alive");
}

static void lookup(struct svc_client *c)
{
    struct svc_address at;
    svc_name_lookup(c, "alive", &at);
}

static uint64_t all_busy(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < hal_machine()->compute_cores; i++)
        sum += hal_core_busy((int)i);
    return sum;
}

static void show(const char *what, const char *who, double value, const char *unit)
{
    printf("mppa256: %s: %s,%.5g,%s,\n", what, who, value / TIMES, unit);
}

/* Does it TIMES times, with pauses in which what is left to do is done and all cores sleep. */
static void measure(const char *what, void (*fn)(struct svc_client *c), struct svc_client *c)
{
    const struct hal_machine *m = hal_machine();
    uint64_t response = 0, user = hal_core_busy(USER), master = hal_core_busy(MASTER);
    uint64_t all = all_busy();
    for (int i = 0; i < TIMES; i++) {
        uint64_t from = bench_now();
        fn(c);
        response += bench_now() - from;
        k_thread_sleep(PAUSE);
    }
    user = hal_core_busy(USER) - user;
    master = hal_core_busy(MASTER) - master;
    all = all_busy() - all;
    double joules = 1e-6 * (m->power.core_busy_uw - m->power.core_idle_uw) * (double)all;
    show(what, "response", (double)response, "cycles");
    show(what, "core of the caller", (double)user, "cycles");
    show(what, "master core", (double)master, "cycles");
    show(what, "other cores", (double)(all - user - master), "cycles");
    show(what, "energy above idle", 1e9 * joules / (double)m->hz, "nJ");
}

/* What the daemon has taken from the programs of its cluster. */
static void show_left(size_t before)
{
    const struct cluster *c = kern_cluster();
    size_t after;
    int free = 0;
    k_memory(&after, NULL, NULL);
    for (int i = c->user_core; i < c->cores; i++)
        free += c->core[i].threads == (i == USER ? 1 : 0);
    printf("mppa256: memory of the name daemon,%zu,B,\n", after - before);
    printf("mppa256: cores without a thread of the system,%d,cores,>= 15\n", free);
}

static int body(void *arg)
{
    (void)arg;
    static struct svc_daemon server; /* of one cluster */
    struct svc_client c;
    int me = hal_cluster();
    if (me == svc_home()) {
        void *state = pages(svc_name_server_bytes(NAMES));
        svc_name_server_init(state, NAMES);
        svc_daemon_start(&server, svc_form_default(), &svc_name_server, state, K_ANY);
        return svc_daemon_join(&server);
    }
    if (me != 0)
        return 0;
    size_t before;
    k_memory(&before, NULL, NULL);
    struct svc_daemon *daemon = pages(sizeof *daemon + sizeof(struct svc_name_daemon));
    struct svc_name_daemon *state = (struct svc_name_daemon *)(daemon + 1);
    svc_name_daemon_init(state, &svc_name_forward);
    int e = svc_daemon_start(daemon, svc_form_default(), &svc_name_daemon, state, K_ANY);
    e = e < 0 ? e : svc_client_open(&c);
    if (e < 0)
        return 1;
    show_left(before);
    await(&c, svc_home(), SVC_NAME);
    e = svc_name_link(&c, "alive", 1, SVC_NO_LIMIT);
    measure("heartbeat", beat, &c);
    measure("lookup of a name of the cluster", lookup, &c);
    end(&c, me, SVC_NAME_DAEMON);
    e = e < 0 ? e : svc_daemon_join(daemon);
    end(&c, svc_home(), SVC_NAME);
    fflush(stdout);
    return e < 0;
}

int main(void)
{
    return bench_machine(body);
}
