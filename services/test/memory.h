/* SPDX-License-Identifier: MIT */
/* Memory servers for tests, and what tests of remote and shared memory have in common. */
#ifndef SERVICES_TEST_MEMORY_H
#define SERVICES_TEST_MEMORY_H

#include <svc/rmem.h>

#include <sys/k_mailbox.h>

#include "world.h"

enum { MEMORY_BLOCKS = 24, MEMORY_PORT = 6 };

static inline uint32_t memory_random(uint64_t *x)
{
    *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*x >> 33);
}

/* In each cluster; does something where a memory server belongs. */
struct memory_server {
    struct svc_daemon *daemon;
    void *state;
};

static inline struct memory_server memory_start(const struct svc_form *form)
{
    struct memory_server m = {NULL, NULL};
    int here = world_me() - svc_rmem_server_node(0);
    if (here >= 0 && here < svc_rmem_servers()) {
        m.state = world_pages(svc_rmem_server_bytes(MEMORY_BLOCKS));
        svc_rmem_server_init(m.state, MEMORY_BLOCKS);
        m.daemon = world_start(form, &svc_rmem_server, m.state);
    }
    return m;
}

static inline void memory_stop(struct memory_server *m, struct svc_client *c)
{
    if (m->daemon) {
        world_stop(m->daemon, c);
        CHECK_EQ(k_page_free(m->state, svc_rmem_server_bytes(MEMORY_BLOCKS)), 0);
    }
}

/* Cluster 0 tells the others something small. */
static inline void memory_tell(void *what, size_t size, int n)
{
    int in = k_mailbox_create(MEMORY_PORT), out = k_mailbox_open(K_ANY, K_ANY);
    CHECK(in >= 0 && out >= 0);
    world_meet(n);
    for (int i = 1; world_me() == 0 && i < n; i++)
        CHECK_EQ(k_mailbox_writeto(out, i, MEMORY_PORT, what, size), size);
    if (world_me() != 0)
        CHECK_EQ(k_mailbox_read(in, what, size, NULL), size);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    CHECK_EQ(k_mailbox_close(out), 0);
}

#endif
