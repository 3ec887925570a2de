/* SPDX-License-Identifier: MIT */
/* Threads: create, run, yield, sleep, exit, join; each wrong use gets its error; ids do not come
 * back; slots and the memory budget run out with an error and recover. */
#include <base/config.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>
#include <sys/k_wait.h>

#include <test/on_machine.h>

static int start(void (*entry)(void *arg), void *arg, int core)
{
    return k_thread_create(&(struct k_thread_attr){.entry = entry, .arg = arg, .core = core});
}

static int user_core(void)
{
    struct k_info info;
    k_info(&info);
    return info.user_core;
}

static void return_self(void *arg)
{
    struct k_info info;
    k_info(&info);
    *(int *)arg = info.core;
    k_thread_exit((void *)(intptr_t)k_thread_self());
}

static void plain_return(void *arg)
{
    (void)arg;
}

static void check_every_core(void)
{
    struct k_info info;
    k_info(&info);
    for (int core = 0; core < info.cores; core++) {
        int ran_on = -1;
        void *value = NULL;
        int id = start(return_self, &ran_on, core);
        CHECK(id >= 0);
        CHECK_EQ(k_thread_join(id, &value), 0);
        CHECK_EQ((intptr_t)value, id);
        CHECK_EQ(ran_on, core);
    }
}

/* K_ANY spreads threads over the cores for programs and leaves the master core alone. */
struct spread {
    struct k_sem gate;
    int count[HAL_CORES_MAX];
};

static void stay(void *arg)
{
    struct spread *s = arg;
    struct k_info info;
    k_info(&info);
    __atomic_fetch_add(&s->count[info.core], 1, __ATOMIC_RELAXED);
    CHECK_EQ(k_sem_down(&s->gate, K_FOREVER), 0);
}

static void check_any_core(void)
{
    struct k_info info;
    k_info(&info);
    struct spread s = {0};
    int n = info.cores - info.user_core - 1, id[HAL_CORES_MAX];
    k_sem_init(&s.gate, 0);
    for (int i = 0; i < n; i++) {
        id[i] = start(stay, &s, K_ANY);
        CHECK(id[i] >= 0);
    }
    for (int i = 0; i < n; i++)
        k_sem_up(&s.gate);
    for (int i = 0; i < n; i++)
        CHECK_EQ(k_thread_join(id[i], NULL), 0);
    for (int core = 0; core < info.cores; core++)
        CHECK_EQ(s.count[core], core > info.user_core); /* the first thread has that core */
}

static void check_bad(void)
{
    int id = start(plain_return, NULL, K_ANY), self = k_thread_self();
    CHECK_EQ(start(plain_return, NULL, -2), -B_EINVAL);
    CHECK_EQ(start(plain_return, NULL, HAL_CORES_MAX), -B_EINVAL);
    CHECK_EQ(start(NULL, NULL, K_ANY), -B_EFAULT);
    CHECK_EQ(k_thread_create(NULL), -B_EFAULT);
    CHECK_EQ(k_thread_join(self, NULL), -B_EDEADLK);
    CHECK_EQ(k_thread_join(-1, NULL), -B_EBADF);
    CHECK_EQ(k_thread_join(KERN_THREADS_MAX - 1, NULL), -B_EBADF);
    CHECK_EQ(k_thread_join(0x7fffffff, NULL), -B_EBADF);
    CHECK_EQ(k_thread_join(id, NULL), 0);
    CHECK_EQ(k_thread_join(id, NULL), -B_EBADF); /* joined before */
}

static void check_stale_ids(void)
{
    /* More generations than there are slots: no id comes back, and none of the old ones works. */
    enum { N = 300 };
    int old[N];
    for (int i = 0; i < N; i++) {
        old[i] = start(plain_return, NULL, K_ANY);
        CHECK(old[i] >= 0);
        CHECK_EQ(k_thread_join(old[i], NULL), 0);
        for (int j = 0; j < i; j++)
            CHECK(old[j] != old[i]);
    }
    int id = start(plain_return, NULL, K_ANY);
    for (int i = 0; i < N; i++)
        CHECK_EQ(k_thread_join(old[i], NULL), -B_EBADF);
    CHECK_EQ(k_thread_join(id, NULL), 0);
}

/* Joined twice at the same time: the second gets -B_EBUSY, also after the thread ended. */
static void join_it(void *arg)
{
    k_thread_exit((void *)(intptr_t)k_thread_join(*(int *)arg, NULL));
}

static void pass_gate(void *arg)
{
    CHECK_EQ(k_sem_down(arg, K_FOREVER), 0);
}

static void check_two_joiners(void)
{
    struct k_sem gate;
    k_sem_init(&gate, 0);
    int id = start(pass_gate, &gate, K_ANY);
    int first = start(join_it, &id, user_core());
    k_thread_yield();
    CHECK_EQ(k_thread_join(id, NULL), -B_EBUSY);
    k_sem_up(&gate);
    void *value = (void *)1;
    CHECK_EQ(k_thread_join(first, &value), 0);
    CHECK_EQ((intptr_t)value, 0);
}

/* Threads of one core take turns in the order of their creation. */
struct turns {
    int next, rounds;
    struct k_sem gate;
};

static void take_turns(void *arg)
{
    struct turns *t = *(struct turns **)arg;
    int me = (int)((struct turns **)arg - (struct turns **)k_cluster_local());
    CHECK_EQ(k_sem_down(&t->gate, K_FOREVER), 0);
    for (int i = 0; i < t->rounds; i++) {
        CHECK_EQ(t->next % 3, me);
        t->next++;
        k_thread_yield();
    }
}

static void check_turns(void)
{
    struct turns t = {0, 50, {{0}, 0}}, *arg[3] = {&t, &t, &t};
    int id[3];
    k_sem_init(&t.gate, 0);
    k_cluster_local_set(arg);
    for (int i = 0; i < 3; i++) {
        id[i] = start(take_turns, &arg[i], user_core());
        k_thread_yield(); /* it queues at the gate */
    }
    for (int i = 0; i < 3; i++)
        k_sem_up(&t.gate);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(k_thread_join(id[i], NULL), 0);
    CHECK_EQ(t.next, 150);
}

/* Sleepers wake not before their deadlines, and where time is exact, in their order. */
struct sleeper {
    uint64_t cycles, woke;
};

static void sleep_one(void *arg)
{
    struct sleeper *s = arg;
    uint64_t begin = k_time_cycles();
    k_thread_sleep(s->cycles);
    s->woke = k_time_cycles();
    CHECK(s->woke - begin >= s->cycles);
}

static void check_sleep(void)
{
    struct sleeper s[4] = {{4000000, 0}, {1000000, 0}, {3000000, 0}, {2000000, 0}};
    int id[4];
    k_thread_sleep(0);
    for (int i = 0; i < 4; i++)
        id[i] = start(sleep_one, &s[i], user_core());
    for (int i = 0; i < 4; i++)
        CHECK_EQ(k_thread_join(id[i], NULL), 0);
    CHECK(strcmp(hal_port_name, "sim") != 0 ||
          (s[1].woke < s[3].woke && s[3].woke < s[2].woke && s[2].woke < s[0].woke));
}

/* Creates until nothing is left, which is an error with a name; after the joins all is as
 * before. */
static int fill(int *id, int max)
{
    int n = 0;
    struct k_sem gate;
    k_sem_init(&gate, 0);
    while (n < max && (id[n] = start(pass_gate, &gate, K_ANY)) >= 0)
        n++;
    if (n < max)
        CHECK_EQ(id[n], -B_ENOMEM);
    for (int i = 0; i < n; i++)
        k_sem_up(&gate);
    for (int i = 0; i < n; i++)
        CHECK_EQ(k_thread_join(id[i], NULL), 0);
    return n;
}

static void check_exhaustion(void)
{
    int id[KERN_THREADS_MAX];
    size_t used, used_after, high, limit;
    k_memory(&used, NULL, &limit);
    int n = fill(id, KERN_THREADS_MAX);
    CHECK(n >= 3 && n < KERN_THREADS_MAX);
    CHECK_EQ(fill(id, KERN_THREADS_MAX), n);
    k_memory(&used_after, &high, NULL);
    CHECK_EQ(used_after, used);
    /* Where stacks lie beside the window (hal/mem.h) threads take nothing of it. */
    CHECK(high <= limit && (high > used || strcmp(hal_port_name, "riscv") == 0));
}

static void check_many(void)
{
    for (int i = 0; i < 1000; i++) {
        int id[2] = {start(plain_return, NULL, K_ANY), start(plain_return, NULL, user_core())};
        CHECK(id[0] >= 0 && id[1] >= 0);
        CHECK_EQ(k_thread_join(id[1], NULL), 0);
        CHECK_EQ(k_thread_join(id[0], NULL), 0);
    }
}

static int body(void *arg)
{
    (void)arg;
    check_every_core();
    check_any_core();
    check_bad();
    check_stale_ids();
    check_two_joiners();
    check_turns();
    check_sleep();
    check_exhaustion();
    check_many();
    check_any_core(); /* threads that ended are counted no more */
    return 0;
}

int main(void)
{
    return on_machines(body);
}
