/* SPDX-License-Identifier: MIT */
/* Mailboxes as sys/k_mailbox.h describes them: create, open, read, write, any source, filters,
 * test, time-outs, counters, ports, order, inside a cluster and between clusters. */
#include "ikc.h"

enum { A = 0, B = 1, C = 2, PARTIES = 3 };

static void check_ids(void)
{
    int in = k_mailbox_create(3);
    CHECK(in >= 0);
    CHECK_EQ(k_mailbox_get_port(in), 3);
    CHECK_EQ(k_mailbox_create(3), -B_EBUSY);
    int any = k_mailbox_create(K_ANY);
    CHECK(any >= 0 && any != in);
    CHECK(k_mailbox_get_port(any) != 3);
    int out = k_mailbox_open(B, 3);
    CHECK(out >= 0);
    CHECK(k_mailbox_get_port(out) >= 0);
    CHECK_EQ(k_mailbox_close(in), -B_EBADF);
    CHECK_EQ(k_mailbox_unlink(out), -B_EBADF);
    CHECK_EQ(k_mailbox_unlink(any), 0);
    CHECK_EQ(k_mailbox_unlink(any), -B_EBADF);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_mailbox_close(out), -B_EBADF);
    int again = k_mailbox_create(3);
    CHECK(again >= 0 && again != in); /* a stale id names nothing */
    char c;
    CHECK_EQ(k_mailbox_read(in, &c, 1, NULL), -B_EBADF);
    CHECK_EQ(k_mailbox_unlink(again), 0);
}

/* Two objects may have operations pending at once; the ancestor's function table was one for all
 * (ancestor: vmailbox_functions), so a reader could run the writer's function. */
static void check_loop_back(void)
{
    int in = k_mailbox_create(0), me = ikc_me();
    int out = k_mailbox_open(me, 0), free_out = k_mailbox_open(K_ANY, K_ANY);
    char buf[HAL_MAIL_DATA];
    struct k_source from;
    CHECK_EQ(k_mailbox_write(out, "abc", 3), 3);
    CHECK_EQ(k_mailbox_writeto(free_out, me, 0, "defg", 4), 4);
    CHECK_EQ(k_mailbox_read(in, buf, sizeof buf, &from), 3);
    CHECK(memcmp(buf, "abc", 3) == 0);
    CHECK_EQ(from.node, me);
    CHECK_EQ(from.port, k_mailbox_get_port(out));
    CHECK_EQ(k_mailbox_read(in, buf, sizeof buf, NULL), 4);
    /* The reader first. */
    CHECK_EQ(k_mailbox_aread(in, buf, sizeof buf, &from), 0);
    CHECK_EQ(k_ikc_test(K_MAILBOX, in), 0);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, in, 0), -B_ETIMEDOUT);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, in, 500), -B_ETIMEDOUT);
    CHECK_EQ(k_mailbox_awrite(out, K_ANY, K_ANY, NULL, 0), 0);
    ikc_until_complete(K_MAILBOX, in);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, in, 0), 0);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, out, K_FOREVER), 0);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, out, K_FOREVER), -B_EINVAL);
    /* The fast path counts too (ancestor: stored and local messages did not). */
    CHECK_EQ(ikc_stat_mailbox(in, K_STAT_READS), 3);
    CHECK_EQ(ikc_stat_mailbox(in, K_STAT_VOLUME), 7);
    CHECK_EQ(ikc_stat_mailbox(out, K_STAT_WRITES), 2);
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_mailbox_close(free_out), 0);
    CHECK_EQ(k_mailbox_unlink(in), 0);
}

static void check_facility_counters(void)
{
    uint64_t before = ikc_stat_mailbox(K_ANY, K_STAT_CREATES);
    uint64_t unlinks = ikc_stat_mailbox(K_ANY, K_STAT_UNLINKS);
    uint64_t opens = ikc_stat_mailbox(K_ANY, K_STAT_OPENS);
    int in = k_mailbox_create(K_ANY), out = k_mailbox_open(A, 1);
    CHECK_EQ(ikc_stat_mailbox(K_ANY, K_STAT_CREATES), before + 1);
    CHECK_EQ(ikc_stat_mailbox(K_ANY, K_STAT_OPENS), opens + 1);
    k_mailbox_unlink(in);
    k_mailbox_close(out);
    CHECK_EQ(ikc_stat_mailbox(K_ANY, K_STAT_UNLINKS), unlinks + 1);
}

/* From B and C to A, all sizes, in order for each. */
static void check_between_clusters(int me)
{
    enum { SENT = 2 * HAL_MAIL_DATA };
    if (me == A) {
        int in = k_mailbox_create(5), next[PARTIES] = {0};
        ikc_meet(PARTIES);
        for (int i = 0; i < 2 * SENT; i++) {
            unsigned char buf[HAL_MAIL_DATA];
            struct k_source from;
            int n = k_mailbox_read(in, buf, sizeof buf, &from);
            CHECK(from.node == B || from.node == C);
            CHECK_EQ(n, next[from.node] % (HAL_MAIL_DATA + 1));
            for (int j = 0; j < n; j++)
                CHECK_EQ(buf[j], (unsigned char)(next[from.node] + from.node + j));
            next[from.node]++;
        }
        CHECK_EQ(ikc_stat_mailbox(in, K_STAT_READS), 2 * SENT);
        CHECK(ikc_stat_mailbox(in, K_STAT_LATENCY) > 0 || hal_machine()->cost.mail_recv == 0);
        ikc_meet(PARTIES);
        CHECK_EQ(k_mailbox_unlink(in), 0);
        return;
    }
    ikc_meet(PARTIES);
    int out = k_mailbox_open(A, 5);
    for (int i = 0; i < SENT; i++) {
        unsigned char buf[HAL_MAIL_DATA];
        int n = i % (HAL_MAIL_DATA + 1);
        for (int j = 0; j < n; j++)
            buf[j] = (unsigned char)(i + me + j);
        CHECK_EQ(k_mailbox_write(out, buf, (size_t)n), n);
        memset(buf, 0xee, sizeof buf);
    }
    CHECK_EQ(ikc_stat_mailbox(out, K_STAT_WRITES), SENT);
    ikc_meet(PARTIES);
    CHECK_EQ(k_mailbox_close(out), 0);
}

/* A filter takes only what it names, and ends when it is lifted (ancestor issue 289: set_remote
 * was not reset after a read, and the next read waited for ever). */
static void check_filter(int me)
{
    int in = k_mailbox_create(2), out = k_mailbox_open(A, 2);
    char c;
    struct k_source from;
    ikc_meet(PARTIES);
    if (me != A) {
        c = (char)('a' + me);
        CHECK_EQ(k_mailbox_write(out, &c, 1), 1);
        CHECK_EQ(k_mailbox_write(out, &c, 1), 1);
    } else {
        CHECK_EQ(k_mailbox_set_remote(in, C, K_ANY), 0);
        CHECK_EQ(k_mailbox_read(in, &c, 1, &from), 1);
        CHECK(from.node == C && c == 'a' + C);
        CHECK_EQ(k_mailbox_set_remote(in, B, from.port), 0);
        CHECK_EQ(k_mailbox_read(in, &c, 1, &from), 1);
        CHECK(from.node == B && c == 'a' + B);
        CHECK_EQ(k_mailbox_set_remote(in, K_ANY, K_ANY), 0);
        CHECK_EQ(k_mailbox_read(in, &c, 1, &from), 1);
        CHECK_EQ(k_mailbox_read(in, &c, 1, &from), 1);
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    CHECK_EQ(k_mailbox_close(out), 0);
}

/* One thread waits for two objects by a bell. */
static void check_bell(int me)
{
    int one = k_mailbox_create(6), two = k_mailbox_create(7);
    ikc_meet(PARTIES);
    if (me == A) {
        struct k_bell bell = {0};
        CHECK_EQ(k_ikc_attach(K_MAILBOX, one, &bell), -B_EINVAL); /* nobody's */
        CHECK_EQ(k_ikc_attach(K_MAILBOX, one, (void *)((char *)&bell + 1)), -B_EFAULT);
        CHECK_EQ(k_bell_init(&bell, "two mailboxes"), 0);
        char a = 0, b = 0;
        CHECK_EQ(k_ikc_attach(K_MAILBOX, one, &bell), 0);
        CHECK_EQ(k_ikc_attach(K_MAILBOX, two, &bell), 0);
        CHECK_EQ(k_mailbox_aread(one, &a, 1, NULL), 0);
        CHECK_EQ(k_mailbox_aread(two, &b, 1, NULL), 0);
        int left = 2;
        while (left > 0) {
            CHECK_EQ(k_bell_wait(&bell, K_FOREVER), 0);
            CHECK_EQ(k_bell_take(&bell), K_BELL_KERNEL);
            if (k_ikc_test(K_MAILBOX, one) == 1) {
                CHECK_EQ(k_ikc_wait(K_MAILBOX, one, 0), 1);
                left--;
            }
            if (k_ikc_test(K_MAILBOX, two) == 1) {
                CHECK_EQ(k_ikc_wait(K_MAILBOX, two, 0), 1);
                left--;
            }
        }
        CHECK(a == 'B' && b == 'C');
        CHECK_EQ(k_ikc_attach(K_MAILBOX, one, NULL), 0);
        k_bell_take(&bell);
    } else {
        int out = k_mailbox_open(A, me == B ? 6 : 7);
        CHECK_EQ(k_mailbox_write(out, me == B ? "B" : "C", 1), 1);
        CHECK_EQ(k_mailbox_close(out), 0);
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_mailbox_unlink(one), 0);
    CHECK_EQ(k_mailbox_unlink(two), 0);
}

static int body(void *arg)
{
    (void)arg;
    int me = ikc_me();
    if (me >= PARTIES)
        return 0;
    check_ids();
    check_loop_back();
    check_facility_counters();
    check_between_clusters(me);
    check_filter(me);
    check_bell(me);
    ikc_meet(PARTIES);
    return 0;
}

int main(void)
{
    return ikc_on_machines(body);
}
