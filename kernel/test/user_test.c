/* SPDX-License-Identifier: MIT */
/* A program of threads that uses all that a program in user mode may: each cluster passes messages,
 * data and signals round a ring while threads of its own wait for each other. The same program runs
 * with the kernel's rights on all machines, and in user mode on bare metal. */
#include "ikc.h"

#include <sys/k_crowd.h>
#include <sys/k_wait.h>

enum { CLUSTERS = 3, PORT = 5, BYTES = 3000, HELPERS = 3, ROUNDS = 50 };

struct crew {
    struct k_mutex mutex;
    struct k_cond more;
    struct k_sem free;
    struct k_fence all;
    int taken, sum; /* under the mutex */
};

static void helper(void *arg)
{
    struct crew *c = arg;
    int mine = k_thread_self();
    CHECK(!k_thread_local());
    k_thread_local_set(&mine);
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_EQ(k_sem_down(&c->free, K_FOREVER), 0);
        CHECK_EQ(k_mutex_lock(&c->mutex), 0);
        c->sum += i;
        c->taken++;
        k_cond_signal(&c->more);
        CHECK_EQ(k_mutex_unlock(&c->mutex), 0);
        k_sem_up(&c->free);
    }
    k_fence(&c->all);
    CHECK(k_thread_local() == &mine);
    k_thread_exit(&c->sum);
}

static void check_crew(void)
{
    struct crew c = {.sum = 0};
    int id[HELPERS];
    k_mutex_init(&c.mutex);
    k_cond_init(&c.more);
    k_sem_init(&c.free, 2);
    k_fence_init(&c.all, HELPERS + 1);
    for (int i = 0; i < HELPERS; i++) {
        struct k_thread_attr attr = {helper, &c, "helper", K_ANY, 0};
        id[i] = k_thread_create(&attr);
        CHECK(id[i] >= 0);
    }
    CHECK_EQ(k_mutex_lock(&c.mutex), 0);
    while (c.taken < HELPERS * ROUNDS)
        CHECK_EQ(k_cond_wait(&c.more, &c.mutex, K_FOREVER), 0);
    CHECK_EQ(k_mutex_unlock(&c.mutex), 0);
    k_fence(&c.all);
    for (int i = 0; i < HELPERS; i++) {
        void *value;
        CHECK_EQ(k_thread_join(id[i], &value), 0);
        CHECK(value == &c.sum);
    }
    CHECK_EQ(c.sum, HELPERS * ROUNDS * (ROUNDS - 1) / 2);
}

/* Two threads of one core end in either order, and a third one comes and goes between: the first of
 * a core may have the stack on which the core waits. */
static void guest(void *arg)
{
    CHECK_EQ(k_sem_down(arg, K_FOREVER), 0);
    k_thread_exit(arg);
}

static int invite(struct k_sem *go, int n, int core)
{
    struct k_thread_attr attr = {guest, go, "guest", core, 0};
    k_sem_init(go, n);
    int id = k_thread_create(&attr);
    CHECK(id >= 0);
    return id;
}

static void see_off(int id, struct k_sem *go)
{
    void *value;
    CHECK_EQ(k_thread_join(id, &value), 0);
    CHECK(value == go);
}

static void check_guests(int core)
{
    for (int i = 0; i < 2 * HELPERS; i++) {
        struct k_sem go[2];
        int id[2], first = i % 2;
        for (int k = 0; k < 2; k++)
            id[k] = invite(&go[k], 0, core);
        k_thread_sleep(1000);
        k_sem_up(&go[first]);
        see_off(id[first], &go[first]);
        id[first] = invite(&go[first], 1, core);
        see_off(id[first], &go[first]);
        k_sem_up(&go[!first]);
        see_off(id[!first], &go[!first]);
    }
}

/* A thread that waits by its bell for everything: other threads, the network, a crowd. */
struct listener {
    struct k_bell bell;
    struct k_crowd crowd;
    atomic_int stage;
    int in;
};

static void listen(void *arg)
{
    struct listener *l = arg;
    char got[4];
    CHECK_EQ(k_bell_init(&l->bell, "listener"), 0);
    CHECK_EQ(k_mailbox_aread(l->in, got, sizeof got, NULL), 0);
    CHECK_EQ(k_ikc_attach(K_MAILBOX, l->in, &l->bell), 0);
    atomic_store(&l->stage, 1);
    CHECK_EQ(k_bell_wait(&l->bell, K_FOREVER), 0);
    CHECK_EQ(k_bell_take(&l->bell), K_BELL_KERNEL);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, l->in, 0), sizeof got);
    for (int i = 0; i < ROUNDS; i++) {
        atomic_store(&l->stage, 2);
        CHECK_EQ(k_bell_wait(&l->bell, K_FOREVER), 0);
        CHECK_EQ(k_bell_take(&l->bell), K_BELL_FIRST);
    }
    atomic_store(&l->stage, 3);
    while (atomic_load(&l->stage) == 3)
        CHECK_EQ(k_crowd_wait(&l->crowd, &l->bell), 0);
}

static void wait_stage(struct listener *l, int stage)
{
    while (atomic_load(&l->stage) != stage)
        k_thread_yield();
}

static void check_bell(int me, int core)
{
    struct listener l = {.in = k_mailbox_create(PORT + 1)};
    struct k_thread_attr attr = {listen, &l, "listener", core, 0};
    int id = k_thread_create(&attr), out = k_mailbox_open(me, PORT + 1);
    CHECK(id >= 0 && out >= 0 && l.in >= 0);
    wait_stage(&l, 1);
    CHECK_EQ(k_mailbox_write(out, "abc", 4), 4);
    for (int i = 0; i < ROUNDS; i++) {
        wait_stage(&l, 2);
        atomic_store(&l.stage, 1);
        CHECK_EQ(k_bell_ring(&l.bell, K_BELL_FIRST), 0);
    }
    wait_stage(&l, 3);
    k_thread_sleep(10000);
    atomic_store(&l.stage, 4);
    if (k_crowd_release(&l.crowd) < 0)
        CHECK_EQ(k_bell_ring(&l.bell, K_BELL_FIRST), 0); /* they wait on another core */
    CHECK_EQ(k_thread_join(id, NULL), 0);
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_mailbox_unlink(l.in), 0);
}

/* To the right neighbour, from the left one. */
static void check_mailbox(int me)
{
    int right = (me + 1) % CLUSTERS, left = (me + CLUSTERS - 1) % CLUSTERS;
    int in = k_mailbox_create(PORT), out = k_mailbox_open(right, PORT);
    CHECK(in >= 0 && out >= 0);
    ikc_meet(CLUSTERS);
    for (int i = 0; i < ROUNDS; i++) {
        int sent[2] = {me, i}, got[2];
        struct k_source from;
        CHECK_EQ(k_mailbox_write(out, sent, sizeof sent), sizeof sent);
        CHECK_EQ(k_mailbox_read(in, got, sizeof got, &from), sizeof got);
        CHECK(got[0] == left && got[1] == i && from.node == left);
    }
    CHECK_EQ(ikc_stat_mailbox(in, K_STAT_READS), ROUNDS);
    ikc_meet(CLUSTERS);
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_mailbox_unlink(in), 0);
}

static void check_portal(int me)
{
    int right = (me + 1) % CLUSTERS, left = (me + CLUSTERS - 1) % CLUSTERS;
    int in = k_portal_create(PORT), out = k_portal_open(right, PORT);
    void *to, *from;
    CHECK(in >= 0 && out >= 0);
    CHECK(k_page_alloc(BYTES, &to) == 0 && k_page_alloc(BYTES, &from) == 0);
    memset(from, me + 1, BYTES);
    ikc_meet(CLUSTERS);
    struct k_source got;
    CHECK_EQ(k_portal_aread(in, NULL, to, BYTES, &got), 0);
    CHECK_EQ(k_portal_write(out, from, BYTES), BYTES);
    CHECK_EQ(k_ikc_wait(K_PORTAL, in, K_FOREVER), BYTES);
    CHECK_EQ(got.node, left);
    const unsigned char *bytes = to;
    for (int i = 0; i < BYTES; i++)
        CHECK_EQ(bytes[i], left + 1);
    CHECK(k_page_free(to, BYTES) == 0 && k_page_free(from, BYTES) == 0);
    ikc_meet(CLUSTERS);
    CHECK_EQ(k_portal_close(out), 0);
    CHECK_EQ(k_portal_unlink(in), 0);
}

/* A facility's number that no int holds names none, and no call takes a part of it for one. */
static void check_wide(void)
{
    long far = (long)(UINT64_C(1) << 32), all[] = {K_MAILBOX, K_PORTAL, K_SYNC};
    int in = k_mailbox_create(PORT);
    char got;
    CHECK_EQ(k_mailbox_aread(in, &got, 1, NULL), 0);
    for (int i = 0; far != 0 && i < 3; i++) {
        CHECK_EQ(k_call(K_NR_ikc_cancel, far + all[i], in, 0, 0, 0), -B_EBADF);
        CHECK_EQ(k_call(K_NR_ikc_test, far + all[i], in, 0, 0, 0), -B_EBADF);
        CHECK_EQ(k_call(K_NR_ikc_wait, far + all[i], in, 0, 0, 0), -B_EBADF);
        CHECK_EQ(k_call(K_NR_ikc_attach, far + all[i], in, 0, 0, 0), -B_EBADF);
    }
    CHECK_EQ(k_ikc_cancel(K_MAILBOX, in), 0);
    CHECK_EQ(k_mailbox_unlink(in), 0);
}

static void check_info(void)
{
    struct k_info info;
    k_info(&info);
    CHECK(strcmp(info.machine, hal_machine()->name) == 0);
    CHECK(strlen(info.node_name) > 0);
    uint64_t before = k_time_cycles();
    k_thread_sleep(info.hz / 10000);
    CHECK(k_time_cycles() - before >= info.hz / 10000);
}

static int body(void *arg)
{
    (void)arg;
    int me = ikc_me();
    struct k_info info;
    k_info(&info);
    check_info();
    check_wide();
    check_crew();
    check_bell(me, info.core);
    check_bell(me, info.cores - 1);
    check_guests(info.core);
    check_guests(info.cores - 1);
    if (me < CLUSTERS) {
        check_mailbox(me);
        check_portal(me);
    }
    return 0;
}

int main(void)
{
    return ikc_on_machines(body);
}
