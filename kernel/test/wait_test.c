/* SPDX-License-Identifier: MIT */
/* The wait queue: order, counts, time-outs, wrong use; and the property everything rests on:
 * under any race of wakers with time-outs, each wake-up is counted by exactly one side. (Where
 * queueing and falling asleep are two steps, wakers must try again and again; here one call of
 * k_wake is enough.) */
#include <limits.h>

#include <sys/k_wait.h>

#include <test/crew.h>
#include <test/on_machine.h>

static void check_bad(void)
{
    struct k_wait w;
    k_wait_init(&w, "test");
    CHECK_EQ(k_wait_on(NULL, 0), -B_EFAULT);
    CHECK_EQ(k_wait_on((struct k_wait *)((char *)&w + 1), 0), -B_EFAULT);
    CHECK_EQ(k_wake(NULL, 1), -B_EFAULT);
    CHECK_EQ(k_wait_on(&w, K_FOREVER), -B_EPERM); /* without the lock */
    CHECK_EQ(k_wake(&w, 1), -B_EPERM);
    k_wait_lock(&w);
    CHECK_EQ(k_wake(&w, -1), -B_EINVAL);
    CHECK_EQ(k_wake(&w, INT_MAX), 0);
    CHECK(!k_wait_trylock(&w));
    CHECK_EQ(k_wait_on(&w, 0), -B_ETIMEDOUT); /* it unlocked */
    CHECK(k_wait_trylock(&w));
    uint64_t begin = k_time_cycles();
    CHECK_EQ(k_wait_on(&w, 5000), -B_ETIMEDOUT);
    CHECK(k_time_cycles() - begin >= 5000);
    CHECK(!w.head && !w.tail);
}

/* Threads are woken in the order in which they came, as many as were asked for. */
struct line {
    struct k_wait queue;
    int arrived, left;
    int order[16];
};

static void stand(int me, void *arg)
{
    struct line *l = arg;
    k_wait_lock(&l->queue);
    l->order[l->arrived++] = me;
    CHECK_EQ(k_wait_on(&l->queue, K_FOREVER), 0);
    k_wait_lock(&l->queue);
    l->left++;
    k_wait_unlock(&l->queue);
}

static int arrived(struct line *l)
{
    k_wait_lock(&l->queue);
    int n = l->arrived;
    k_wait_unlock(&l->queue);
    return n;
}

static void check_order(void)
{
    enum { N = 7 };
    struct crew_member m[N];
    struct line l = {.arrived = 0};
    struct k_info info;
    k_info(&info);
    k_wait_init(&l.queue, "line");
    crew_start(m, N, info.user_core, stand, &l);
    while (arrived(&l) < N)
        k_thread_yield();
    int woken = 0;
    for (int n = 1; n <= 3; n++) {
        k_wait_lock(&l.queue);
        CHECK_EQ(k_wake(&l.queue, n), n);
        k_wait_unlock(&l.queue);
        woken += n;
        for (int i = 0; i < woken; i++)
            CHECK_EQ(k_thread_join(m[l.order[i]].id, NULL), i < woken - n ? -B_EBADF : 0);
        CHECK_EQ(l.left, woken);
    }
    k_wait_lock(&l.queue);
    CHECK_EQ(k_wake(&l.queue, INT_MAX), N - woken);
    k_wait_unlock(&l.queue);
    CHECK_EQ(k_thread_join(m[l.order[N - 1]].id, NULL), 0);
}

/* Each thread waits again and again with short time-outs and counts what it was told; wakers
 * wake one at a time and count too. In the end both have counted the same. */
enum { THREADS = 9, ROUNDS = 400 };

struct race {
    struct k_wait queue;
    int told[THREADS];
    int woken; /* under queue.lock */
    int timeouts;
    int done;
};

static void racer(int me, void *arg)
{
    struct race *r = arg;
    if (me % 3 == 0) { /* a waker */
        for (int i = 0; i < ROUNDS; i++) {
            k_wait_lock(&r->queue);
            r->woken += k_wake(&r->queue, 1 + i % 2);
            k_wait_unlock(&r->queue);
            if (i % 4 == me / 3)
                k_thread_sleep((uint64_t)(100 + i % 7 * 50));
        }
        return;
    }
    for (int i = 0; i < ROUNDS; i++) {
        k_wait_lock(&r->queue);
        int result = k_wait_on(&r->queue, (uint64_t)(1 + i % 11 * 60));
        CHECK(result == 0 || result == -B_ETIMEDOUT);
        r->told[me] += result == 0;
    }
}

static void check_race(void)
{
    struct crew_member m[THREADS];
    struct race r = {.woken = 0};
    k_wait_init(&r.queue, "race");
    crew_start(m, THREADS, -1, racer, &r);
    crew_join(m, THREADS);
    int told = 0;
    for (int i = 0; i < THREADS; i++)
        told += r.told[i];
    CHECK_EQ(told, r.woken);
    CHECK(!r.queue.head);
}

static int body(void *arg)
{
    (void)arg;
    check_bad();
    check_order();
    check_race();
    return 0;
}

int main(void)
{
    return on_machines(body);
}
