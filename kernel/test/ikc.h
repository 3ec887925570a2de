/* SPDX-License-Identifier: MIT */
/* Runs the body of a test in every cluster of a machine; meeting points between them. */
#ifndef KERNEL_TEST_IKC_H
#define KERNEL_TEST_IKC_H

#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>
#include <sys/k_sync.h>
#include <sys/k_thread.h>
#include <test/on_machine.h>

enum { IKC_LONG = 1000000000 }; /* cycles: longer than anything here takes */

static inline int ikc_me(void)
{
    struct k_info info;
    k_info(&info);
    return info.cluster;
}

/* One thread of each of the clusters 0 .. n-1 comes; all leave together. */
static inline void ikc_meet(int n)
{
    int nodes[64];
    for (int i = 0; i < n; i++)
        nodes[i] = i;
    bool master = ikc_me() == 0;
    enum k_sync_type in = master ? K_ALL_TO_ONE : K_ONE_TO_ALL;
    enum k_sync_type out = master ? K_ONE_TO_ALL : K_ALL_TO_ONE;
    int wait = k_sync_create(nodes, n, in), signal = k_sync_open(nodes, n, out);
    CHECK(wait >= 0 && signal >= 0);
    if (!master)
        CHECK_EQ(k_sync_signal(signal), 0);
    CHECK_EQ(k_sync_wait(wait, K_FOREVER), 0);
    if (master)
        CHECK_EQ(k_sync_signal(signal), 0);
    CHECK_EQ(k_sync_close(signal), 0);
    CHECK_EQ(k_sync_unlink(wait), 0);
}

static inline uint64_t ikc_stat_mailbox(int id, enum k_stat what)
{
    uint64_t v = 0;
    CHECK_EQ(k_mailbox_stat(id, what, &v), 0);
    return v;
}

static inline uint64_t ikc_stat_portal(int id, enum k_stat what)
{
    uint64_t v = 0;
    CHECK_EQ(k_portal_stat(id, what, &v), 0);
    return v;
}

/* Returns when the operation is complete: where operations run by tasks, that is a little after the
 * call which made it so. */
static inline void ikc_until_complete(enum k_facility f, int id)
{
    while (k_ikc_test(f, id) == 0)
        k_thread_yield();
    CHECK_EQ(k_ikc_test(f, id), 1);
}

/* Cancels a write; false: it was stored after all, which ended it. */
static inline bool ikc_take_back(int out)
{
    long r = k_ikc_cancel(K_MAILBOX, out);
    if (r == -B_EBUSY) { /* under way: it will be stored or refused */
        r = k_ikc_wait(K_MAILBOX, out, K_FOREVER);
        CHECK(r >= 0 || r == -B_ECANCELED);
    }
    return r <= 0;
}

/* Writes numbers to the mailbox `out`, which leads to cluster `node`, until one is refused, which
 * never happened then. Returns how many were stored. Verdicts of a cluster come in order: once it
 * has refused an announcement for a portal that is not there, it has judged the number before. */
static inline int ikc_fill(int out, int node)
{
    int after = k_portal_open(node, (int)hal_machine()->portal_ports - 1);
    for (int i = 0;; i++) {
        CHECK_EQ(k_mailbox_awrite(out, K_ANY, K_ANY, &i, sizeof i), 0);
        CHECK_EQ(k_portal_write(after, NULL, 0), -B_ENOTCONN);
        if (k_ikc_test(K_MAILBOX, out) == 0 && ikc_take_back(out)) {
            CHECK_EQ(k_portal_close(after), 0);
            return i;
        }
        if (k_ikc_test(K_MAILBOX, out) == 1)
            CHECK_EQ(k_ikc_wait(K_MAILBOX, out, 0), sizeof i);
    }
}

/* The same, but the refused one stays pending. */
static inline int ikc_flood(int out, int node)
{
    int n = ikc_fill(out, node);
    CHECK_EQ(k_mailbox_awrite(out, K_ANY, K_ANY, &n, sizeof n), 0);
    return n;
}

/* What one port can store for the calling cluster if all others are empty: the owner then calls
 * ikc_drain. A buffer that got lost anywhere makes it less. */
static inline int ikc_capacity(int node, int port)
{
    int out = k_mailbox_open(node, port);
    int n = ikc_fill(out, node);
    CHECK_EQ(k_mailbox_close(out), 0);
    return n;
}

static inline int ikc_core(void)
{
    struct k_info info;
    k_info(&info);
    return info.core;
}

/* Returns when a thread of the caller's core waits in its read of the mailbox or portal `in`. */
static inline void ikc_until_read(enum k_facility f, int in)
{
    while (k_ikc_test(f, in) != 0) {
        CHECK(k_ikc_test(f, in) != 1);
        k_thread_yield();
    }
    /* A master core that makes this call has let the reader go on before: it runs first here. */
    CHECK((f == K_MAILBOX ? k_mailbox_get_port(in) : k_portal_get_port(in)) >= 0);
}

static inline void ikc_drain(int in, int n)
{
    for (int i = 0, got = 0; i < n; i++) {
        CHECK_EQ(k_mailbox_read(in, &got, sizeof got, NULL), sizeof got);
        CHECK_EQ(got, i);
    }
}

/* Loads machine `name`; change what the test needs, then ikc_run it. */
static inline struct hal_machine ikc_machine(const char *name, bool asymmetric)
{
    struct hal_machine m;
    char why[256];
    CHECK_EQ(hal_machine_load(name, &m, why, sizeof why), 0);
    m.asymmetric = asymmetric;
    return m;
}

/* On mini with calls inline and by a master core, and on sim on mppa256. */
static inline int ikc_on_machines(int (*body)(void *arg))
{
    struct hal_machine m = ikc_machine("mini", false);
    CHECK_EQ(on_machine(&m, body, NULL), 0);
    m = ikc_machine("mini", true);
    CHECK_EQ(on_machine(&m, body, NULL), 0);
    if (strcmp(hal_port_name, "sim") == 0) {
        m = ikc_machine("mppa256", true);
        CHECK_EQ(on_machine(&m, body, NULL), 0);
    }
    return 0;
}

#endif
