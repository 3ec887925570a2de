/* SPDX-License-Identifier: MIT */
/* Many threads of all clusters link, unlink, look up, watch, wait and post at once. Each name
 * has an owner who knows where it is; when all is quiet everybody must find it there and nowhere
 * else, whatever was in his cache. Units of a semaphore are neither lost nor doubled.
 *
 * usage: stress_test [seeds]; on sim a seed is an order of simultaneous events. */
#include <base/fmt.h>
#include <svc/semaphore.h>

#include "world.h"

enum { THREADS = 2, NAMES = 2, ROUNDS = 4, STEPS = 12, UNITS = 3 };

static const struct svc_form *form; /* constant while clusters run */
static const struct svc_name_protocol *protocol;

struct worker {
    int me, clusters;  /* number among all threads of the machine; clusters */
    int linked[NAMES]; /* port, -1: not linked */
    int held;          /* units that it took and did not give back */
    int semaphore;
    struct svc_client client;
    uint64_t random;
};

static uint32_t next_random(uint64_t *x)
{
    *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*x >> 33);
}

static void name_of(char *name, int owner, int i)
{
    b_fmt(name, SVC_NAME_MAX, "t%d.%d", owner, i);
}

/* Where name i of a thread is after a round: anybody can tell. -1: it is not linked. */
static int plan(int owner, int i, int round)
{
    uint64_t x = (uint64_t)owner * 1000 + (uint64_t)i * 100 + (uint64_t)round;
    next_random(&x);
    return (int)(next_random(&x) % 5) - 1;
}

static void move(struct worker *w, int i, int port)
{
    char name[SVC_NAME_MAX];
    name_of(name, w->me, i);
    if (w->linked[i] >= 0)
        CHECK_EQ(svc_name_unlink(&w->client, name), 0);
    if (port >= 0)
        CHECK_EQ(svc_name_link(&w->client, name, port, SVC_NO_LIMIT), 0);
    w->linked[i] = port;
}

static void look(struct worker *w, int all)
{
    char name[SVC_NAME_MAX];
    struct svc_address at;
    int owner = (int)(next_random(&w->random) % (uint32_t)all);
    name_of(name, owner, (int)(next_random(&w->random) % NAMES));
    int r = svc_name_lookup(&w->client, name, &at);
    CHECK(r == -B_ENOENT || (r == 0 && at.node == owner / THREADS && at.port < 4));
    r = next_random(&w->random) % 4 == 0 ? svc_name_watch(&w->client, name, 50) : -B_ENOENT;
    CHECK(r == SVC_NAME_UNLINKED || r == -B_ENOENT || r == -B_ETIMEDOUT);
}

static void take_or_give(struct worker *w)
{
    if (w->held > 0) {
        CHECK_EQ(svc_sem_post(&w->client, w->semaphore), 0);
        w->held--;
        return;
    }
    uint32_t how = next_random(&w->random) % 3;
    int r = how == 0   ? svc_sem_trywait(&w->client, w->semaphore)
            : how == 1 ? svc_sem_timedwait(&w->client, w->semaphore, 20)
                       : svc_sem_timedwait(&w->client, w->semaphore, 0);
    CHECK(r == 0 || r == (how == 0 ? -B_EAGAIN : -B_ETIMEDOUT));
    w->held += r == 0;
}

static void work(struct worker *w, int round)
{
    int all = w->clusters * THREADS;
    for (int i = 0; i < STEPS; i++) {
        uint32_t what = next_random(&w->random) % 8;
        if (what == 0)
            move(w, (int)(next_random(&w->random) % NAMES), (int)(next_random(&w->random) % 5) - 1);
        else if (what < 5)
            look(w, all);
        else
            take_or_give(w);
    }
    for (int i = 0; i < NAMES; i++)
        move(w, i, plan(w->me, i, round));
    if (w->held > 0)
        take_or_give(w);
}

static void verify(struct worker *w, int round)
{
    char name[SVC_NAME_MAX];
    struct svc_address at;
    for (int owner = 0; owner < w->clusters * THREADS; owner++) {
        for (int i = 0; i < NAMES; i++) {
            int port = plan(owner, i, round);
            name_of(name, owner, i);
            int r = svc_name_lookup(&w->client, name, &at);
            CHECK_EQ(r, port < 0 ? -B_ENOENT : 0);
            CHECK(port < 0 || (at.node == owner / THREADS && at.port == port));
        }
    }
    int value = -1;
    CHECK_EQ(svc_sem_value(&w->client, w->semaphore, &value), 0);
    CHECK_EQ(value, UNITS);
}

struct shared {
    struct k_fence fence;
    struct worker worker[THREADS];
};

struct start {
    struct shared *shared;
    int i;
};

static void meet(struct shared *x, int i, int clusters)
{
    k_fence(&x->fence);
    if (i == 0)
        world_meet(clusters);
    k_fence(&x->fence);
}

static void thread_main(void *arg)
{
    const struct start *s = arg;
    struct worker *w = &s->shared->worker[s->i];
    struct k_info info = world_info();
    *w = (struct worker){.me = info.cluster * THREADS + s->i, .clusters = info.clusters};
    w->random = (uint64_t)w->me + 7;
    CHECK_EQ(svc_client_open(&w->client), 0);
    w->semaphore = svc_sem_open(&w->client, "units", SVC_SEM_CREATE, UNITS);
    CHECK(w->semaphore >= 0);
    for (int i = 0; i < NAMES; i++)
        w->linked[i] = -1;
    for (int round = 0; round < ROUNDS; round++) {
        work(w, round);
        meet(s->shared, s->i, info.clusters);
        verify(w, round);
        meet(s->shared, s->i, info.clusters);
    }
    for (int i = 0; i < NAMES; i++)
        move(w, i, -1);
    svc_client_close(&w->client);
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    struct svc_daemon *semaphores = NULL;
    struct shared *x = world_pages(sizeof *x);
    struct start start[THREADS];
    int id[THREADS];
    CHECK_EQ(svc_client_open(&c), 0);
    if (world_me() == svc_home()) {
        void *state = world_pages(svc_semaphore_bytes(2, 64));
        svc_semaphore_init(state, 2, 64);
        semaphores = world_start(form, &svc_semaphore_server, state);
    }
    struct world_names w = world_names_start(form, protocol);
    k_fence_init(&x->fence, THREADS);
    for (int i = 0; i < THREADS; i++) {
        start[i] = (struct start){x, i};
        id[i] = k_thread_create(&(struct k_thread_attr){
            .entry = thread_main, .arg = &start[i], .name = "worker", .core = K_ANY});
        CHECK(id[i] >= 0);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(k_thread_join(id[i], NULL), 0);
    world_meet(world_info().clusters);
    if (semaphores)
        world_stop(semaphores, &c);
    world_names_stop(&w, &c);
    return 0;
}

int main(int argc, char **argv)
{
    int seeds = argc > 1 ? atoi(argv[1]) : 1;
    static const struct svc_form *const forms[] = {&svc_by_thread, &svc_by_tasks};
    for (int i = 0; i < 4; i++) {
        form = forms[i / 2];
        protocol = i % 2 == 0 ? &svc_name_forward : &svc_name_paper;
        for (int s = 0; s < seeds; s++) {
            test_seed = (uint64_t)s;
            CHECK_EQ(world_run(body, NULL), 0);
        }
    }
    return 0;
}
