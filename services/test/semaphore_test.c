/* SPDX-License-Identifier: MIT */
/* Named semaphores do what svc/semaphore.h says; among it what the ancestor's did not: a sleeper
 * was entered in all free slots and a wake-up subtracted a negative number, so one post could free
 * nobody or everybody and the value drifted; more users than expected overran a table. */
#include <svc/semaphore.h>

#include "world.h"

enum { SEMAPHORES = 6, WAITERS = 7, TURNS = 6 };

static const struct svc_form *form; /* constant while clusters run */

static int value_of(struct svc_client *c, int id)
{
    int v = -1;
    CHECK_EQ(svc_sem_value(c, id, &v), 0);
    return v;
}

/* One client after the other, arguments and states. */
static void check_one(struct svc_client *c)
{
    char long_name[SVC_NAME_MAX + 1];
    memset(long_name, 'x', SVC_NAME_MAX);
    long_name[SVC_NAME_MAX] = '\0';
    CHECK_EQ(svc_sem_open(c, "", SVC_SEM_CREATE, 0), -B_EINVAL);
    CHECK_EQ(svc_sem_open(c, NULL, SVC_SEM_CREATE, 0), -B_EINVAL);
    CHECK_EQ(svc_sem_open(c, long_name, SVC_SEM_CREATE, 0), -B_EINVAL);
    CHECK_EQ(svc_sem_open(c, "a", 8, 0), -B_EINVAL);
    CHECK_EQ(svc_sem_open(c, "a", SVC_SEM_EXCLUSIVE, 0), -B_EINVAL);
    CHECK_EQ(svc_sem_open(c, "a", SVC_SEM_CREATE, SVC_SEM_VALUE_MAX + 1u), -B_EINVAL);
    CHECK_EQ(svc_sem_open(c, "a", 0, 0), -B_ENOENT);
    CHECK_EQ(svc_sem_unlink(c, "a"), -B_ENOENT);
    int id = svc_sem_open(c, "a", SVC_SEM_CREATE | SVC_SEM_EXCLUSIVE, 2);
    CHECK(id >= 0);
    CHECK_EQ(svc_sem_open(c, "a", SVC_SEM_CREATE | SVC_SEM_EXCLUSIVE, 0), -B_EEXIST);
    CHECK_EQ(svc_sem_open(c, "a", SVC_SEM_CREATE, 7), id); /* opened twice; 7 is not used */
    CHECK_EQ(value_of(c, id), 2);
    CHECK_EQ(svc_sem_wait(c, id), 0);
    CHECK_EQ(svc_sem_timedwait(c, id, 0), 0);
    CHECK_EQ(svc_sem_trywait(c, id), -B_EAGAIN);
    CHECK_EQ(svc_sem_timedwait(c, id, 0), -B_ETIMEDOUT);
    CHECK_EQ(svc_sem_timedwait(c, id, 1000), -B_ETIMEDOUT);
    if (strcmp(hal_port_name, "linux") != 0) /* where time that nobody uses passes at once: */
        CHECK_EQ(svc_sem_timedwait(c, id, 30000000), -B_ETIMEDOUT); /* more than 2^31 cycles */
    CHECK_EQ(value_of(c, id), 0);
    CHECK_EQ(svc_sem_post(c, id), 0);
    CHECK_EQ(value_of(c, id), 1);
    CHECK_EQ(svc_sem_trywait(c, id), 0);
    CHECK_EQ(svc_sem_unlink(c, "a"), 0); /* the name only */
    CHECK_EQ(svc_sem_open(c, "a", 0, 0), -B_ENOENT);
    int other = svc_sem_open(c, "a", SVC_SEM_CREATE, SVC_SEM_VALUE_MAX);
    CHECK(other >= 0 && other != id);
    CHECK_EQ(svc_sem_post(c, other), -B_ERANGE);
    CHECK_EQ(svc_sem_post(c, id), 0);
    CHECK_EQ(svc_sem_close(c, id), 0);
    CHECK_EQ(value_of(c, id), 1);
    CHECK_EQ(svc_sem_close(c, id), 0);
    CHECK_EQ(svc_sem_close(c, id), -B_EBADF);
    CHECK_EQ(svc_sem_wait(c, id), -B_EBADF);
    CHECK_EQ(svc_sem_unlink(c, "a"), 0);
    CHECK_EQ(svc_sem_close(c, other), 0);
    static const int none[] = {-1, 0, 5, 255, 1 << 20, 0x7fffffff};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        CHECK_EQ(svc_sem_post(c, none[i]), -B_EBADF);
}

/* The table is full: an error with a name, and room again afterwards. */
static void check_full(struct svc_client *c)
{
    char name[2] = "a";
    int id[SEMAPHORES];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < SEMAPHORES; i++) {
            name[0] = (char)('a' + i);
            CHECK((id[i] = svc_sem_open(c, name, SVC_SEM_CREATE, 0)) >= 0);
        }
        CHECK_EQ(svc_sem_open(c, "more", SVC_SEM_CREATE, 0), -B_ENOSPC);
        for (int i = 0; i < SEMAPHORES; i++) {
            name[0] = (char)('a' + i);
            CHECK_EQ(svc_sem_close(c, id[i]), 0);
            CHECK_EQ(svc_sem_open(c, name, 0, 0), id[i]); /* closed, but not unlinked: it lives */
            CHECK_EQ(svc_sem_unlink(c, name), 0);
            CHECK_EQ(svc_sem_close(c, id[i]), 0);
        }
    }
}

/* Sleepers of one cluster and the threads that they are. */
struct sleeper {
    int semaphore, result, thread;
    uint32_t timeout;
    bool patient; /* asks again while the queue is full */
    struct k_sem *woke;
};

static void sleep_on(void *arg)
{
    struct sleeper *p = arg;
    struct svc_client c;
    int r;
    CHECK_EQ(svc_client_open(&c), 0);
    while ((r = svc_sem_timedwait(&c, p->semaphore, p->timeout)) == -B_ENOSPC && p->patient)
        k_thread_sleep(world_info().hz / 1000);
    p->result = r;
    svc_client_close(&c);
    k_sem_up(p->woke);
}

static void start(struct sleeper *p)
{
    p->thread = k_thread_create(
        &(struct k_thread_attr){.entry = sleep_on, .arg = p, .name = "sleeper", .core = K_ANY});
    CHECK(p->thread >= 0);
}

/* Returns when the sleepers fill the queue. Until then each look stands in it itself for a moment,
 * and may be what a sleeper is refused for. */
static void wait_full(struct svc_client *c, int id)
{
    int r;
    while ((r = svc_sem_timedwait(c, id, 1)) != -B_ENOSPC) {
        CHECK_EQ(r, -B_ETIMEDOUT);
        k_thread_sleep(world_info().hz / 1000);
    }
}

/* Each post wakes exactly one, in order; a time-out takes nothing; one too many is told so. */
static void check_sleepers(struct svc_client *c)
{
    struct k_sem woke;
    struct sleeper p[WAITERS + 1];
    uint64_t ms = world_info().hz / 1000;
    k_sem_init(&woke, 0);
    int id = svc_sem_open(c, "sleep", SVC_SEM_CREATE, 0);
    for (int i = 0; i <= WAITERS; i++) {
        p[i] = (struct sleeper){id, 1, -1, SVC_NO_LIMIT, i < WAITERS, &woke};
        if (i == WAITERS)
            wait_full(c, id);
        start(&p[i]);
    }
    CHECK_EQ(k_sem_down(&woke, K_FOREVER), 0); /* the one too many */
    CHECK_EQ(svc_sem_close(c, id), -B_EBUSY);
    for (int i = 1; i <= WAITERS; i++) {
        CHECK_EQ(value_of(c, id), 0);
        CHECK_EQ(svc_sem_post(c, id), 0);
        CHECK_EQ(k_sem_down(&woke, K_FOREVER), 0);
        CHECK_EQ(k_sem_down(&woke, 2 * ms), -B_ETIMEDOUT);
        int done = 0;
        for (int k = 0; k <= WAITERS; k++)
            done += p[k].result == 0;
        CHECK_EQ(done, i);
    }
    int refused = 0;
    for (int i = 0; i <= WAITERS; i++) {
        CHECK_EQ(k_thread_join(p[i].thread, NULL), 0);
        refused += p[i].result == -B_ENOSPC;
    }
    CHECK_EQ(refused, 1);
    CHECK_EQ(value_of(c, id), 0);
    CHECK_EQ(svc_sem_post(c, id), 0);
    CHECK_EQ(value_of(c, id), 1);
    CHECK_EQ(svc_sem_unlink(c, "sleep"), 0);
    CHECK_EQ(svc_sem_close(c, id), 0);
}

/* All clusters share a counter under a semaphore of value 1, and a barrier of two semaphores. The
 * counter lives in the value of another semaphore: read, wait, write is torn if two are inside. */
static void check_exclusion(struct svc_client *c, int n)
{
    int lock = svc_sem_open(c, "lock", SVC_SEM_CREATE, 1);
    int count = svc_sem_open(c, "count", SVC_SEM_CREATE, 0);
    int inside = svc_sem_open(c, "inside", SVC_SEM_CREATE, 1);
    CHECK(lock >= 0 && count >= 0 && inside >= 0);
    for (int i = 0; i < TURNS; i++) {
        int r;
        while ((r = svc_sem_wait(c, lock)) == -B_ENOSPC) /* of twenty clusters eight may wait */
            k_thread_sleep(world_info().hz / 10000);
        CHECK_EQ(r, 0);
        CHECK_EQ(svc_sem_trywait(c, inside), 0); /* nobody else is */
        CHECK_EQ(svc_sem_post(c, count), 0);
        CHECK_EQ(svc_sem_post(c, inside), 0);
        CHECK_EQ(svc_sem_post(c, lock), 0);
    }
    world_meet(n);
    CHECK_EQ(value_of(c, count), n * TURNS);
    CHECK_EQ(value_of(c, lock), 1);
    world_meet(n);
    CHECK_EQ(svc_sem_close(c, lock), 0);
    CHECK_EQ(svc_sem_close(c, count), 0);
    CHECK_EQ(svc_sem_close(c, inside), 0);
    CHECK_EQ(svc_sem_wait(c, lock), -B_EBADF); /* others have it open, we have not */
    world_meet(n);
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    struct svc_daemon *server = NULL;
    int me = world_me(), n = world_info().clusters, home = svc_home();
    size_t size = svc_semaphore_bytes(SEMAPHORES, WAITERS);
    void *state = NULL;
    CHECK_EQ(svc_client_open(&c), 0);
    if (me != home)
        world_meet(n);
    if (me == home) {
        CHECK_EQ(svc_sem_open(&c, "early", SVC_SEM_CREATE, 0), -B_ENOTCONN);
        state = world_pages(size);
        svc_semaphore_init(state, SEMAPHORES, WAITERS);
        server = world_start(form, &svc_semaphore_server, state);
        world_meet(n);
    }
    if (me == 0) {
        check_one(&c);
        check_full(&c);
        check_sleepers(&c);
    }
    world_meet(n);
    check_exclusion(&c, n);
    if (me == home) {
        world_stop(server, &c);
        CHECK_EQ(k_page_free(state, size), 0);
    }
    svc_client_close(&c);
    return 0;
}

int main(void)
{
    static const struct svc_form *const forms[] = {&svc_by_thread, &svc_by_tasks};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        form = forms[i];
        CHECK_EQ(world_run(body, NULL), 0);
    }
    return 0;
}
