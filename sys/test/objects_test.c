/* SPDX-License-Identifier: MIT */
/* Mutex, condition variable, semaphore, fence: api, faults, and stress over all cores. On sim a
 * thread that spun instead of waiting would let the virtual clock run, which the printed cycles
 * show. */
#include <sys/k_wait.h>

#include <test/crew.h>
#include <test/on_machine.h>

enum { THREADS = 8 };

/* Waiting threads are linked through their own structs, so an object stays small whatever the
 * number of threads. */
_Static_assert(sizeof(struct k_mutex) <= 64 && sizeof(struct k_cond) <= 64, "one line");

/* Mutex ---------------------------------------------------------------------------------------- */

struct shared {
    struct k_mutex mutex;
    struct k_cond cond, other;
    long count;
    int inside;
    int seen[THREADS];
};

static void add(int me, void *arg)
{
    struct shared *s = arg;
    for (int i = 0; i < 200; i++) {
        CHECK_EQ(k_mutex_lock(&s->mutex), 0);
        CHECK_EQ(s->inside++, 0);
        long c = s->count;
        if (i % 16 == me)
            k_thread_yield(); /* a mutex may be held over a wait */
        s->count = c + 1;
        s->inside--;
        CHECK_EQ(k_mutex_unlock(&s->mutex), 0);
    }
}

static void not_mine(int me, void *arg)
{
    struct shared *s = arg;
    (void)me;
    CHECK_EQ(k_mutex_unlock(&s->mutex), -B_EPERM);
    CHECK_EQ(k_mutex_trylock(&s->mutex), -B_EBUSY);
    CHECK_EQ(k_cond_wait(&s->cond, &s->mutex, K_FOREVER), -B_EPERM);
}

static void check_mutex(void)
{
    struct crew_member m[THREADS];
    struct shared s = {.count = 0};
    k_mutex_init(&s.mutex);
    k_cond_init(&s.cond);
    CHECK_EQ(k_mutex_unlock(&s.mutex), -B_EPERM);
    CHECK_EQ(k_mutex_trylock(&s.mutex), 0);
    CHECK_EQ(k_mutex_lock(&s.mutex), -B_EDEADLK);
    crew_start(m, 1, -1, not_mine, &s);
    crew_join(m, 1);
    CHECK_EQ(k_mutex_unlock(&s.mutex), 0);
    CHECK_EQ(k_mutex_unlock(&s.mutex), -B_EPERM);

    crew_start(m, THREADS, -1, add, &s);
    crew_join(m, THREADS);
    CHECK_EQ(s.count, THREADS * 200);
}

/* Who waits first gets it first, although the others come back at once. */
static void once(int me, void *arg)
{
    struct shared *s = arg;
    (void)me;
    int came = s->inside++; /* all are on one core */
    CHECK_EQ(k_mutex_lock(&s->mutex), 0);
    s->seen[s->count++] = came;
    CHECK_EQ(k_mutex_unlock(&s->mutex), 0);
}

static void check_mutex_order(void)
{
    struct crew_member m[THREADS];
    struct shared s = {.count = 0};
    struct k_info info;
    k_info(&info);
    k_mutex_init(&s.mutex);
    CHECK_EQ(k_mutex_lock(&s.mutex), 0);
    crew_start(m, THREADS, info.user_core, once, &s);
    while (s.inside < THREADS)
        k_thread_yield();
    CHECK_EQ(k_mutex_unlock(&s.mutex), 0);
    CHECK_EQ(k_mutex_trylock(&s.mutex), -B_EBUSY); /* it was handed over, not dropped */
    crew_join(m, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(s.seen[i], i);
}

/* Condition variable: a bounded buffer of one -------------------------------------------------- */

static void produce_or_consume(int me, void *arg)
{
    struct shared *s = arg;
    bool producer = me % 2 == 0;
    for (int i = 0; i < 150; i++) {
        CHECK_EQ(k_mutex_lock(&s->mutex), 0);
        while (s->inside == (producer ? 1 : 0))
            CHECK_EQ(k_cond_wait(producer ? &s->cond : &s->other, &s->mutex, K_FOREVER), 0);
        s->inside = producer ? 1 : 0;
        s->count++;
        k_cond_signal(producer ? &s->other : &s->cond);
        CHECK_EQ(k_mutex_unlock(&s->mutex), 0);
    }
}

static void wait_for_all(int me, void *arg)
{
    struct shared *s = arg;
    CHECK_EQ(k_mutex_lock(&s->mutex), 0);
    s->inside++;
    while (s->count == 0)
        CHECK_EQ(k_cond_wait(&s->cond, &s->mutex, K_FOREVER), 0);
    s->seen[me] = 1;
    CHECK_EQ(k_mutex_unlock(&s->mutex), 0);
}

static void check_cond(void)
{
    struct crew_member m[THREADS];
    struct shared s = {.count = 0};
    k_mutex_init(&s.mutex);
    k_cond_init(&s.cond);
    k_cond_init(&s.other);
    CHECK_EQ(k_cond_wait(&s.cond, &s.mutex, K_FOREVER), -B_EPERM);
    CHECK_EQ(k_mutex_lock(&s.mutex), 0);
    CHECK_EQ(k_cond_wait(&s.cond, &s.mutex, 3000), -B_ETIMEDOUT);
    CHECK_EQ(k_mutex_unlock(&s.mutex), 0); /* it was locked again */
    k_cond_signal(&s.cond);                /* nobody waits: nothing happens */

    crew_start(m, THREADS, -1, produce_or_consume, &s);
    crew_join(m, THREADS);
    CHECK_EQ(s.count, THREADS * 150);

    s.count = 0;
    s.inside = 0;
    crew_start(m, THREADS, -1, wait_for_all, &s);
    for (int there = 0; there < THREADS;) {
        CHECK_EQ(k_mutex_lock(&s.mutex), 0);
        there = s.inside;
        CHECK_EQ(k_mutex_unlock(&s.mutex), 0);
        k_thread_yield();
    }
    CHECK_EQ(k_mutex_lock(&s.mutex), 0);
    s.count = 1;
    k_cond_broadcast(&s.cond);
    CHECK_EQ(k_mutex_unlock(&s.mutex), 0);
    crew_join(m, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(s.seen[i], 1);
}

/* Semaphore ------------------------------------------------------------------------------------ */

struct gate {
    struct k_sem free, mutex;
    int inside, most, timeouts;
};

static void enter(int me, void *arg)
{
    struct gate *g = arg;
    for (int i = 0; i < 100; i++) {
        /* Some are impatient; a time-out must not swallow a unit. */
        int r = k_sem_down(&g->free, me % 2 == 0 ? K_FOREVER : (uint64_t)(1 + i * 10));
        if (r == -B_ETIMEDOUT)
            continue;
        CHECK_EQ(r, 0);
        CHECK_EQ(k_sem_down(&g->mutex, K_FOREVER), 0);
        g->inside++;
        g->most = g->inside > g->most ? g->inside : g->most;
        k_sem_up(&g->mutex);
        k_thread_yield();
        CHECK_EQ(k_sem_down(&g->mutex, K_FOREVER), 0);
        g->inside--;
        k_sem_up(&g->mutex);
        k_sem_up(&g->free);
    }
}

static void check_sem(void)
{
    struct crew_member m[THREADS];
    struct gate g = {.inside = 0};
    struct k_sem s;
    k_sem_init(&s, 1);
    CHECK_EQ(k_sem_trydown(&s), 0);
    CHECK_EQ(k_sem_trydown(&s), -B_EAGAIN);
    CHECK_EQ(k_sem_down(&s, 0), -B_ETIMEDOUT);
    CHECK_EQ(k_sem_down(&s, 2000), -B_ETIMEDOUT);
    k_sem_up(&s);
    CHECK_EQ(k_sem_down(&s, 0), 0);
    k_sem_init(&s, -1);
    k_sem_up(&s);
    CHECK_EQ(k_sem_trydown(&s), -B_EAGAIN);
    k_sem_up(&s);
    CHECK_EQ(k_sem_trydown(&s), 0);

    k_sem_init(&g.free, 3);
    k_sem_init(&g.mutex, 1);
    crew_start(m, THREADS, -1, enter, &g);
    crew_join(m, THREADS);
    CHECK(g.most <= 3 && g.most >= 1);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(k_sem_trydown(&g.free), 0);
    CHECK_EQ(k_sem_trydown(&g.free), -B_EAGAIN);
}

/* Fence ---------------------------------------------------------------------------------------- */

struct rounds {
    struct k_fence fence;
    int at[THREADS];
};

static void meet(int me, void *arg)
{
    struct rounds *r = arg;
    for (int i = 1; i <= 100; i++) {
        __atomic_store_n(&r->at[me], i, __ATOMIC_RELAXED);
        k_fence(&r->fence);
        for (int other = 0; other < THREADS; other++) {
            int at = __atomic_load_n(&r->at[other], __ATOMIC_RELAXED);
            CHECK(at == i || at == i + 1); /* nobody left before all had come */
        }
    }
}

static void check_fence(void)
{
    struct crew_member m[THREADS];
    struct rounds r = {.at = {0}};
    k_fence_init(&r.fence, 1);
    k_fence(&r.fence);
    k_fence_init(&r.fence, THREADS);
    crew_start(m, THREADS, -1, meet, &r);
    crew_join(m, THREADS);
}

static int body(void *arg)
{
    (void)arg;
    check_mutex();
    check_mutex_order();
    check_cond();
    check_sem();
    check_fence();
    return 0;
}

int main(void)
{
    return on_machines(body);
}
