/* SPDX-License-Identifier: MIT */
/* A machine with services for tests: all clusters run the same body; meeting points; servers. */
#ifndef SERVICES_TEST_WORLD_H
#define SERVICES_TEST_WORLD_H

#include <svc/client.h>
#include <svc/daemon.h>
#include <svc/name.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_sync.h>
#include <sys/k_thread.h>
#include <sys/k_wait.h>
#include <test/check.h>
#include <test/on_machine.h>

static inline struct k_info world_info(void)
{
    struct k_info info;
    k_info(&info);
    return info;
}

static inline int world_me(void)
{
    return world_info().cluster;
}

/* One thread of each of the clusters 0 .. n-1 comes; all leave together. */
static inline void world_meet(int n)
{
    int nodes[64], master = world_me() == 0;
    for (int i = 0; i < n; i++)
        nodes[i] = i;
    int wait = k_sync_create(nodes, n, master ? K_ALL_TO_ONE : K_ONE_TO_ALL);
    int signal = k_sync_open(nodes, n, master ? K_ONE_TO_ALL : K_ALL_TO_ONE);
    CHECK(wait >= 0 && signal >= 0);
    CHECK(master || k_sync_signal(signal) == 0);
    CHECK_EQ(k_sync_wait(wait, K_FOREVER), 0);
    CHECK(!master || k_sync_signal(signal) == 0);
    CHECK_EQ(k_sync_close(signal), 0);
    CHECK_EQ(k_sync_unlink(wait), 0);
}

/* Writes to a port that nobody reads until a message is refused, which is when `enough` cycles have
 * not been enough. */
static inline void world_fill(int node, int port, uint64_t enough)
{
    int out = k_mailbox_open(node, port);
    for (bool refused = false; !refused;) {
        CHECK_EQ(k_mailbox_awrite(out, K_ANY, K_ANY, "x", 1), 0);
        long r = k_ikc_wait(K_MAILBOX, out, enough);
        if (r == -B_ETIMEDOUT)
            r = k_ikc_cancel(K_MAILBOX, out) == 0 ? -B_ECANCELED
                                                  : k_ikc_wait(K_MAILBOX, out, K_FOREVER);
        refused = r == -B_ECANCELED;
        CHECK(refused || r == 1);
    }
    CHECK_EQ(k_mailbox_close(out), 0);
}

static inline void *world_pages(size_t n)
{
    void *p;
    CHECK_EQ(k_page_alloc(n, &p), 0);
    return p;
}

/* Starts a server here; what world_stop needs to end it. */
static inline struct svc_daemon *world_start(const struct svc_form *form,
                                             const struct svc_class *class, void *state)
{
    struct svc_daemon *d = world_pages(sizeof *d);
    CHECK_EQ(svc_daemon_start(d, form, class, state, world_me()), 0);
    return d;
}

static inline void world_stop(struct svc_daemon *d, struct svc_client *c)
{
    CHECK_EQ(svc_request(c, world_me(), d->server.class->service, SVC_OP_SHUTDOWN, NULL, 0, NULL, 0,
                         K_FOREVER),
             0);
    CHECK_EQ(svc_daemon_join(d), 0);
    CHECK_EQ(k_page_free(d, sizeof *d), 0);
}

/* The name service: server at home, a daemon in every cluster. */
struct world_names {
    struct svc_daemon *server, *daemon;
    struct svc_name_daemon *state;
    void *names;
};
enum { WORLD_NAMES = 96 };

static inline struct world_names world_names_start(const struct svc_form *form,
                                                   const struct svc_name_protocol *protocol)
{
    struct world_names w = {.state = world_pages(sizeof *w.state)};
    if (world_me() == svc_home()) {
        w.names = world_pages(svc_name_server_bytes(WORLD_NAMES));
        svc_name_server_init(w.names, WORLD_NAMES);
        w.server = world_start(form, &svc_name_server, w.names);
    }
    svc_name_daemon_init(w.state, protocol);
    w.daemon = world_start(form, &svc_name_daemon, w.state);
    world_meet(world_info().clusters);
    return w;
}

static inline void world_names_stop(struct world_names *w, struct svc_client *c)
{
    world_meet(world_info().clusters);
    world_stop(w->daemon, c);
    CHECK_EQ(k_page_free(w->state, sizeof *w->state), 0);
    if (w->server) {
        world_stop(w->server, c);
        CHECK_EQ(k_page_free(w->names, svc_name_server_bytes(WORLD_NAMES)), 0);
    }
    world_meet(world_info().clusters);
}

/* Runs body in all clusters of mini with calls inline and by a master core, and on sim of
 * mppa256. */
static inline int world_run(int (*body)(void *arg), void *arg)
{
    struct hal_machine m;
    char why[256];
    for (int i = 0; i < 3; i++) {
        bool sim = strcmp(hal_port_name, "sim") == 0;
        CHECK_EQ(hal_machine_load(i < 2 ? "mini" : "mppa256", &m, why, sizeof why), 0);
        m.asymmetric = i > 0;
        CHECK((i == 2 && !sim) || on_machine(&m, body, arg) == 0);
    }
    return 0;
}

#endif
