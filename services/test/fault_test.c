/* SPDX-License-Identifier: MIT */
/* Services when something is wrong: no daemon, no server, a server that is late, clusters that end
 * with names, requests, waiting threads and open semaphores, clients that take their answers late
 * or never, full tables. */
#include <base/fmt.h>
#include <svc/semaphore.h>
#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>

#include "world.h"

enum { A = 0, B = 1, SEMAPHORES = 4, WAITERS = 8 };

static const struct svc_form *form; /* constant while clusters run */
static const struct svc_name_protocol *protocol;

/* Longer than anybody who watched a clock would wait, where that costs nothing. */
static uint64_t very_long(void)
{
    uint64_t hz = world_info().hz;
    return strcmp(hal_port_name, "sim") == 0 ? 100 * hz : hz / 20;
}

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
    for (int i = 0; i < SVC_NAME_LOCAL + 1; i++) /* no slot of its table gets lost */
        CHECK_EQ(svc_name_link(c, "a", 1, SVC_NO_LIMIT), -B_ENOTCONN);
    CHECK_EQ(svc_name_watch(c, "a", 0), -B_ENOTCONN);
    CHECK_EQ(svc_name_unlink(c, "a"), -B_ENOENT);
    world_stop(d, c);
    CHECK_EQ(k_page_free(state, sizeof *state), 0);
    world_meet(world_info().clusters);
}

/* Nobody gives up a server that is there, however late its answers come. */
static void serve_late(void *arg)
{
    k_thread_sleep(very_long());
    svc_server_run(arg);
}

static void check_late(struct svc_client *c)
{
    char name[SVC_NAME_MAX];
    struct svc_address at;
    size_t bytes = svc_semaphore_bytes(1, WAITERS);
    struct svc_name_daemon *state = world_pages(sizeof *state);
    struct svc_server *s = world_pages(2 * sizeof *s);
    void *names = world_pages(svc_name_server_bytes(WORLD_NAMES)), *semaphores = world_pages(bytes);
    int thread[2] = {-1, -1}, home = svc_home(), n = world_info().clusters;
    if (world_me() == home) {
        svc_name_server_init(names, WORLD_NAMES);
        svc_semaphore_init(semaphores, 1, WAITERS);
        CHECK_EQ(svc_server_open(&s[0], &svc_name_server, names, home), 0);
        CHECK_EQ(svc_server_open(&s[1], &svc_semaphore_server, semaphores, home), 0);
        for (int i = 0; i < 2; i++) {
            thread[i] = k_thread_create(&(struct k_thread_attr){
                .entry = serve_late, .arg = &s[i], .name = "late", .core = K_ANY});
            CHECK(thread[i] >= 0);
        }
    }
    world_meet(n);
    svc_name_daemon_init(state, protocol);
    struct svc_daemon *d = world_start(form, &svc_name_daemon, state);
    b_fmt(name, sizeof name, "late %d", world_me());
    CHECK_EQ(svc_name_link(c, name, 1, SVC_NO_LIMIT), 0);
    CHECK(svc_sem_open(c, "late", SVC_SEM_CREATE, 0) >= 0);
    CHECK_EQ(svc_name_lookup(c, name, &at), 0);
    CHECK_EQ(svc_name_unlink(c, name), 0);
    world_meet(n);
    world_stop(d, c);
    for (int i = 0; i < 2 && thread[i] >= 0; i++) {
        CHECK_EQ(
            svc_request(c, home, s[i].class->service, SVC_OP_SHUTDOWN, NULL, 0, NULL, 0, K_FOREVER),
            0);
        CHECK_EQ(k_thread_join(thread[i], NULL), 0);
    }
    CHECK_EQ(k_page_free(state, sizeof *state), 0);
    CHECK_EQ(k_page_free(s, 2 * sizeof *s), 0);
    CHECK_EQ(k_page_free(names, svc_name_server_bytes(WORLD_NAMES)), 0);
    CHECK_EQ(k_page_free(semaphores, bytes), 0);
    world_meet(n);
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
    while (svc_name_link(c, "after", 1, SVC_NO_LIMIT) == -B_ENOSPC)
        k_thread_sleep(world_info().hz / 1000);
    CHECK_EQ(svc_name_unlink(c, "after"), 0);
}

/* Has the daemon of its cluster send n answers. */
static void ask_often(struct svc_client *c, int n)
{
    uint64_t ms = world_info().hz / 1000;
    struct svc_message m = {.h = {.service = SVC_NAME_DAEMON, .opcode = SVC_OP_PING}};
    m.h.node = (uint16_t)world_me();
    m.h.port = (uint16_t)c->port;
    for (int i = 0; i < n; i++) {
        CHECK_EQ(k_mailbox_awrite(c->out, world_me(), svc_port(SVC_NAME_DAEMON), &m, sizeof m.h),
                 0);
        long r = k_ikc_wait(K_MAILBOX, c->out, 20 * ms);
        if (r == -B_ETIMEDOUT) { /* it takes no more: its answers are all under way */
            CHECK(k_ikc_cancel(K_MAILBOX, c->out) == 0 ||
                  k_ikc_wait(K_MAILBOX, c->out, K_FOREVER) > 0);
            break;
        }
    }
}

/* Answers wait for who takes them late, as long as nobody needs their places. */
static void check_late_taker(void)
{
    enum { ANSWERS = SVC_OUT - SVC_ROOM };
    struct svc_client c;
    struct svc_message m;
    CHECK_EQ(svc_client_open(&c), 0);
    ask_often(&c, ANSWERS);
    k_thread_sleep(very_long());
    for (int i = 0; i < ANSWERS; i++) {
        CHECK_EQ(k_mailbox_aread(c.in, &m, sizeof m, NULL), 0);
        CHECK_EQ(k_ikc_wait(K_MAILBOX, c.in, very_long()), (long)sizeof m.h);
    }
    svc_client_close(&c);
}

/* Requests whose answers nobody takes: as many as the port holds and more. Others are served, and
 * the late answer of a request that was given up is not taken for that of the next. */
static void check_sleepers(struct svc_client *c)
{
    struct svc_client sleeper;
    CHECK_EQ(svc_client_open(&sleeper), 0);
    ask_often(&sleeper, 40);
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

/* Requests to its daemon are stored, but not answered before it ends, if it is deaf. */
static void end_of_b(struct svc_client *c, struct world_names *w, int id, bool deaf)
{
    CHECK_EQ(svc_name_link(c, "of B", 5, SVC_NO_LIMIT), 0);
    if (deaf) {
        world_stop(w->daemon, c);
        CHECK(k_mailbox_create(svc_port(SVC_NAME_DAEMON)) >= 0);
    }
    CHECK(k_thread_create(&(struct k_thread_attr){
              .entry = wait_and_die, .arg = &id, .name = "waits", .core = K_ANY}) >= 0);
    k_thread_sleep(world_info().hz / 50); /* long enough for it to wait, or nothing is tested */
    world_meet(world_info().clusters);
    if (deaf)
        k_thread_sleep(world_info().hz / 50); /* for the requests */
}

static void after_b(struct svc_client *c, int id, bool deaf)
{
    struct svc_address at;
    world_meet(world_info().clusters);
    if (deaf) { /* the end comes while the answer is waited for */
        int early = svc_name_lookup(c, "of B", &at);
        CHECK(early == -B_EIO || early == -B_ENOENT);
    }
    while (svc_request(c, B, SVC_NAME_DAEMON, SVC_OP_PING, NULL, 0, NULL, 0, K_FOREVER) != -B_EIO)
        k_thread_sleep(world_info().hz / 1000);
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
    check_late(&c);
    if (me == svc_home()) {
        void *state = world_pages(svc_semaphore_bytes(SEMAPHORES, WAITERS));
        svc_semaphore_init(state, SEMAPHORES, WAITERS);
        world_start(form, &svc_semaphore_server, state);
    }
    struct world_names w = world_names_start(form, protocol);
    if (me == A) {
        check_full(&c);
        CHECK_EQ(svc_name_link(&c, "stays", 3, SVC_NO_LIMIT), 0);
    }
    id = svc_sem_open(&c, "unit", SVC_SEM_CREATE, 0);
    CHECK(id >= 0);
    world_meet(n);
    CHECK_EQ(svc_name_lookup(&c, "stays", &at), 0);
    check_late_taker();
    check_sleepers(&c);
    world_meet(n);
    bool deaf = form == &svc_by_tasks;
    if (me == B) {
        end_of_b(&c, &w, id, deaf);
        return 0;
    }
    after_b(&c, id, deaf);
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
