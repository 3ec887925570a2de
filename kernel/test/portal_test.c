/* SPDX-License-Identifier: MIT */
/* Portals as sys/k_portal.h describes them: who comes first, named and any readers, announced
 * and quiet writers, lengths, engines, inside a cluster and between clusters. */
#include <stdlib.h>

#include "ikc.h"

enum { A = 0, B = 1, C = 2, PARTIES = 3, LARGE = 20000 };

static unsigned char byte_of(int seed, size_t i)
{
    return (unsigned char)((size_t)seed * 7 + i + i / 251);
}

static void fill(unsigned char *p, size_t n, int seed)
{
    for (size_t i = 0; i < n; i++)
        p[i] = byte_of(seed, i);
}

static void check_bytes(const unsigned char *p, size_t n, int seed)
{
    for (size_t i = 0; i < n; i++)
        CHECK_EQ(p[i], byte_of(seed, i));
}

static const size_t lengths[] = {0, 1, 4, 127, 511, 512, 4097, LARGE};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

/* The reader comes first in even rounds, the writer in odd ones. */
static void order(int me, int round, int first)
{
    if (round % 2 == (me == first))
        k_thread_sleep(30000);
}

enum mode { ANY, NAMED, NAMED_QUIET, MODES };

/* B writes to A in every mode, length, order and with both engines. */
static void check_between_clusters(int me, unsigned char *buf)
{
    int in = k_portal_create(4), out = k_portal_open(A, 4);
    struct k_source writer = {B, k_portal_get_port(out)}, got;
    for (int i = 0; i < MODES * LENGTHS * 2; i++) {
        enum mode mode = (enum mode)(i % MODES);
        size_t n = lengths[i / MODES % LENGTHS];
        static const int engine[] = {K_PORTAL_CORE, K_PORTAL_DMA, 0};
        int flags = (mode == NAMED_QUIET ? K_PORTAL_QUIET : 0) | engine[i / MODES % 3];
        ikc_meet(PARTIES);
        order(me, i / MODES, A);
        if (me == B) {
            fill(buf, n, i);
            CHECK_EQ(k_portal_awrite(out, NULL, buf, n, flags), 0);
            CHECK_EQ(k_ikc_wait(K_PORTAL, out, K_FOREVER), n);
        } else if (me == A) {
            memset(buf, 0, LARGE);
            CHECK_EQ(k_portal_aread(in, mode == ANY ? NULL : &writer, buf, LARGE, &got), 0);
            CHECK_EQ(k_ikc_wait(K_PORTAL, in, K_FOREVER), n);
            check_bytes(buf, n, i);
            CHECK(got.node == B && got.port == writer.port);
        }
    }
    ikc_meet(PARTIES);
    if (me == A)
        CHECK_EQ(ikc_stat_portal(in, K_STAT_READS), MODES * LENGTHS * 2);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

/* The writer has more than the reader takes: both are told, nothing is written, both go on. */
static void check_too_long(int me, unsigned char *buf)
{
    int in = k_portal_create(4), out = k_portal_open(A, 4);
    struct k_source writer = {B, k_portal_get_port(out)};
    for (int i = 0; i < 8; i++) {
        ikc_meet(PARTIES);
        order(me, i, A);
        bool named = (i & 2) != 0, quiet = named && (i & 4) != 0;
        if (me == B) {
            CHECK_EQ(k_portal_awrite(out, NULL, buf, 1001, quiet ? K_PORTAL_QUIET : 0), 0);
            CHECK_EQ(k_ikc_wait(K_PORTAL, out, K_FOREVER), -B_EMSGSIZE);
            CHECK_EQ(k_portal_write(out, "ok", 2), 2);
        } else if (me == A) {
            memset(buf, 9, 1001);
            CHECK_EQ(k_portal_aread(in, named ? &writer : NULL, buf, 1000, NULL), 0);
            CHECK_EQ(k_ikc_wait(K_PORTAL, in, K_FOREVER), -B_EMSGSIZE);
            CHECK(buf[0] == 9 && buf[999] == 9);
            CHECK_EQ(k_portal_read(in, buf, 2, NULL), 2);
            CHECK(memcmp(buf, "ok", 2) == 0);
        }
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

/* When all leave the second meeting, each has handled what was sent before the first. */
static void settle(void)
{
    ikc_meet(PARTIES);
    ikc_meet(PARTIES);
}

/* Writers are served in the order of their announcements, and a filter holds until it is lifted. */
static void check_any_and_filter(int me)
{
    int in = k_portal_create(1), out = k_portal_open(A, 1);
    char c = "ABC"[me];
    struct k_source got;
    ikc_meet(PARTIES);
    for (int writer = C; writer >= B; writer--) {
        if (me == writer)
            CHECK_EQ(k_portal_awrite(out, NULL, &c, 1, 0), 0);
        settle();
    }
    if (me == A) {
        CHECK_EQ(k_portal_read(in, &c, 1, &got), 1);
        CHECK(c == 'C' && got.node == C);
        CHECK_EQ(k_portal_read(in, &c, 1, &got), 1);
        CHECK(c == 'B' && got.node == B);
        CHECK_EQ(k_portal_set_remote(in, C, K_ANY), 0);
        CHECK_EQ(k_portal_read(in, &c, 1, &got), 1);
        CHECK(c == 'C' && got.node == C);
        CHECK_EQ(k_portal_set_remote(in, K_ANY, K_ANY), 0);
        CHECK_EQ(k_portal_read(in, &c, 1, &got), 1);
        CHECK(c == 'B' && got.node == B);
    } else {
        CHECK_EQ(k_ikc_wait(K_PORTAL, out, K_FOREVER), 1);
        CHECK_EQ(k_portal_write(out, &c, 1), 1);
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

/* Inside a cluster: one copy, whoever comes first, in every mode. */
static void check_loop_back(int me, unsigned char *buf)
{
    int in = k_portal_create(K_ANY), out = k_portal_open(K_ANY, K_ANY);
    struct k_source self = {me, k_portal_get_port(out)}, to = {me, k_portal_get_port(in)}, got;
    unsigned char *copy = buf + LARGE / 2;
    for (int i = 0; i < MODES * 2; i++) {
        enum mode mode = (enum mode)(i % MODES);
        const struct k_source *from = mode == ANY ? NULL : &self;
        size_t n = (size_t)(i * 100);
        fill(buf, n, i);
        memset(copy, 0, n);
        if (i >= MODES)
            CHECK_EQ(k_portal_aread(in, from, copy, 1000, &got), 0);
        CHECK_EQ(k_portal_awrite(out, &to, buf, n, mode == NAMED_QUIET ? K_PORTAL_QUIET : 0), 0);
        if (i < MODES) {
            CHECK_EQ(k_ikc_test(K_PORTAL, out), 0);
            CHECK_EQ(k_portal_aread(in, from, copy, 1000, &got), 0);
        }
        CHECK_EQ(k_ikc_wait(K_PORTAL, i & 1 ? in : out, K_FOREVER), n);
        CHECK_EQ(k_ikc_wait(K_PORTAL, i & 1 ? out : in, 0), n);
        check_bytes(copy, n, i);
        CHECK(got.node == me && got.port == self.port);
    }
    CHECK_EQ(k_portal_awrite(out, &to, buf, 100, 0), 0);
    CHECK_EQ(k_portal_aread(in, NULL, copy, 99, NULL), 0);
    CHECK_EQ(k_ikc_wait(K_PORTAL, in, IKC_LONG), -B_EMSGSIZE);
    CHECK_EQ(k_ikc_wait(K_PORTAL, out, IKC_LONG), -B_EMSGSIZE);
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

/* A short transfer moves its bytes only: 4 bytes take far less time on the wire than a page. The
 * ancestor's portals always move whole pages, as carrier_test.c shows. */
static void check_short_is_short(int me, unsigned char *buf)
{
    enum { PAGE = 4096, ROUNDS = 4 };
    int in = k_portal_create(4), out = k_portal_open(A, 4);
    uint64_t took[2] = {0, 0};
    for (int i = 0; i < 2 * ROUNDS; i++) {
        size_t n = i < ROUNDS ? 4 : PAGE;
        ikc_meet(PARTIES);
        if (me == A) {
            CHECK_EQ(k_portal_read(in, buf, PAGE, NULL), n);
        } else if (me == B) {
            k_thread_sleep(20000);
            uint64_t began = k_time_cycles();
            CHECK_EQ(k_portal_awrite(out, NULL, buf, n, K_PORTAL_CORE), 0);
            CHECK_EQ(k_ikc_wait(K_PORTAL, out, K_FOREVER), n);
            took[i / ROUNDS] += k_time_cycles() - began;
        }
    }
    ikc_meet(PARTIES);
    if (me == B && strcmp(hal_port_name, "sim") == 0 && !hal_machine()->ancestor_portals)
        CHECK(took[1] - took[0] >= ROUNDS * (PAGE - 4) / hal_machine()->noc.core_bytes);
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
    unsigned char *buf = p;
    check_loop_back(me, buf);
    check_between_clusters(me, buf);
    check_too_long(me, buf);
    check_any_and_filter(me);
    check_short_is_short(me, buf);
    ikc_meet(PARTIES);
    return 0;
}

int main(void)
{
    return ikc_on_machines(body);
}
