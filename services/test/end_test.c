/* SPDX-License-Identifier: MIT */
/* A server is shut down under load: who has asked it, or asks it later, is told that it is not
 * there any more. Nobody waits for the answer to a request that was received, but not read. */
#include <svc/rmem.h>

#include "memory.h"

enum { THREADS = 3, ROUNDS = 4 };

struct asker {
    int thread, id, result;
};

/* Asks the memory server until it is told something else than an answer. */
static void ask(void *arg)
{
    struct asker *a = arg;
    struct svc_client c;
    CHECK_EQ(svc_client_open(&c), 0);
    int node = svc_rmem_server_node(0);
    while ((a->result =
                svc_request(&c, node, SVC_RMEM, SVC_OP_PING, NULL, 0, NULL, 0, K_FOREVER)) == 0) {
        k_thread_sleep(1);
    }
    svc_client_close(&c);
}

static int read_on(struct svc_rmem *r, uint64_t at)
{
    char byte;
    int e;
    while ((e = svc_rmem_read(r, at, &byte, 1)) == 0) {
        CHECK_EQ(byte, 0);
    }
    return e;
}

static void check(struct svc_client *c, const struct svc_form *form, struct svc_rmem_attr how,
                  uint64_t delay)
{
    int n = world_info().clusters;
    struct memory_server m = memory_start(form);
    struct asker asker[THREADS];
    struct svc_rmem *r = world_pages(sizeof *r);
    uint64_t at;
    world_meet(n);
    CHECK_EQ(svc_rmem_start(r, c, &how), 0);
    CHECK_EQ(svc_rmem_alloc(c, SVC_PAGE, 0, &at), 0);
    for (int i = 0; i < THREADS; i++) {
        asker[i] = (struct asker){.id = i};
        asker[i].thread = k_thread_create(
            &(struct k_thread_attr){.entry = ask, .arg = &asker[i], .name = "asks", .core = K_ANY});
        CHECK(asker[i].thread >= 0);
    }
    world_meet(n);
    if (m.daemon != NULL) {
        k_thread_sleep(delay);
        memory_stop(&m, c);
    } else {
        CHECK_EQ(read_on(r, at), -B_ENOTCONN);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK_EQ(k_thread_join(asker[i].thread, NULL), 0);
        CHECK_EQ(asker[i].result, -B_ENOTCONN);
    }
    CHECK_EQ(svc_rmem_stop(r), 0);
    CHECK_EQ(k_page_free(r, sizeof *r), 0);
    world_meet(n);
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    uint64_t us = world_info().hz / 1000000;
    CHECK_EQ(svc_client_open(&c), 0);
    for (int i = 0; i < ROUNDS; i++) {
        struct svc_rmem_attr how = {.policy = &svc_rmem_bypass,
                                    .form = i % 2 == 0 ? &svc_rmem_by_thread : &svc_rmem_by_tasks,
                                    .protocol =
                                        i < ROUNDS / 2 ? &svc_rmem_direct : &svc_rmem_paper};
        check(&c, i % 2 == 0 ? &svc_by_thread : &svc_by_tasks, how, (uint64_t)(90 + 13 * i) * us);
    }
    svc_client_close(&c);
    return 0;
}

int main(void)
{
    return world_run(body, NULL);
}
