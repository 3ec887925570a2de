/* SPDX-License-Identifier: MIT */
/* Portals when something is wrong: arguments, states, cancellation in each state, closed ports,
 * readers whose writers never come, ended clusters. */
#include <stdatomic.h>

#include <hal/clock.h>
#include <hal/work.h>
#include <test/crew.h>
#include "ikc.h"

enum { A = 0, B = 1, C = 2, PARTIES = 3, PORT = 1, LARGE = 16384 };

/* A page area of this cluster's. */
#define area ((unsigned char *)k_cluster_local())

static uint64_t while_(void)
{
    return hal_machine()->hz / 200;
}

static long wait_in(int id)
{
    return k_ikc_wait(K_PORTAL, id, K_FOREVER);
}

/* Ends a read whose writers were all cancelled. */
static void give_up(int in)
{
    int r = k_ikc_cancel(K_PORTAL, in);
    CHECK(r == 0 || (r == -B_EBUSY && wait_in(in) == -B_ECANCELED));
}

static void check_arguments(void)
{
    char buf[8] = "";
    int ports = (int)hal_machine()->portal_ports;
    struct k_source bad_node = {99999, 1}, bad_port = {B, ports}, half = {B, K_ANY};
    CHECK_EQ(k_portal_create(-2), -B_EINVAL);
    CHECK_EQ(k_portal_create(ports), -B_EINVAL);
    CHECK_EQ(k_portal_open(99999, 1), -B_EHOSTUNREACH);
    CHECK_EQ(k_portal_open(B, ports), -B_EINVAL);
    CHECK_EQ(k_portal_open(B, K_ANY), -B_EINVAL);
    int in = k_portal_create(PORT), out = k_portal_open(B, PORT);
    int free_out = k_portal_open(K_ANY, K_ANY);
    CHECK_EQ(k_portal_create(PORT), -B_EBUSY);
    CHECK_EQ(k_portal_awrite(out, &bad_node, buf, 1, 0), -B_EINVAL);
    CHECK_EQ(k_portal_awrite(out, NULL, buf, 1, 64), -B_EINVAL);
    CHECK_EQ(k_portal_awrite(out, NULL, NULL, 1, 0), -B_EINVAL);
    CHECK_EQ(k_portal_awrite(out, NULL, buf, (size_t)-1, 0), -B_EINVAL);
    CHECK_EQ(k_portal_awrite(free_out, NULL, buf, 1, 0), -B_EINVAL);
    CHECK_EQ(k_portal_awrite(free_out, &bad_node, buf, 1, 0), -B_EHOSTUNREACH);
    CHECK_EQ(k_portal_awrite(free_out, &bad_port, buf, 1, 0), -B_EINVAL);
    CHECK_EQ(k_portal_awrite(free_out, &half, buf, 1, 0), -B_EINVAL);
    CHECK_EQ(k_portal_awrite(in, NULL, buf, 1, 0), -B_EBADF);
    CHECK_EQ(k_portal_aread(out, NULL, buf, 1, NULL), -B_EBADF);
    CHECK_EQ(k_portal_aread(in, NULL, NULL, 1, NULL), -B_EINVAL);
    CHECK_EQ(k_portal_aread(in, &bad_node, buf, 1, NULL), -B_EHOSTUNREACH);
    CHECK_EQ(k_portal_aread(in, &bad_port, buf, 1, NULL), -B_EINVAL);
    CHECK_EQ(k_portal_aread(in, NULL, buf, 1, NULL), 0);
    CHECK_EQ(k_portal_aread(in, NULL, buf, 1, NULL), -B_EBUSY);
    CHECK_EQ(k_ikc_wait(K_PORTAL, in, 1000), -B_ETIMEDOUT);
    CHECK_EQ(k_ikc_cancel(K_PORTAL, in), 0);
    CHECK_EQ(k_portal_unlink(out), -B_EBADF);
    CHECK_EQ(k_portal_close(in), -B_EBADF);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
    CHECK_EQ(k_portal_close(free_out), 0);
    CHECK_EQ(k_portal_get_port(out), -B_EBADF);
}

static void check_closed_port(void)
{
    for (int node = 0; node < PARTIES; node++) {
        int out = k_portal_open(node, PORT);
        CHECK_EQ(k_portal_write(out, "x", 1), -B_ENOTCONN);
        CHECK_EQ(k_portal_close(out), 0);
    }
    ikc_meet(PARTIES);
}

/* A read is cancelled while it waits for a writer, for a channel, and with a grant out; the
 * writer's data then goes to the next reader. */
static void check_cancel_read(int me)
{
    int in = k_portal_create(PORT), out = k_portal_open(A, PORT);
    struct k_source writer = {B, k_portal_get_port(out)};
    for (int named = 0; named < 2; named++) {
        for (int late = 0; late < 2; late++) {
            ikc_meet(PARTIES);
            if (me == A) {
                CHECK_EQ(k_portal_aread(in, named ? &writer : NULL, area, LARGE, NULL), 0);
                k_thread_sleep(late ? while_() / 100 : 0);
                CHECK_EQ(k_ikc_cancel(K_PORTAL, in), 0);
            }
            ikc_meet(PARTIES);
            if (me == B)
                CHECK_EQ(k_portal_write(out, "data", 4), 4);
            if (me == A) {
                k_thread_sleep(late ? while_() : 0);
                CHECK_EQ(k_portal_aread(in, named ? NULL : &writer, area, 100, NULL), 0);
                CHECK_EQ(wait_in(in), 4);
                CHECK(memcmp(area, "data", 4) == 0);
            }
        }
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

/* A write is cancelled before and after its announcement arrived; a reader that takes the
 * announcement gets another writer. The cancelled data never arrives. */
static void check_cancel_write(int me)
{
    int in = k_portal_create(PORT), out = k_portal_open(A, PORT);
    struct k_source got;
    for (int i = 0; i < 4; i++) {
        ikc_meet(PARTIES);
        if (me == B) {
            CHECK_EQ(k_portal_awrite(out, NULL, "never", 5, i & 2 ? K_PORTAL_QUIET : 0), 0);
            k_thread_sleep(i & 1 ? while_() : 0);
            CHECK_EQ(k_ikc_cancel(K_PORTAL, out), 0);
            CHECK_EQ(k_ikc_test(K_PORTAL, out), -B_EINVAL);
        }
        ikc_meet(PARTIES);
        if (me == A) {
            CHECK_EQ(k_portal_read(in, area, 100, &got), 2);
            CHECK(got.node == C && memcmp(area, "ok", 2) == 0);
            CHECK_EQ(k_portal_aread(in, NULL, area, 100, NULL), 0);
            CHECK_EQ(k_ikc_wait(K_PORTAL, in, while_()), -B_ETIMEDOUT);
            give_up(in);
        } else if (me == C) {
            CHECK_EQ(k_portal_write(out, "ok", 2), 2);
        }
    }
    ikc_meet(PARTIES);
    if (me == B) {
        CHECK_EQ(k_portal_write(out, "again", 5), 5);
    } else if (me == A) {
        CHECK_EQ(k_portal_read(in, area, 100, &got), 5);
        CHECK_EQ(got.node, B);
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

/* Computes, and makes no call meanwhile. */
static void compute(uint64_t cycles)
{
    uint64_t began = hal_clock_cycles();
    while (hal_clock_cycles() - began < cycles)
        hal_work(cycles / 100 + 1);
}

static void computes(int me, void *arg)
{
    (void)me;
    atomic_fetch_add((atomic_int *)arg, 1);
    compute(2 * while_());
}

/* Begins a read and cancels it while all cores compute: nobody looks at the network meanwhile, but
 * where a core does nothing else. */
static void read_and_cancel(int in)
{
    struct k_info info;
    k_info(&info);
    struct crew_member others[4];
    atomic_int running = 0;
    int n = 0;
    for (int core = info.user_core; core < info.cores && n < 4; core++)
        if (core != info.core)
            crew_start(&others[n++], 1, core, computes, &running);
    while (atomic_load(&running) < n)
        k_thread_yield();
    CHECK_EQ(k_portal_aread(in, NULL, area, 100, NULL), 0);
    compute(while_());
    give_up(in);
    crew_join(others, n);
}

/* A read is cancelled when its kernel has not seen yet that the writer, cancelled too, withdrew: it
 * ends all the same, and does not look for another writer. */
static void check_cancel_both(int me)
{
    int in = k_portal_create(PORT), out = k_portal_open(A, PORT);
    for (int i = 0; i < 3; i++) {
        ikc_meet(PARTIES);
        if (me == B) {
            CHECK_EQ(k_portal_awrite(out, NULL, "never", 5, 0), 0);
            k_thread_sleep(while_() / 10); /* the announcement is there */
            CHECK_EQ(k_ikc_cancel(K_PORTAL, out), 0);
        }
        ikc_meet(PARTIES);
        if (me == A)
            read_and_cancel(in);
        ikc_meet(PARTIES);
        if (me == B)
            CHECK_EQ(k_portal_write(out, "data", 4), 4);
        else if (me == A)
            CHECK_EQ(k_portal_read(in, area, 100, NULL), 4);
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

/* The announcement was taken by a read that is then cancelled: the next read finds the writer. */
static void check_cancel_matched(int me)
{
    int in = k_portal_create(PORT), out = k_portal_open(A, PORT);
    for (int i = 0; i < 3; i++) {
        ikc_meet(PARTIES);
        if (me == B) {
            CHECK_EQ(k_portal_write(out, "data", 4), 4);
        } else if (me == A) {
            k_thread_sleep(while_());
            CHECK_EQ(k_portal_aread(in, NULL, area, 100, NULL), 0);
            if (k_ikc_cancel(K_PORTAL, in) == 0)
                CHECK_EQ(k_portal_aread(in, NULL, area, 100, NULL), 0);
            CHECK_EQ(wait_in(in), 4);
        }
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

/* A read is cancelled at any instant while data comes: it ends with them, or they are the next
 * one's. */
static void check_cancel_race(int me)
{
    enum { ROUNDS = 300 };
    int in = k_portal_create(PORT), out = k_portal_open(A, PORT);
    ikc_meet(PARTIES);
    for (int i = 0; i < ROUNDS; i++) {
        if (me == B) {
            CHECK_EQ(k_portal_write(out, &i, sizeof i), sizeof i);
        } else if (me == A) {
            CHECK_EQ(k_portal_aread(in, NULL, area, sizeof i, NULL), 0);
            compute((uint64_t)(i % 100) * while_() / 5000);
            if (k_ikc_cancel(K_PORTAL, in) == 0)
                CHECK_EQ(k_portal_aread(in, NULL, area, sizeof i, NULL), 0);
            CHECK_EQ(wait_in(in), sizeof i);
            CHECK(memcmp(area, &i, sizeof i) == 0);
        }
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

static int last_core(void)
{
    struct k_info info;
    k_info(&info);
    return info.cores - 1;
}

static void cancelled_writer(int me, void *arg)
{
    (void)me;
    long r = k_portal_write(*(int *)arg, area, LARGE);
    CHECK(r == -B_ECANCELED || r == -B_EINVAL); /* the latter before it waited */
}

/* A write that nobody reads, and for which a thread waits, can be cancelled at any time: what that
 * thread does for it meanwhile is no reason to refuse. Nothing of it reaches the next write. */
static void check_cancel_waited(int me)
{
    enum { ROUNDS = 16 };
    int in = k_portal_create(PORT), out = k_portal_open(A, PORT);
    ikc_meet(PARTIES);
    for (uint64_t i = 0; i < ROUNDS; i++) {
        if (me == B) {
            struct crew_member writer;
            memset(area, 'n', LARGE);
            crew_start(&writer, 1, last_core(), cancelled_writer, &out);
            k_thread_sleep(i * while_() / 5000);
            int r;
            while ((r = k_ikc_cancel(K_PORTAL, out)) == -B_EINVAL)
                k_thread_yield(); /* not begun yet */
            CHECK_EQ(r, 0);
            crew_join(&writer, 1);
            CHECK_EQ(k_portal_awrite(out, NULL, "data", 4, 0), 0);
        }
        ikc_meet(PARTIES);
        if (me == B) {
            CHECK_EQ(wait_in(out), 4);
        } else if (me == A) {
            CHECK_EQ(k_portal_read(in, area, LARGE, NULL), 4);
            CHECK(memcmp(area, "data", 4) == 0);
        }
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

/* A write begins while the announcement of the cancelled one before it, to another port, still
 * flies. */
static void check_cancel_and_go_on(int me)
{
    int in = k_portal_create(PORT), other = k_portal_create(PORT + 1);
    int out = k_portal_open(K_ANY, K_ANY);
    struct k_source to = {A, PORT}, to_other = {A, PORT + 1};
    for (int i = 0; i < 3; i++) {
        ikc_meet(PARTIES);
        if (me == B) {
            CHECK_EQ(k_portal_awrite(out, &to, "never", 5, 0), 0);
            CHECK_EQ(k_ikc_cancel(K_PORTAL, out), 0);
            CHECK_EQ(k_portal_awrite(out, &to_other, "data", 4, 0), 0);
            CHECK_EQ(wait_in(out), 4);
        } else if (me == A) {
            CHECK_EQ(k_portal_read(other, area, 100, NULL), 4);
            CHECK_EQ(k_portal_aread(in, NULL, area, 100, NULL), 0);
            CHECK_EQ(k_ikc_wait(K_PORTAL, in, while_()), -B_ETIMEDOUT);
            give_up(in);
        }
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_unlink(other), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

static void blocked_reader(int me, void *arg)
{
    (void)me;
    CHECK_EQ(k_portal_read(*(int *)arg, area, 1, NULL), -B_ECANCELED);
}

/* The input ends: its reader is woken, announced writers are told, wherever they are. */
static void check_unlink(int me)
{
    struct crew_member reader;
    int in = k_portal_create(PORT);
    crew_start(&reader, 1, ikc_core(), blocked_reader, &in);
    ikc_until_read(K_PORTAL, in);
    CHECK_EQ(k_portal_unlink(in), 0);
    crew_join(&reader, 1);
    in = k_portal_create(PORT);
    ikc_meet(PARTIES);
    int out = k_portal_open(A, PORT);
    CHECK_EQ(k_portal_awrite(out, NULL, "x", 1, 0), 0);
    CHECK_EQ(k_ikc_wait(K_PORTAL, out, while_()), -B_ETIMEDOUT);
    CHECK_EQ(k_portal_close(out), -B_EBUSY);
    ikc_meet(PARTIES);
    if (me == A)
        CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_ikc_wait(K_PORTAL, out, K_FOREVER), -B_ENOTCONN);
    if (me != A)
        CHECK_EQ(k_portal_unlink(in), 0);
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_close(out), 0);
}

/* Readers that name a writer which never writes hold at most half of the channels: others go on
 * (ancestor issue 219). Then they get their data too. */
static void check_named_hoarders(int me)
{
    enum { MOST = 24 };
    int n = (int)hal_machine()->portal_channels + 2, in[MOST], out[MOST];
    n = n < MOST ? n : MOST;
    n = n < (int)hal_machine()->portal_ports ? n : (int)hal_machine()->portal_ports - 1;
    for (int i = 0; i < n; i++) {
        in[i] = k_portal_create(i);
        out[i] = k_portal_open(A, i);
        CHECK_EQ(k_portal_get_port(out[i]), i);
    }
    ikc_meet(PARTIES);
    for (int i = 0; me == A && i < n; i++) {
        struct k_source writer = {B, i};
        CHECK_EQ(k_portal_aread(in[i], i == n - 1 ? NULL : &writer, area + i, 1, NULL), 0);
    }
    ikc_meet(PARTIES);
    if (me == C) {
        CHECK_EQ(k_portal_write(out[n - 1], "C", 1), 1);
    } else if (me == A) {
        CHECK_EQ(wait_in(in[n - 1]), 1);
        CHECK_EQ(area[n - 1], 'C');
        CHECK_EQ(k_ikc_cancel(K_PORTAL, in[0]), 0);     /* one that has a channel */
        CHECK_EQ(k_ikc_cancel(K_PORTAL, in[n - 2]), 0); /* and one that waits for one */
    }
    ikc_meet(PARTIES);
    for (int i = n - 3; i > 0; i--) /* those without a channel first */
        if (me == B)
            CHECK_EQ(k_portal_awrite(out[i], NULL, "B", 1, 0), 0);
    for (int i = n - 3; i > 0; i--) {
        CHECK(me != B || wait_in(out[i]) == 1);
        CHECK(me != A || (wait_in(in[i]) == 1 && area[i] == 'B'));
    }
    ikc_meet(PARTIES);
    for (int i = 0; i < n; i++) {
        CHECK_EQ(k_portal_unlink(in[i]), 0);
        CHECK_EQ(k_portal_close(out[i]), 0);
    }
}

/* A reader of another length than its writer, over and over: neither side is left behind. */
static void check_mismatch(int me)
{
    int in = k_portal_create(PORT), out = k_portal_open(A, PORT), bad = 0;
    ikc_meet(PARTIES);
    for (size_t i = 0; i < 60; i++) {
        size_t n = i * 37 % 64;
        if (me == A) {
            CHECK_EQ(k_portal_aread(in, &(struct k_source){B, K_ANY}, area, n, NULL), 0);
            size_t sent = i * 11 % 64;
            CHECK_EQ(wait_in(in), sent > n ? -B_EMSGSIZE : (long)sent);
            bad += sent > n;
        } else if (me == B) {
            size_t sent = i * 11 % 64;
            long r = k_portal_write(out, area, sent);
            CHECK_EQ(r, sent > n ? -B_EMSGSIZE : (long)sent);
        }
    }
    CHECK(me != A || bad > 5);
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

static int body(void *arg)
{
    (void)arg;
    int me = ikc_me();
    if (me >= PARTIES)
        return 0;
    void *p;
    CHECK_EQ(k_page_alloc(LARGE, &p), 0);
    k_cluster_local_set(p);
    ikc_meet(PARTIES);
    check_arguments();
    ikc_meet(PARTIES);
    check_closed_port();
    check_cancel_read(me);
    check_cancel_write(me);
    check_cancel_both(me);
    check_cancel_waited(me);
    check_cancel_matched(me);
    check_cancel_race(me);
    check_cancel_and_go_on(me);
    check_unlink(me);
    check_named_hoarders(me);
    check_mismatch(me);
    return 0;
}

/* C ends in the middle: of an announced write, of a quiet one, of a granted read. */
static int ends(void *arg)
{
    (void)arg;
    int me = ikc_me(), in = k_portal_create(PORT), second = k_portal_create(PORT + 1);
    int out = k_portal_open(C, PORT), quiet = k_portal_open(C, PORT);
    struct k_source c_out = {C, 0}, c_any = {C, K_ANY};
    char buf[4];
    ikc_meet(PARTIES);
    if (me == C) {
        int last = k_portal_open(A, PORT + 1); /* announced, and never written */
        CHECK_EQ(k_portal_awrite(last, NULL, "x", 1, 0), 0);
        k_thread_sleep(hal_machine()->hz / 50);
        return 0;
    }
    CHECK_EQ(k_portal_awrite(out, NULL, "x", 1, 0), 0);
    CHECK_EQ(k_portal_awrite(quiet, NULL, "x", 1, K_PORTAL_QUIET), 0);
    CHECK_EQ(k_portal_aread(in, me == A ? &c_out : &c_any, buf, 4, NULL), 0);
    CHECK_EQ(wait_in(in), -B_EIO);
    CHECK_EQ(wait_in(out), -B_EIO);
    CHECK_EQ(wait_in(quiet), -B_EIO);
    CHECK_EQ(k_portal_write(out, "x", 1), -B_EIO);
    CHECK_EQ(k_portal_aread(in, &c_out, buf, 4, NULL), 0);
    CHECK_EQ(wait_in(in), -B_EIO);
    int peer = k_portal_open(me == A ? B : A, PORT + 1);
    CHECK_EQ(k_portal_awrite(peer, NULL, "y", 1, 0), 0);
    CHECK_EQ(k_portal_read(second, buf, 4, NULL), 1); /* not the dead one's announcement */
    CHECK_EQ(wait_in(peer), 1);
    return 0;
}

/* A write is cancelled while it has a grant but no DMA channel: the grant of the reader that
 * names it serves the next write. */
static int dma_busy(void *arg)
{
    (void)arg;
    enum { WRITES = 4, BIG = 20000 };
    int me = ikc_me(), in[WRITES], out[WRITES];
    void *p;
    CHECK_EQ(k_page_alloc(WRITES * BIG, &p), 0);
    for (int i = 0; i < WRITES; i++) {
        in[i] = k_portal_create(i);
        out[i] = k_portal_open(A, i);
    }
    ikc_meet(PARTIES);
    for (int i = 0; me == A && i < WRITES; i++) {
        struct k_source writer = {B, i};
        CHECK_EQ(k_portal_aread(in[i], &writer, (char *)p + i * BIG, BIG, NULL), 0);
    }
    ikc_meet(PARTIES);
    long last = BIG;
    if (me == B) {
        k_thread_sleep(while_());
        for (int i = 0; i < WRITES; i++)
            CHECK_EQ(k_portal_awrite(out[i], NULL, p, BIG, K_PORTAL_QUIET), 0);
        if (k_ikc_cancel(K_PORTAL, out[WRITES - 1]) == 0) {
            last = 7;
            CHECK_EQ(k_portal_awrite(out[WRITES - 1], NULL, p, 7, K_PORTAL_QUIET), 0);
        }
        /* By the ancestor's portals the first pieces were copied meanwhile, and some are sent. */
        bool sure = strcmp(hal_port_name, "sim") == 0 && !hal_machine()->ancestor_portals;
        CHECK(last == 7 || !sure);
    }
    for (int i = 0; i < WRITES; i++) {
        CHECK(me != B || wait_in(out[i]) == (i == WRITES - 1 ? last : BIG));
        CHECK(me != A || wait_in(in[i]) > 0);
    }
    return 0;
}

int main(void)
{
    CHECK_EQ(ikc_on_machines(body), 0);
    struct hal_machine m = ikc_machine("mini", false);
    CHECK_EQ(on_machine(&m, ends, NULL), 0);
    m.asymmetric = true;
    CHECK_EQ(on_machine(&m, ends, NULL), 0);
    m.portal_channels = 1;
    CHECK_EQ(on_machine(&m, ends, NULL), 0);
    m.portal_channels = 8;
    return on_machine(&m, dma_busy, NULL);
}
