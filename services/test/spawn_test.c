/* SPDX-License-Identifier: MIT */
/* The spawn server: ends and crashes of ranks are told to who waits for them; services end level by
 * level. */
#include <svc/semaphore.h>
#include <svc/spawn_server.h>
#include <sys/k_mailbox.h>

#include "world.h"

enum { RANKS = 6, FAILS = 4, STATUS = 77, WATCH_US = 50000 };

static const struct svc_form *form; /* constant while clusters run */
static const struct svc_job job = {.ranks = RANKS, .per_cluster = 3, .map = SVC_MAP_COMPACT};

static int rank_main(int rank, void *arg)
{
    (void)arg;
    k_thread_sleep(world_info().hz / 1000 * (uint64_t)(rank + 1));
    return rank == FAILS ? STATUS : 0;
}

static struct svc_end wait_for(struct svc_client *c, int rank)
{
    struct svc_end end = {-9, SVC_RUNS, 0};
    CHECK_EQ(svc_spawn_wait(c, rank, SVC_NO_LIMIT, &end), 0);
    return end;
}

/* At home, while the ranks run elsewhere. */
static void check_ends(struct svc_client *c)
{
    struct svc_end end;
    CHECK_EQ(svc_spawn_wait(c, RANKS, 0, &end), -B_EINVAL);
    CHECK_EQ(svc_spawn_wait(c, -3, 0, &end), -B_EINVAL);
    CHECK_EQ(svc_spawn_ended(c, 0, 0), -B_EPERM); /* it does not live here */
    CHECK_EQ(svc_spawn_ended(c, RANKS, 0), -B_EINVAL);
    CHECK_EQ(svc_spawn_ended(c, -1, 0), -B_EINVAL);
    end = wait_for(c, SVC_FIRST_FAILURE);
    CHECK_EQ(end.rank, FAILS);
    CHECK_EQ(end.status, STATUS);
    end = wait_for(c, SVC_ALL_RANKS);
    CHECK_EQ(end.rank, FAILS);
    CHECK_EQ(end.fate, SVC_ENDED);
    for (int i = 0; i < RANKS; i++) {
        end = wait_for(c, i);
        CHECK_EQ(end.rank, i);
        CHECK_EQ(end.fate, SVC_ENDED);
        CHECK_EQ(end.status, i == FAILS ? STATUS : 0);
    }
}

/* A service of level 2, made by hand: when it is asked to end, that of level 1 still answers. */
static void end_in_order(struct svc_client *c)
{
    struct svc_message m;
    struct k_source from;
    int in = k_mailbox_create(svc_port(SVC_RMEM)), out = k_mailbox_open(K_ANY, K_ANY);
    CHECK_EQ(svc_spawn_enlist(c, SVC_RMEM, 2), 0);
    CHECK_EQ(svc_spawn_enlist(c, SVC_RMEM, 1), -B_EEXIST);
    CHECK_EQ(svc_spawn_enlist(c, SVC_SERVICES, 1), -B_EINVAL);
    CHECK_EQ(svc_spawn_enlist(c, SVC_SHM, 2), 0); /* which does not exist */
    CHECK_EQ(svc_spawn_finish(c), -B_EPERM);
    world_meet(world_info().clusters);
    CHECK_EQ(k_mailbox_read(in, &m, sizeof m, &from), sizeof m.h);
    CHECK_EQ(m.h.opcode, SVC_OP_SHUTDOWN);
    for (int i = 0; i < 3; i++) {
        k_thread_sleep(world_info().hz / 1000);
        CHECK_EQ(
            svc_request(c, svc_home(), SVC_SEMAPHORE, SVC_OP_PING, NULL, 0, NULL, 0, K_FOREVER), 0);
    }
    m.h.opcode |= SVC_ANSWER;
    CHECK_EQ(k_mailbox_writeto(out, m.h.node, m.h.port, &m, sizeof m.h), sizeof m.h);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    CHECK_EQ(k_mailbox_close(out), 0);
}

static int home(struct svc_client *c)
{
    int clusters = world_info().clusters;
    void *spawn = world_pages(svc_spawn_server_bytes(&job));
    void *state = world_pages(svc_semaphore_bytes(2, 2));
    svc_spawn_server_init(spawn, &job, WATCH_US);
    svc_semaphore_init(state, 2, 2);
    struct svc_daemon *d = world_start(form, &svc_spawn_server, spawn);
    struct svc_daemon *semaphores = world_start(form, &svc_semaphore_server, state);
    CHECK_EQ(svc_spawn_enlist(c, SVC_SEMAPHORE, 1), 0);
    world_meet(clusters);
    check_ends(c);
    world_meet(clusters);
    CHECK_EQ(svc_spawn_finish(c), 0);
    CHECK_EQ(svc_daemon_join(semaphores), 0);
    CHECK_EQ(svc_request(c, svc_home(), SVC_SEMAPHORE, SVC_OP_PING, NULL, 0, NULL, 0, K_FOREVER),
             -B_ENOTCONN);
    world_stop(d, c);
    return 0;
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    int me = world_me(), clusters = world_info().clusters;
    CHECK_EQ(svc_client_open(&c), 0);
    if (me == svc_home())
        return home(&c);
    world_meet(clusters);
    int fails = me == FAILS / job.per_cluster;
    CHECK_EQ(svc_spawn_run_reported(&job, rank_main, NULL), fails ? STATUS : 0);
    CHECK_EQ(svc_spawn_ended(&c, me * job.per_cluster, 0),
             me * job.per_cluster < RANKS ? -B_EEXIST : -B_EINVAL);
    if (me == 0)
        end_in_order(&c);
    else
        world_meet(clusters);
    svc_client_close(&c);
    return 0;
}

/* Cluster 1 ends, its ranks with it. */
static int crash(void *arg)
{
    (void)arg;
    struct svc_client c;
    int me = world_me();
    struct svc_daemon *d = NULL;
    CHECK_EQ(svc_client_open(&c), 0);
    if (me == svc_home()) {
        void *spawn = world_pages(svc_spawn_server_bytes(&job));
        svc_spawn_server_init(spawn, &job, WATCH_US);
        d = world_start(form, &svc_spawn_server, spawn);
    }
    world_meet(world_info().clusters);
    if (me == 0)
        CHECK_EQ(svc_spawn_run_reported(&job, rank_main, NULL), 0);
    if (!d)
        return 0;
    struct svc_end end = wait_for(&c, SVC_FIRST_FAILURE);
    CHECK_EQ(end.rank, 3);
    CHECK_EQ(end.fate, SVC_CRASHED);
    end = wait_for(&c, SVC_ALL_RANKS);
    CHECK_EQ(end.rank, 3);
    for (int i = 0; i < RANKS; i++)
        CHECK_EQ(wait_for(&c, i).fate, i < 3 ? SVC_ENDED : SVC_CRASHED);
    CHECK_EQ(svc_spawn_wait(&c, 0, 0, &end), 0);
    world_stop(d, &c);
    return 0;
}

int main(void)
{
    static const struct svc_form *const forms[] = {&svc_by_thread, &svc_by_tasks};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        form = forms[i];
        CHECK_EQ(world_run(body, NULL), 0);
        struct hal_machine m;
        char why[256];
        CHECK_EQ(hal_machine_load("mini", &m, why, sizeof why), 0);
        CHECK_EQ(on_machine(&m, crash, NULL), 0);
        m.asymmetric = true;
        CHECK_EQ(on_machine(&m, crash, NULL), 0);
    }
    return 0;
}
