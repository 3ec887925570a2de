/* SPDX-License-Identifier: MIT */
/* The task engine under threads and Dispatchers of all cores at once: nothing is lost, nothing
 * happens twice, whatever races. */
#include <test/crew.h>

#include "task.h"

enum { CREW = 6, ROUNDS = 60 };

static int cores(void)
{
    struct k_info info;
    k_info(&info);
    return info.cores;
}

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return (unsigned)(*state >> 33) % below;
}

static void create_on(struct k_task *t, k_task_fn *fn, int core)
{
    CHECK_EQ(k_task_create(t, &(struct k_task_attr){.fn = fn, .core = core}), 0);
}

static int add(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    __atomic_fetch_add((long *)a0, a1, __ATOMIC_RELAXED);
    k_task_return(a1 + 1);
    return 0;
}

/* Each thread has tasks run on all cores and waits for them. */
static void use_all_cores(int me, void *arg)
{
    struct k_task t[4];
    uint64_t state = (uint64_t)me;
    for (int i = 0; i < 4; i++)
        create_on(&t[i], add, (int)draw(&state, (unsigned)cores()));
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < 4; k++) {
            long a[K_TASK_ARGS] = {(long)arg, 1000 * i + k};
            CHECK_EQ(k % 2 != 0 ? k_task_dispatch(&t[k], a)
                                : k_task_emit(&t[k], (int)draw(&state, (unsigned)cores()), a),
                     0);
        }
        for (int k = 0; k < 4; k++) {
            long value = 0;
            CHECK_EQ(k_task_wait(&t[k], K_FOREVER, &value), 0);
            CHECK_EQ(value, 1000 * i + k + 1);
        }
    }
    unlink_all(t, 4);
}

static void check_all_cores(void)
{
    struct crew_member m[CREW];
    long sum = 0;
    crew_start(m, CREW, -1, use_all_cores, &sum);
    crew_join(m, CREW);
    CHECK_EQ(sum, (long)CREW * (4 * 1000 * (ROUNDS * (ROUNDS - 1) / 2) + ROUNDS * (0 + 1 + 2 + 3)));
}

/* Signals of all threads to one task: it runs once for each. */
struct shared {
    struct k_task task;
    long runs;
};

static void signal_it(int me, void *arg)
{
    struct shared *s = arg;
    (void)me;
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_EQ(k_task_signal(&s->task), 0);
        if (i % 16 == 0)
            k_thread_yield();
    }
}

static void check_signals(void)
{
    struct crew_member m[CREW];
    struct shared s = {.runs = 0};
    create_on(&s.task, add, 0);
    CHECK_EQ(k_task_set(&s.task, K_TASK_ARG0, (long)&s.runs), 0);
    CHECK_EQ(k_task_set(&s.task, K_TASK_ARG0 + 1, 1), 0);
    crew_start(m, CREW, -1, signal_it, &s);
    crew_join(m, CREW);
    while (__atomic_load_n(&s.runs, __ATOMIC_RELAXED) < CREW * ROUNDS)
        k_thread_sleep(1000);
    while (k_task_unlink(&s.task) == -B_EBUSY)
        k_thread_sleep(1000);
    CHECK_EQ(s.runs, CREW * ROUNDS);
}

/* A join of tasks on all Dispatchers, some of which come round early for the next time: it runs
 * exactly once per round. */
enum { PARENTS = 8 };
static struct {
    struct k_task parent[PARENTS], join;
    struct k_arc arc[PARENTS];
    long sum;
} tree;

static int give(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    __atomic_fetch_add(&tree.sum, a0, __ATOMIC_RELAXED);
    return 0;
}

static int look(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    CHECK(__atomic_load_n(&tree.sum, __ATOMIC_RELAXED) >= (a0 + 1) * PARENTS);
    CHECK_EQ(k_task_set(k_task_current(), K_TASK_ARG0, a0 + 1), 0);
    return a0 + 1 == ROUNDS ? K_USER1 : K_USER0;
}

static void run_parent(int me, void *arg)
{
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        long one[K_TASK_ARGS] = {1};
        CHECK_EQ(k_task_dispatch(&tree.parent[me], one), 0);
        CHECK_EQ(k_task_wait(&tree.parent[me], K_FOREVER, NULL), 0);
    }
}

static void check_join(void)
{
    struct crew_member m[PARENTS];
    memset(&tree, 0, sizeof tree);
    CHECK_EQ(k_task_create(&tree.join,
                           &(struct k_task_attr){.fn = look, .releases = K_USER1, .core = 0}),
             0);
    for (int i = 0; i < PARENTS; i++) {
        create_on(&tree.parent[i], give, i % cores());
        connect(&tree.arc[i], &tree.parent[i], &tree.join, K_DEPENDENCY, USUAL);
    }
    crew_start(m, PARENTS, -1, run_parent, NULL);
    await(&tree.join);
    crew_join(m, PARENTS);
    CHECK_EQ(tree.sum, PARENTS * ROUNDS);
    disconnect_all(tree.arc, PARENTS);
    unlink_all(tree.parent, PARENTS);
    unlink_all(&tree.join, 1);
}

/* Flows that are connected, disconnected, failed, stopped and resumed by all threads while they run
 * on all cores. In the end all can be taken apart. */
enum { NODES = 10, LINKS = 24 };
static struct {
    struct k_task node[NODES];
    struct k_arc link[LINKS];
} web;

static int wander(long a0, long a1, long a2, long a3, long a4)
{
    static const int ends[] = {K_USER0, K_USER1, K_USER0 | K_USER1, K_STOP,
                               -B_EIO,  K_AGAIN, K_PERIODIC,        K_USER0};
    (void)a3, (void)a4;
    uint64_t state = (uint64_t)(a0 * 31 + a1 * 17 + a2);
    k_task_pass((int)draw(&state, 3), a0 + a1 + a2 + 1);
    k_task_set(k_task_current(), K_TASK_ARG0 + 2, a2 + 1);
    return ends[draw(&state, 8)];
}

static void disturb(int me, void *arg)
{
    static const unsigned conditions[] = {USUAL, K_USER1, K_CATCH, K_THROW | K_USER1, K_PERIODIC};
    uint64_t state = (uint64_t)me * 7919;
    (void)arg;
    for (int i = 0; i < 10 * ROUNDS; i++) {
        struct k_task *t = &web.node[draw(&state, NODES)], *u = &web.node[draw(&state, NODES)];
        struct k_arc *a = &web.link[(unsigned)me * (LINKS / CREW) + draw(&state, LINKS / CREW)];
        switch (draw(&state, 8)) {
        case 0:
            k_task_connect(a, t, u, draw(&state, 4), conditions[draw(&state, 5)]);
            break;
        case 1:
            k_task_disconnect(a);
            break;
        case 2:
            k_task_resume(t);
            break;
        case 3:
            k_task_complete(t, K_USER0, i);
            break;
        case 4:
            if (draw(&state, 8) == 0)
                k_task_error(t, -B_ECANCELED);
            break;
        case 5:
            k_task_emit(t, (int)draw(&state, (unsigned)cores()), NULL);
            break;
        case 6:
            k_task_wait(t, draw(&state, 2000), NULL);
            break;
        default:
            k_task_dispatch(t, NULL);
        }
        if (i % 8 == 0)
            k_thread_yield();
    }
}

static void take_apart(void)
{
    for (int i = 0; i < LINKS; i++)
        k_task_disconnect(&web.link[i]);
    for (int i = 0; i < NODES; i++) {
        for (;;) {
            CHECK_EQ(k_task_error(&web.node[i], -B_ECANCELED), 0);
            if (k_task_unlink(&web.node[i]) == 0)
                break;
            k_thread_sleep(1000); /* it runs, and will fail */
        }
    }
}

static void check_web(void)
{
    struct crew_member m[CREW];
    memset(&web, 0, sizeof web);
    for (int i = 0; i < NODES; i++) {
        CHECK_EQ(k_task_create(&web.node[i],
                               &(struct k_task_attr){
                                   .fn = wander,
                                   .priority = (enum k_task_priority)(i % 2),
                                   .period = 5000 + 100 * (uint64_t)i,
                                   .core = i % cores(),
                               }),
                 0);
    }
    crew_start(m, CREW, -1, disturb, NULL);
    crew_join(m, CREW);
    take_apart();
}

/* Periods: no task runs before its time; where time is exact, they run in the order of their
 * instants. Half of them are taken out again from the middle of the queue. */
enum { CLOCKS = 40 };
static struct {
    struct k_task task[CLOCKS];
    uint64_t due[CLOCKS], last;
} clocks;

static int ring(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    CHECK(k_time_cycles() >= clocks.due[a0]);
    CHECK(clocks.due[a0] >= clocks.last || strcmp(hal_port_name, "sim") != 0);
    clocks.last = clocks.due[a0];
    return 0;
}

static void check_clocks(void)
{
    uint64_t state = 5;
    clocks.last = 0;
    for (int i = 0; i < CLOCKS; i++) {
        uint64_t period = 200000 + 1000 * (uint64_t)draw(&state, 1000);
        CHECK_EQ(k_task_create(&clocks.task[i], &(struct k_task_attr){.fn = ring,
                                                                      .criterion = K_TO_PERIODIC,
                                                                      .period = period,
                                                                      .core = 0}),
                 0);
        clocks.due[i] = k_time_cycles() + period; /* not later than the engine's */
        dispatch(&clocks.task[i], i);
    }
    for (int i = 0; i < CLOCKS; i += 2) {
        if (k_task_unlink(&clocks.task[i]) != 0) {
            k_task_wait(&clocks.task[i], K_FOREVER, NULL); /* a slow machine: it is over */
            unlink_all(&clocks.task[i], 1);
        }
    }
    for (int i = 1; i < CLOCKS; i += 2) {
        await(&clocks.task[i]);
        unlink_all(&clocks.task[i], 1);
    }
}

/* A wait that times out at about the time of the conclusion: the answer comes once, now or at the
 * next question. */
static void check_timeouts(void)
{
    struct k_task t;
    uint64_t state = 3;
    long sum = 0;
    create_on(&t, add, cores() - 1);
    for (int i = 0; i < 3 * ROUNDS; i++) {
        long a[K_TASK_ARGS] = {(long)&sum, 1}, value = 0;
        CHECK_EQ(k_task_dispatch(&t, a), 0);
        int error = k_task_wait(&t, draw(&state, 2500), &value);
        CHECK(error == 0 || error == -B_ETIMEDOUT);
        if (error != 0)
            CHECK_EQ(k_task_wait(&t, K_FOREVER, &value), 0);
        CHECK_EQ(value, 2);
        CHECK_EQ(k_task_trywait(&t, NULL), -B_EAGAIN);
        CHECK_EQ(__atomic_load_n(&sum, __ATOMIC_RELAXED), i + 1);
    }
    unlink_all(&t, 1);
}

static int body(void *arg)
{
    (void)arg;
    check_all_cores();
    check_signals();
    check_join();
    check_web();
    check_clocks();
    check_timeouts();
    return 0;
}

int main(void)
{
    return on_machines(body);
}
