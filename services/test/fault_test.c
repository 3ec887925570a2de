/* SPDX-License-Identifier: MIT */
/* Services when something is wrong: no daemon, no server, clusters that end with names, waiting
 * threads and open semaphores, clients that never take their answers, full tables. */
#include <base/fmt.h>
#include <svc/semaphore.h>
#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>

#include "world.h"

enum { A = 0, B = 1, SEMAPHORES = 4, WAITERS = 8 };

static const struct svc_form *form; /* constant while clusters run */
static const struct svc_name_protocol *protocol;

/* Nobody waits for ever for a service that is not there, in I/O clusters neither. */
static void check_nobody(struct svc_client *c)
{
    struct svc_address at;
    CHECK_EQ(svc_name_lookup(c, "a", &at), -B_ENOTCONN);
    CHECK_EQ(svc_name_link(c, "a", 1, SVC_NO_LIMIT), -B_ENOTCONN);
    CHECK_EQ(svc_name_link(c, "a", 1 << 20, SVC_NO_LIMIT), -B_EINVAL);
    CHECK_EQ(svc_name_link(c, "", 1, SVC_NO_LIMIT), -B_EINVAL);
    CHECK_EQ(svc_name_lookup(c, NULL, &at), -B_EINVAL);
    CHECK_EQ(svc_name_beat(c, "a"), -B_ENOTCONN);
    CHECK_EQ(svc_sem_open(c, "a", SVC_SEM_CREATE, 0), -B_ENOTCONN);
    CHECK_EQ(svc_request(c, 999, SVC_NAME, SVC_OP_PING, NULL, 0, NULL, 0, K_FOREVER),
             -B_EHOSTUNREACH);
    /* A daemon alone: its server is missing. */
    struct svc_name_daemon *state = world_pages(sizeof *state);
    svc_name_daemon_init(state, protocol);
    struct svc_daemon *d = world_start(form, &svc_name_daemon, state);
    CHECK_EQ(svc_name_lookup(c, "a", &at), -B_ENOTCONN);
    for (int i = 0; i < SVC_NAME_LOCAL + 1; i++) { /* no slot of its table gets lost */
        CHECK_EQ(svc_name_link(c, "a", 1, SVC_NO_LIMIT), -B_ENOTCONN);
    }
    CHECK_EQ(svc_name_watch(c, "a", 0), -B_ENOTCONN);
    CHECK_EQ(svc_name_unlink(c, "a"), -B_ENOENT);
    world_stop(d, c);
    CHECK_EQ(k_page_free(state, sizeof *state), 0);
    world_meet(world_info().clusters);
}

/* A table that is full says so, and serves on. */
static void check_full(struct svc_client *c)
{
    char name[SVC_NAME_MAX];
    struct svc_address at;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < SVC_NAME_LOCAL; i++) {
            b_fmt(name, sizeof name, "full %d", i);
            CHECK_EQ(svc_name_link(c, name, 1, SVC_NO_LIMIT), 0);
        }
        CHECK_EQ(svc_name_link(c, "one more", 1, SVC_NO_LIMIT), -B_ENOSPC);
        for (int i = 0; i < SVC_NAME_LOCAL; i++) {
            b_fmt(name, sizeof name, "full %d", i);
            CHECK_EQ(svc_name_lookup(c, name, &at), 0);
            CHECK_EQ(svc_name_unlink(c, name), 0);
        }
    }
    /* Names that die unwatched and unasked leave their slot, too. */
    for (int i = 0; i < SVC_NAME_LOCAL; i++) {
        b_fmt(name, sizeof name, "short %d", i);
        CHECK_EQ(svc_name_link(c, name, 1, 1000), 0);
    }
    while (svc_name_link(c, "after", 1, SVC_NO_LIMIT) == -B_ENOSPC) {
        k_thread_sleep(world_info().hz / 1000);
    }
    CHECK_EQ(svc_name_unlink(c, "after"), 0);
}

/* Requests whose answers nobody takes: as many as the port holds and more. Others are served, and
 * the late answer of a request that was given up is not taken for that of the next. */
static void check_sleepers(struct svc_client *c)
{
    struct svc_client sleeper;
    CHECK_EQ(svc_client_open(&sleeper), 0);
    uint64_t ms = world_info().hz / 1000;
    struct svc_message m = {.h = {.service = SVC_NAME_DAEMON, .opcode = SVC_OP_PING}};
    m.h.node = (uint16_t)world_me();
    m.h.port = (uint16_t)sleeper.port;
    for (int i = 0; i < 40; i++) {
        CHECK_EQ(
            k_mailbox_awrite(sleeper.out, world_me(), svc_port(SVC_NAME_DAEMON), &m, sizeof m.h),
            0);
        long r = k_ikc_wait(K_MAILBOX, sleeper.out, 20 * ms);
        if (r == -B_ETIMEDOUT) { /* it takes no more: its answers are all under way */
            CHECK(k_ikc_cancel(K_MAILBOX, sleeper.out) == 0 ||
                  k_ikc_wait(K_MAILBOX, sleeper.out, K_FOREVER) > 0);
            break;
        }
    }
    struct svc_address at;
    CHECK_EQ(svc_name_lookup(c, "stays", &at), 0);
    CHECK_EQ(at.port, 3);
    for (int i = 0; i < 4; i++) {
        int r = svc_request(&sleeper, world_me(), SVC_NAME_DAEMON, SVC_OP_PING, NULL, 0, NULL, 0,
                            i % 2 == 0 ? 1 : K_FOREVER);
        CHECK(r == 0 || (i % 2 == 0 && r == -B_ETIMEDOUT));
    }
    svc_client_close(&sleeper);
    CHECK_EQ(svc_name_lookup(c, "stays", &at), 0);
}

/* B ends: with a name, with a thread that waits for a semaphore. */
static void wait_and_die(void *arg)
{
    struct svc_client c;
    CHECK_EQ(svc_client_open(&c), 0);
    svc_sem_wait(&c, *(int *)arg);
    CHECK(!"a unit reached a cluster that ended");
}

static void end_of_b(struct svc_client *c, int id)
{
    CHECK_EQ(svc_name_link(c, "of B", 5, SVC_NO_LIMIT), 0);
    CHECK(k_thread_create(&(struct k_thread_attr){
              .entry = wait_and_die, .arg = &id, .name = "waits", .core = K_ANY}) >= 0);
    k_thread_sleep(world_info().hz / 50); /* long enough for it to wait, or nothing is tested */
    world_meet(world_info().clusters);
}

static void after_b(struct svc_client *c, int id)
{
    struct svc_address at;
    world_meet(world_info().clusters);
    while (svc_request(c, B, SVC_NAME_DAEMON, SVC_OP_PING, NULL, 0, NULL, 0, K_FOREVER) != -B_EIO) {
        k_thread_sleep(world_info().hz / 1000);
    }
    int r = svc_name_lookup(c, "of B", &at);
    CHECK(r == -B_EIO || r == -B_ENOENT);     /* the second when another cluster asked before */
    CHECK_EQ(svc_name_lookup(c, "of B", &at), /* by the paper's protocol the server is not told */
             protocol == &svc_name_forward ? -B_ENOENT : -B_EIO);
    if (world_me() == A) {
        CHECK_EQ(svc_sem_post(c, id), 0);
        CHECK_EQ(svc_sem_wait(c, id), 0); /* what the dead could not take */
        CHECK_EQ(svc_sem_unlink(c, "unit"), 0);
    }
    /* Home ends last. */
    int nodes[] = {svc_home(), A}, sync;
    if (world_me() == A) {
        CHECK((sync = k_sync_open(nodes, 2, K_ALL_TO_ONE)) >= 0);
        CHECK_EQ(k_sync_signal(sync), 0);
    } else {
        CHECK((sync = k_sync_create(nodes, 2, K_ALL_TO_ONE)) >= 0);
        CHECK_EQ(k_sync_wait(sync, K_FOREVER), 0);
    }
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    int me = world_me(), n = world_info().clusters, id = -1;
    struct svc_address at;
    CHECK_EQ(svc_client_open(&c), 0);
    check_nobody(&c);
    if (me == svc_home()) {
        void *state = world_pages(svc_semaphore_bytes(SEMAPHORES, WAITERS));
        svc_semaphore_init(state, SEMAPHORES, WAITERS);
        world_start(form, &svc_semaphore_server, state);
    }
    world_names_start(form, protocol);
    if (me == A) {
        check_full(&c);
        CHECK_EQ(svc_name_link(&c, "stays", 3, SVC_NO_LIMIT), 0);
    }
    id = svc_sem_open(&c, "unit", SVC_SEM_CREATE, 0);
    CHECK(id >= 0);
    world_meet(n);
    CHECK_EQ(svc_name_lookup(&c, "stays", &at), 0);
    check_sleepers(&c);
    world_meet(n);
    if (me == B) {
        end_of_b(&c, id);
        return 0;
    }
    after_b(&c, id);
    return 0; /* its daemons end with it */
}

int main(void)
{
    static const struct svc_form *const forms[] = {&svc_by_thread, &svc_by_tasks};
    for (int i = 0; i < 4; i++) {
        struct hal_machine m;
        char why[256];
        form = forms[i / 2];
        protocol = i % 2 == 0 ? &svc_name_forward : &svc_name_paper;
        CHECK_EQ(hal_machine_load("mini", &m, why, sizeof why), 0);
        m.asymmetric = i == 1 || i == 2;
        CHECK_EQ(on_machine(&m, body, NULL), 0);
    }
    return 0;
}
