/* SPDX-License-Identifier: MIT */
/* A server is shut down under load: who has asked it, or asks it later, is told that it is not
 * there any more. Nobody waits for the answer to a request that was received, but not read, or that
 * was to be answered later. */
#include <svc/rmem.h>
#include <svc/semaphore.h>
#include <svc/spawn_server.h>

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
                svc_request(&c, node, SVC_RMEM, SVC_OP_PING, NULL, 0, NULL, 0, K_FOREVER)) == 0)
        k_thread_sleep(1);
    svc_client_close(&c);
}

static int read_on(struct svc_rmem *r, uint64_t at)
{
    char byte;
    int e;
    while ((e = svc_rmem_read(r, at, &byte, 1)) == 0)
        CHECK_EQ(byte, 0);
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
    if (m.daemon) {
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

/* Those who wait for something when it ends: a unit, the end of a rank, the end of a name. */
enum { WAITS = 3 };
static const struct svc_job job = {.ranks = 4, .per_cluster = 2, .map = SVC_MAP_COMPACT};

static void wait_for(void *arg)
{
    struct asker *a = arg;
    struct svc_client c;
    struct svc_end end;
    CHECK_EQ(svc_client_open(&c), 0);
    a->result = a->id == 0   ? svc_sem_wait(&c, svc_sem_open(&c, "unit", 0, 0))
                : a->id == 1 ? svc_spawn_wait(&c, 0, SVC_NO_LIMIT, &end)
                             : svc_name_watch(&c, "stays", SVC_NO_LIMIT);
    svc_client_close(&c);
}

static void check_waits(struct svc_client *c, const struct svc_form *form)
{
    int n = world_info().clusters;
    struct svc_daemon *semaphores = NULL, *spawn = NULL;
    size_t size[] = {svc_semaphore_bytes(1, n), svc_spawn_server_bytes(&job)};
    void *state[] = {world_pages(size[0]), world_pages(size[1])};
    struct asker waits[WAITS];
    if (world_me() == svc_home()) {
        svc_semaphore_init(state[0], 1, n);
        semaphores = world_start(form, &svc_semaphore_server, state[0]);
        svc_spawn_server_init(state[1], &job, 0);
        spawn = world_start(form, &svc_spawn_server, state[1]);
    }
    struct world_names names = world_names_start(form, &svc_name_forward);
    if (world_me() == svc_home())
        CHECK_EQ(svc_name_link(c, "stays", 1, SVC_NO_LIMIT), 0);
    int id = svc_sem_open(c, "unit", SVC_SEM_CREATE, 0), who = world_me() < 2 ? WAITS : 0;
    CHECK(id >= 0);
    world_meet(n);
    for (int i = 0; i < who; i++) {
        waits[i] = (struct asker){.id = i};
        waits[i].thread = k_thread_create(&(struct k_thread_attr){
            .entry = wait_for, .arg = &waits[i], .name = "waits", .core = K_ANY});
        CHECK(waits[i].thread >= 0);
    }
    k_thread_sleep(world_info().hz / 500); /* they wait, or are refused before: both are right */
    world_meet(n);
    if (semaphores) {
        world_stop(semaphores, c);
        world_stop(spawn, c);
    }
    world_names_stop(&names, c);
    for (int i = 0; i < who; i++) {
        CHECK_EQ(k_thread_join(waits[i].thread, NULL), 0);
        CHECK_EQ(waits[i].result, -B_ENOTCONN);
    }
    CHECK_EQ(k_page_free(state[0], size[0]), 0);
    CHECK_EQ(k_page_free(state[1], size[1]), 0);
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
    check_waits(&c, &svc_by_thread);
    check_waits(&c, &svc_by_tasks);
    svc_client_close(&c);
    return 0;
}

int main(void)
{
    return world_run(body, NULL);
}
