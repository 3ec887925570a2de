/* SPDX-License-Identifier: MIT */
/* A cluster throws random messages at all servers, most of them almost right. The servers go on
 * serving another cluster, whose names and semaphores stay as they were.
 *
 * usage: fuzz_test [messages]; each message that was delivered counts. */
#include <svc/semaphore.h>
#include <svc/shm.h>
#include <svc/spawn_server.h>
#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>

#include "memory.h"

enum { HONEST = 0, ATTACKER = 1, SEMAPHORES = 16, WAITERS = 8, NAMES = 4, VALUE = 3, REGIONS = 4 };

static int attacks; /* constant while clusters run */
static const struct svc_form *form;
static const struct svc_job job = {.ranks = 4, .per_cluster = 2, .map = SVC_MAP_COMPACT};

/* The attacker --------------------------------------------------------------------------------- */

static uint64_t seed; /* of the attacker's cluster alone: set before the clusters run */

static uint32_t next_random(uint64_t *x)
{
    *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*x >> 33);
}

static const uint8_t sizes[] = {0, 4, 8, 64, 68, 72, 16, 80};

static size_t almost_right(struct svc_message *m, uint64_t *x, int port)
{
    memset(m, 0, sizeof *m);
    m->h.service = (uint8_t)(next_random(x) % SVC_SERVICES);
    m->h.opcode = (uint8_t)(next_random(x) % 10);
    m->h.node = ATTACKER;
    m->h.port = next_random(x) % 8 == 0 ? SVC_NOBODY : (uint16_t)port;
    m->h.serial = next_random(x) % 64;
    uint32_t *word = (uint32_t *)m->body;
    for (int i = 0; i < SVC_BODY_MAX / 4; i++)
        word[i] = next_random(x) % 4 == 0 ? next_random(x) : next_random(x) % 8;
    if (next_random(x) % 2 == 0) {
        memset(m->body, 0, SVC_NAME_MAX);
        memcpy(m->body, "x0", 2);
        ((char *)m->body)[1] += (char)(next_random(x) % 8);
    }
    return sizeof m->h + sizes[next_random(x) % sizeof sizes];
}

/* Spoils something, or nothing. */
static size_t spoil(struct svc_message *m, size_t n, uint64_t *x)
{
    switch (next_random(x) % 8) {
    case 0:
        ((char *)m)[next_random(x) % sizeof m->h] = (char)next_random(x);
        break;
    case 1:
        m->h.opcode |= SVC_ANSWER;
        break;
    case 2:
        m->h.port = (uint16_t)(next_random(x) % 20);
        m->h.node = (uint16_t)(next_random(x) % 4);
        break;
    case 3:
        n = next_random(x) % (sizeof *m + 1);
        break;
    default:
        break;
    }
    return n;
}

/* Takes what the servers answer, so that they need not wait for this cluster. */
static void drain(int in, struct svc_message *m)
{
    while (k_ikc_test(K_MAILBOX, in) == 1) {
        CHECK(k_ikc_wait(K_MAILBOX, in, 0) >= 0);
        CHECK_EQ(k_mailbox_aread(in, m, sizeof *m, NULL), 0);
    }
}

static void attack(void)
{
    static const enum svc_service targets[] = {SVC_NAME, SVC_NAME_DAEMON, SVC_SEMAPHORE, SVC_SPAWN,
                                               SVC_RMEM, SVC_SHM,         SVC_SHM_DAEMON};
    uint64_t x = seed;
    struct svc_message m, answer;
    int in = k_mailbox_create(K_ANY), out = k_mailbox_open(K_ANY, K_ANY);
    int port = k_mailbox_get_port(in), clusters = world_info().clusters;
    CHECK_EQ(k_mailbox_aread(in, &answer, sizeof answer, NULL), 0);
    for (int sent = 0; sent < attacks; drain(in, &answer)) {
        size_t n = spoil(&m, almost_right(&m, &x, port), &x);
        enum svc_service target = targets[next_random(&x) % 7];
        int node = target == SVC_NAME_DAEMON  ? (int)(next_random(&x) % (uint32_t)clusters)
                   : target == SVC_SHM_DAEMON ? HONEST
                                              : svc_home();
        if (next_random(&x) % 8 != 0)
            m.h.service = (uint8_t)target;
        if (m.h.opcode == SVC_OP_SHUTDOWN && node == ATTACKER)
            continue; /* its own daemon obeys whom it was told to obey */
        CHECK_EQ(k_mailbox_awrite(out, node, svc_port(target), &m, n), 0);
        long r;
        while ((r = k_ikc_wait(K_MAILBOX, out, world_info().hz / 10000)) == -B_ETIMEDOUT)
            drain(in, &answer); /* its answers may be what the server waits to get rid of */
        CHECK_EQ(r, (long)n);
        sent++;
    }
    CHECK(k_ikc_cancel(K_MAILBOX, in) == 0 || k_ikc_wait(K_MAILBOX, in, 0) >= 0);
    CHECK(k_mailbox_unlink(in) >= 0);
    CHECK_EQ(k_mailbox_close(out), 0);
}

/* The others ----------------------------------------------------------------------------------- */

/* A region that nobody else may open. */
static void check_shared(struct svc_shm *m, const struct svc_shm_region *g)
{
    uint32_t word = 0, next;
    CHECK_EQ(svc_shm_read(m, g, 12, &word, sizeof word), 0);
    CHECK_EQ(svc_shm_read(m, g, SVC_PAGE + 12, &next, sizeof next), 0);
    CHECK_EQ(word, next);
    word++;
    CHECK_EQ(svc_shm_write(m, g, 12, &word, sizeof word), 0);
    CHECK_EQ(svc_shm_write(m, g, SVC_PAGE + 12, &word, sizeof word), 0);
}

/* A page of remote memory, private to this cluster, that nobody else reads or changes. */
static void check_memory(struct svc_rmem *r, uint64_t at)
{
    uint64_t word = 0;
    CHECK_EQ(svc_rmem_read(r, at + 8, &word, sizeof word), 0);
    CHECK_EQ(word, at);
    CHECK_EQ(svc_rmem_write(r, at + 8, &at, sizeof at), 0);
}

static void check_service(struct svc_client *c, int id)
{
    struct svc_address at;
    int value = -1;
    CHECK_EQ(svc_sem_wait(c, id), 0);
    CHECK_EQ(svc_sem_value(c, id, &value), 0);
    CHECK_EQ(value, VALUE - 1);
    CHECK_EQ(svc_sem_post(c, id), 0);
    char name[] = "honest 0";
    for (int i = 0; i < NAMES; i++) {
        name[7] = (char)('0' + i);
        CHECK_EQ(svc_name_lookup(c, name, &at), 0);
        CHECK_EQ(at.node, HONEST);
        CHECK_EQ(at.port, i);
    }
    struct svc_end end;
    CHECK_EQ(svc_spawn_wait(c, 0, 0, &end), -B_ETIMEDOUT); /* its rank still runs */
}

static void honest(struct svc_client *c, int n)
{
    char name[] = "honest 0";
    for (int i = 0; i < NAMES; i++) {
        name[7] = (char)('0' + i);
        CHECK_EQ(svc_name_link(c, name, i, SVC_NO_LIMIT), 0);
    }
    int id = svc_sem_open(c, "honest", SVC_SEM_CREATE, VALUE);
    CHECK(id >= 0);
    int done = k_mailbox_create(K_ANY);
    char byte;
    struct svc_rmem *r = world_pages(sizeof *r);
    uint64_t at;
    CHECK_EQ(svc_rmem_start(r, c, &(struct svc_rmem_attr){.policy = &svc_rmem_bypass}), 0);
    CHECK_EQ(svc_rmem_alloc(c, SVC_PAGE, 0, &at), 0);
    CHECK_EQ(svc_rmem_write(r, at + 8, &at, sizeof at), 0);
    struct svc_shm *shared = world_pages(sizeof *shared);
    struct svc_shm_region g;
    CHECK_EQ(svc_shm_start(shared, c, &(struct svc_rmem_attr){.lines = 1}), 0);
    CHECK_EQ(svc_shm_open(c, "honest", SVC_SHM_CREATE, 2 * SVC_PAGE, 0, &g), 0);
    CHECK_EQ(svc_name_link(c, "done", k_mailbox_get_port(done), SVC_NO_LIMIT), 0);
    CHECK_EQ(k_mailbox_aread(done, &byte, 1, NULL), 0);
    world_meet(n);
    long got;
    do {
        check_service(c, id);
        check_memory(r, at);
        check_shared(shared, &g);
        got = k_ikc_wait(K_MAILBOX, done, world_info().hz / 100);
    } while (got == -B_ETIMEDOUT);
    CHECK_EQ(got, 1);
    check_service(c, id);
    check_memory(r, at);
    check_shared(shared, &g);
    CHECK(shared->daemon.server.refused > 0);
    CHECK_EQ(svc_shm_close(shared, c, &g), 0);
    CHECK_EQ(svc_shm_stop(shared, c), 0);
    CHECK_EQ(k_page_free(shared, sizeof *shared), 0);
    CHECK_EQ(svc_rmem_stop(r), 0);
    CHECK_EQ(k_page_free(r, sizeof *r), 0);
    CHECK_EQ(k_mailbox_unlink(done), 0);
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    int me = world_me(), n = world_info().clusters;
    struct svc_daemon *semaphores = NULL, *spawn = NULL, *shared = NULL;
    CHECK_EQ(svc_client_open(&c), 0);
    if (me == svc_home()) {
        void *state = world_pages(svc_semaphore_bytes(SEMAPHORES, WAITERS));
        svc_semaphore_init(state, SEMAPHORES, WAITERS);
        semaphores = world_start(form, &svc_semaphore_server, state);
        state = world_pages(svc_spawn_server_bytes(&job));
        svc_spawn_server_init(state, &job, 50000);
        spawn = world_start(form, &svc_spawn_server, state);
        state = world_pages(svc_shm_server_bytes(REGIONS, 2 * MEMORY_BLOCKS));
        svc_shm_server_init(state, REGIONS, 2 * MEMORY_BLOCKS);
        shared = world_start(form, &svc_shm_server, state);
    }
    struct memory_server memory = memory_start(form);
    struct world_names w = world_names_start(form, &svc_name_forward);
    if (me == HONEST)
        honest(&c, n);
    else
        world_meet(n);
    if (me == ATTACKER) {
        struct svc_address at;
        int out = k_mailbox_open(K_ANY, K_ANY);
        CHECK_EQ(svc_name_lookup(&c, "done", &at), 0);
        attack();
        CHECK_EQ(k_mailbox_writeto(out, at.node, at.port, "!", 1), 1);
    }
    world_meet(n);
    if (me == svc_home()) {
        CHECK(semaphores->server.refused > 0 && spawn->server.refused > 0);
        CHECK(w.server->server.refused > 0 && w.daemon->server.refused > 0);
        CHECK(memory.daemon->server.refused > 0 && shared->server.refused > 0);
        world_stop(shared, &c);
        memory_stop(&memory, &c);
        world_stop(spawn, &c);
        world_stop(semaphores, &c);
    }
    world_names_stop(&w, &c);
    return 0;
}

static void run(int messages, bool asymmetric, const struct svc_form *how, uint64_t with)
{
    struct hal_machine m;
    char why[256];
    CHECK_EQ(hal_machine_load("mini", &m, why, sizeof why), 0);
    m.asymmetric = asymmetric;
    m.io_memory *= 2; /* all servers, and a kernel with flows of tasks */
    attacks = messages;
    form = how;
    seed = with;
    CHECK_EQ(on_machine(&m, body, NULL), 0);
}

int main(int argc, char **argv)
{
    int messages = strcmp(hal_port_name, "sim") == 0 ? 100000 : 4000;
    if (argc > 1)
        messages = atoi(argv[1]);
    run(messages / 4, false, &svc_by_thread, 1);
    run(messages / 4, true, &svc_by_thread, 2);
    run(messages / 4, false, &svc_by_tasks, 3);
    run(messages / 4, true, &svc_by_tasks, 4);
    return 0;
}
