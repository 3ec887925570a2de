/* SPDX-License-Identifier: MIT */
/* Syncs as sys/k_sync.h describes them, and what is wrong to ask of them. */
#include "ikc.h"

enum { A = 0, B = 1, C = 2, PARTIES = 3 };

/* The meeting of ikc.h uses the sync of abc itself, and who is early signals it while others still
 * test: so the tests wait on syncs with other masters. */
static const int abc[] = {A, B, C}, bca[] = {B, C, A}, cab[] = {C, A, B};

static void check_wrong(int me)
{
    const int twice[] = {A, B, B}, far[] = {A, B, 1000}, negative[] = {A, -1}, other[] = {A, C};
    CHECK_EQ(k_sync_create(NULL, 3, K_ONE_TO_ALL), -B_EINVAL);
    CHECK_EQ(k_sync_create(abc, 1, K_ONE_TO_ALL), -B_EINVAL);
    CHECK_EQ(k_sync_create(abc, 0, K_ONE_TO_ALL), -B_EINVAL);
    CHECK_EQ(k_sync_create(abc, -3, K_ONE_TO_ALL), -B_EINVAL);
    CHECK_EQ(k_sync_create(abc, 1 << 30, K_ONE_TO_ALL), -B_EINVAL);
    CHECK_EQ(k_sync_create(abc, 3, (enum k_sync_type)2), -B_EINVAL);
    CHECK_EQ(k_sync_create(twice, 3, K_ONE_TO_ALL), -B_EINVAL);
    CHECK_EQ(k_sync_create(far, 3, K_ONE_TO_ALL), -B_EINVAL);
    CHECK_EQ(k_sync_open(negative, 2, K_ALL_TO_ONE), -B_EINVAL);
    /* The roles: the master waits for all or signals all, the others the other way round. */
    CHECK_EQ(k_sync_create(bca, 3, me == B ? K_ONE_TO_ALL : K_ALL_TO_ONE), -B_EINVAL);
    CHECK_EQ(k_sync_open(bca, 3, me == B ? K_ALL_TO_ONE : K_ONE_TO_ALL), -B_EINVAL);
    if (me == B)
        CHECK_EQ(k_sync_create(other, 2, K_ONE_TO_ALL), -B_EINVAL);
    CHECK_EQ(k_sync_wait(77, 0), -B_EBADF);
    CHECK_EQ(k_sync_signal(-1), -B_EBADF);
    int in = k_sync_create(bca, 3, me == B ? K_ALL_TO_ONE : K_ONE_TO_ALL);
    CHECK(in >= 0);
    CHECK_EQ(k_sync_signal(in), -B_EBADF);
    CHECK_EQ(k_sync_close(in), -B_EBADF);
    CHECK_EQ(k_ikc_cancel(K_SYNC, in), -B_EINVAL);
    CHECK_EQ(k_sync_wait(in, 0), -B_ETIMEDOUT);
    CHECK_EQ(k_sync_wait(in, 1000), -B_ETIMEDOUT);
    CHECK_EQ(k_sync_unlink(in), 0);
    CHECK_EQ(k_sync_unlink(in), -B_EBADF);
}

/* A second create shares the sync; it ends with its last user. */
static void check_shared(int me)
{
    enum k_sync_type type = me == B ? K_ALL_TO_ONE : K_ONE_TO_ALL;
    const int bac[] = {B, A, C};
    int one = k_sync_create(bca, 3, type), two = k_sync_create(bac, 3, type);
    CHECK_EQ(one, two); /* the order of the slaves does not matter */
    int other = k_sync_create(cab, 3, me == C ? K_ALL_TO_ONE : K_ONE_TO_ALL);
    CHECK(other >= 0 && other != one); /* who is master does */
    CHECK_EQ(k_sync_unlink(one), 0);
    CHECK_EQ(k_sync_wait(two, 0), -B_ETIMEDOUT);
    CHECK_EQ(k_sync_unlink(two), 0);
    CHECK_EQ(k_sync_wait(two, 0), -B_EBADF);
    CHECK_EQ(k_sync_unlink(other), 0);
}

/* A signal sent before its sync exists is latched and counted (ancestor: it was dropped with a
 * message, so its barrier slept for ten seconds first). */
static void check_early(int me)
{
    enum { SIGNALS = 12 };
    if (me == A) {
        int out = k_sync_open(cab, 3, K_ALL_TO_ONE);
        for (int i = 0; i < SIGNALS; i++)
            CHECK_EQ(k_sync_signal(out), 0);
        uint64_t n = 0;
        CHECK_EQ(k_sync_stat(out, K_STAT_SIGNALS, &n), 0);
        CHECK_EQ(n, SIGNALS);
        CHECK_EQ(k_sync_close(out), 0);
    }
    ikc_meet(PARTIES);
    if (me == C) {
        int in = k_sync_create(cab, 3, K_ALL_TO_ONE);
        CHECK_EQ(k_sync_wait(in, 20000), -B_ETIMEDOUT); /* B is missing */
        CHECK_EQ(k_ikc_test(K_SYNC, in), 0);
        ikc_meet(PARTIES);
        for (int i = 0; i < SIGNALS; i++)
            CHECK_EQ(k_sync_wait(in, K_FOREVER), 0);
        CHECK_EQ(k_sync_wait(in, 0), -B_ETIMEDOUT);
        CHECK_EQ(k_sync_unlink(in), 0);
    } else {
        ikc_meet(PARTIES);
    }
    if (me == B) {
        int out = k_sync_open(cab, 3, K_ALL_TO_ONE);
        for (int i = 0; i < SIGNALS; i++)
            CHECK_EQ(k_sync_signal(out), 0);
        CHECK_EQ(k_sync_close(out), 0);
    }
    ikc_meet(PARTIES);
}

/* Signals that nobody waited for outlive the input. */
static void check_surplus(int me)
{
    int id = me == B ? k_sync_open(bca, 3, K_ONE_TO_ALL) : k_sync_create(bca, 3, K_ONE_TO_ALL);
    if (me == B) {
        CHECK_EQ(k_sync_signal(id), 0);
        CHECK_EQ(k_sync_signal(id), 0);
        CHECK_EQ(k_sync_close(id), 0);
    } else {
        CHECK_EQ(k_sync_wait(id, K_FOREVER), 0);
        CHECK_EQ(k_sync_unlink(id), 0);
        id = k_sync_create(bca, 3, K_ONE_TO_ALL);
        CHECK_EQ(k_sync_wait(id, K_FOREVER), 0);
        CHECK_EQ(k_sync_wait(id, 0), -B_ETIMEDOUT);
        uint64_t n = 0;
        CHECK_EQ(k_sync_stat(id, K_STAT_WAITS, &n), 0);
        CHECK_EQ(n, 1);
        CHECK_EQ(k_sync_unlink(id), 0);
    }
    ikc_meet(PARTIES);
}

/* More syncs than the machine has: an error with a name. Both ends of 3 clusters make 5 lists
 * each. */
static void check_exhaustion(int me)
{
    int ids[8], n = 0, x = (me + 1) % PARTIES, y = (me + 2) % PARTIES;
    const int lists[][3] = {{me, x, -1}, {me, y, -1}, {me, x, y}};
    for (int i = 0; i < 3; i++)
        ids[n++] = k_sync_open(lists[i], lists[i][2] < 0 ? 2 : 3, K_ONE_TO_ALL);
    const int to[][3] = {{x, me, -1}, {y, me, -1}, {x, me, y}, {y, me, x}};
    for (int i = 0; i < 4; i++)
        ids[n++] = k_sync_open(to[i], to[i][2] < 0 ? 2 : 3, K_ALL_TO_ONE);
    uint32_t limit = hal_machine()->syncs;
    for (uint32_t i = 0; i < (uint32_t)n; i++) {
        CHECK(i < limit ? ids[i] >= 0 : ids[i] == -B_ENOMEM);
        CHECK_EQ(k_sync_close(ids[i]), i < limit ? 0 : -B_EBADF);
    }
    ikc_meet(PARTIES);
}

static int body(void *arg)
{
    (void)arg;
    int me = ikc_me();
    if (me >= PARTIES)
        return 0;
    check_wrong(me);
    check_shared(me);
    ikc_meet(PARTIES);
    check_early(me);
    check_surplus(me);
    check_exhaustion(me);
    return 0;
}

/* Of four latches three have signals for syncs that nobody creates, and an input has signals of two
 * clusters: there is no room to keep them, and none is lost to who waits then. */
static void signal_once(const int *nodes, int n, enum k_sync_type type)
{
    int out = k_sync_open(nodes, n, type);
    CHECK(out >= 0);
    CHECK_EQ(k_sync_signal(out), 0);
    CHECK_EQ(k_sync_close(out), 0);
}

static void take_one(const int *nodes, enum k_sync_type type)
{
    int in = k_sync_create(nodes, 2, type);
    CHECK_EQ(k_sync_wait(in, K_FOREVER), 0);
    CHECK_EQ(k_sync_unlink(in), 0);
}

static int no_room(void *arg)
{
    (void)arg;
    const int ab[] = {A, B}, ba[] = {B, A}, ac[] = {A, C};
    int me = ikc_me();
    if (me == B) {
        signal_once(ab, 2, K_ALL_TO_ONE);
        signal_once(ba, 2, K_ONE_TO_ALL);
    }
    if (me == C)
        signal_once(ac, 2, K_ALL_TO_ONE);
    if (me == B || me == C)
        signal_once(abc, 3, K_ALL_TO_ONE);
    if (me != A)
        return 0;
    int in = k_sync_create(abc, 3, K_ALL_TO_ONE);
    while (k_ikc_test(K_SYNC, in) == 0)
        k_thread_yield();
    CHECK_EQ(k_sync_unlink(in), -B_EBUSY);
    CHECK_EQ(k_sync_wait(in, 0), 0);
    CHECK_EQ(k_sync_unlink(in), 0);
    take_one(ab, K_ALL_TO_ONE);
    take_one(ba, K_ONE_TO_ALL);
    take_one(ac, K_ALL_TO_ONE);
    return 0;
}

/* Lists of more clusters than fit in a word (ancestor: the hash had 20 bits for them on one
 * target and 24 on the other), which differ in one far cluster only. */
enum { MANY = 70 };

static int crowd(void *arg)
{
    (void)arg;
    int me = ikc_me(), all[MANY], without[MANY - 1];
    for (int i = 0; i < MANY; i++)
        all[i] = i;
    for (int i = 0; i < MANY - 1; i++)
        without[i] = i;
    bool both = me < MANY - 1;
    if (me == 0) {
        int a = k_sync_create(all, MANY, K_ALL_TO_ONE);
        int b = k_sync_create(without, MANY - 1, K_ALL_TO_ONE);
        CHECK(a >= 0 && b >= 0 && a != b);
        CHECK_EQ(k_sync_wait(b, K_FOREVER), 0);
        CHECK_EQ(k_sync_wait(a, K_FOREVER), 0);
        return 0;
    }
    int a = k_sync_open(all, MANY, K_ALL_TO_ONE);
    if (both)
        CHECK_EQ(k_sync_signal(k_sync_open(without, MANY - 1, K_ALL_TO_ONE)), 0);
    CHECK_EQ(k_sync_signal(a), 0);
    return 0;
}

int main(void)
{
    CHECK_EQ(ikc_on_machines(body), 0);
    struct hal_machine few = ikc_machine("mini", false);
    few.syncs = 5;
    CHECK_EQ(on_machine(&few, body, NULL), 0);
    few.syncs = 1;
    CHECK_EQ(on_machine(&few, no_room, NULL), 0);
    struct hal_machine m = ikc_machine("mini", false);
    m.compute_clusters = MANY;
    m.io_clusters = 0;
    m.compute_cores = 1;
    m.noc.torus_x = 10;
    m.noc.torus_y = 7;
    if (strcmp(hal_port_name, "sim") != 0)
        return 0; /* a process for each cluster is the load test of the port */
    return on_machine(&m, crowd, NULL);
}
