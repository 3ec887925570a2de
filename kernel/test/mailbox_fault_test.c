/* SPDX-License-Identifier: MIT */
/* Mailboxes when something is wrong: arguments, states, full buffers, closed ports, ended
 * clusters. */
#include <test/crew.h>
#include "ikc.h"

enum { A = 0, B = 1, C = 2, PARTIES = 3, PORT = 1, QUIET_PORT = 2 };

static void check_arguments(void)
{
    char buf[HAL_MAIL_DATA + 1] = "";
    int ports = (int)hal_machine()->mailbox_ports;
    static const int no_port[] = {-2, 1 << 20, -0x7fffffff};
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(k_mailbox_create(no_port[i]), -B_EINVAL);
        CHECK_EQ(k_mailbox_open(B, no_port[i]), -B_EINVAL);
        CHECK_EQ(k_mailbox_open(no_port[i], PORT), -B_EHOSTUNREACH);
    }
    CHECK_EQ(k_mailbox_create(ports), -B_EINVAL);
    CHECK_EQ(k_mailbox_open(B, K_ANY), -B_EINVAL);
    CHECK_EQ(k_mailbox_open(K_ANY, 1), -B_EINVAL);
    int in = k_mailbox_create(PORT), out = k_mailbox_open(B, PORT);
    int to_any = k_mailbox_open(K_ANY, K_ANY);
    CHECK_EQ(k_mailbox_write(out, buf, HAL_MAIL_DATA + 1), -B_EINVAL);
    CHECK_EQ(k_mailbox_awrite(out, K_ANY, K_ANY, buf, (size_t)-1), -B_EINVAL);
    CHECK_EQ(k_mailbox_write(out, NULL, 1), -B_EINVAL);
    CHECK_EQ(k_mailbox_writeto(out, B, PORT, buf, 1), -B_EINVAL);
    CHECK_EQ(k_mailbox_write(to_any, buf, 1), -B_EINVAL);
    CHECK_EQ(k_mailbox_writeto(to_any, B, K_ANY, buf, 1), -B_EINVAL);
    CHECK_EQ(k_mailbox_writeto(to_any, 99999, 1, buf, 1), -B_EHOSTUNREACH);
    CHECK_EQ(k_mailbox_writeto(to_any, B, ports, buf, 1), -B_EINVAL);
    CHECK_EQ(k_mailbox_write(in, buf, 1), -B_EBADF);
    CHECK_EQ(k_mailbox_read(out, buf, 1, NULL), -B_EBADF);
    CHECK_EQ(k_mailbox_read(in, NULL, 1, NULL), -B_EINVAL);
    CHECK_EQ(k_mailbox_set_remote(out, A, 1), -B_EBADF);
    CHECK_EQ(k_mailbox_set_remote(in, 99999, 1), -B_EHOSTUNREACH);
    CHECK_EQ(k_mailbox_set_remote(in, A, ports), -B_EINVAL);
    uint64_t v;
    CHECK_EQ(k_mailbox_stat(in, (enum k_stat)99, &v), -B_EINVAL);
    CHECK_EQ(k_mailbox_stat(in, K_STAT_READS, NULL), -B_EINVAL);
    CHECK_EQ(k_mailbox_stat(1 << 30, K_STAT_READS, &v), -B_EBADF);
    CHECK_EQ(k_ikc_wait((enum k_facility)7, in, 0), -B_EBADF);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, in, 0), -B_EINVAL);
    CHECK_EQ(k_ikc_test(K_MAILBOX, in), -B_EINVAL);
    CHECK_EQ(k_ikc_cancel(K_MAILBOX, in), -B_EINVAL);
    CHECK_EQ(k_ikc_cancel(K_MAILBOX, -5), -B_EBADF);
    CHECK_EQ(k_mailbox_aread(in, buf, 1, NULL), 0);
    CHECK_EQ(k_mailbox_aread(in, buf, 1, NULL), -B_EBUSY);
    CHECK_EQ(k_mailbox_set_remote(in, A, 1), -B_EBUSY);
    CHECK_EQ(k_ikc_cancel(K_MAILBOX, in), 0);
    CHECK_EQ(k_ikc_cancel(K_MAILBOX, in), -B_EINVAL);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_mailbox_close(to_any), 0);
}

/* All ports there are (ancestor issue 271: more than 16 froze the machine), then one more. */
static void check_all_ports(int me)
{
    int n = (int)hal_machine()->mailbox_ports, in[64], out[64];
    char c;
    for (int i = 0; i < n; i++) {
        CHECK((in[i] = k_mailbox_create(K_ANY)) >= 0);
        CHECK((out[i] = k_mailbox_open(me, i)) >= 0);
    }
    CHECK_EQ(k_mailbox_create(K_ANY), -B_ENOMEM);
    CHECK_EQ(k_mailbox_open(me, 0), -B_ENOMEM);
    for (int i = 0; i < n; i++) {
        c = (char)i;
        CHECK_EQ(k_mailbox_write(out[i], &c, 1), 1); /* every port is owed a buffer */
    }
    for (int i = n - 1; i >= 0; i--) {
        CHECK_EQ(k_mailbox_read(in[i], &c, 1, NULL), 1);
        CHECK_EQ(c, (char)i);
        CHECK_EQ(k_mailbox_unlink(in[i]), 0);
        CHECK_EQ(k_mailbox_close(out[i]), 0);
    }
}

/* Nobody listens: the writer is told (ancestor: the message was discarded in silence). */
static void check_closed_port(int me)
{
    for (int node = 0; node < PARTIES; node++) {
        int out = k_mailbox_open(node, PORT);
        CHECK_EQ(k_mailbox_write(out, "x", 1), -B_ENOTCONN);
        CHECK_EQ(k_mailbox_write(out, "x", 1), -B_ENOTCONN);
        CHECK_EQ(ikc_stat_mailbox(out, K_STAT_WRITES), 0);
        CHECK_EQ(k_mailbox_close(out), 0);
    }
    ikc_meet(PARTIES);
    int in = k_mailbox_create(PORT), out = k_mailbox_open(me, PORT);
    char c[4] = "....";
    CHECK_EQ(k_mailbox_write(out, "long", 4), 4);
    CHECK_EQ(k_mailbox_read(in, c, 2, NULL), -B_EMSGSIZE);
    CHECK(memcmp(c, "lo..", 4) == 0);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    CHECK_EQ(k_mailbox_close(out), 0);
    ikc_meet(PARTIES);
}

/* On A, whose mailbox B has filled: its own messages are stored behind those of B. How many. */
static int fill_here(int quiet)
{
    int local = k_mailbox_open(A, PORT), local_other = k_mailbox_open(A, QUIET_PORT);
    int stored = ikc_flood(local, A);
    CHECK(stored >= 1);
    CHECK_EQ(k_mailbox_write(local_other, "A", 1), 1);
    CHECK(ikc_take_back(local));
    CHECK_EQ(k_mailbox_close(local), 0);
    CHECK_EQ(k_mailbox_close(local_other), 0);
    char c;
    CHECK_EQ(k_mailbox_read(quiet, &c, 1, NULL), 1);
    CHECK(c == 'B');
    CHECK_EQ(k_mailbox_read(quiet, &c, 1, NULL), 1);
    CHECK(c == 'A');
    return stored;
}

/* What was stored is taken in another order: those of C, then the own ones. */
static void take_others_first(int in, int stored)
{
    struct k_source from;
    int n;
    CHECK_EQ(k_mailbox_set_remote(in, C, K_ANY), 0);
    CHECK_EQ(k_mailbox_read(in, &n, sizeof n, &from), sizeof n);
    CHECK(n == 77 && from.node == C);
    CHECK_EQ(k_mailbox_set_remote(in, A, K_ANY), 0);
    for (int i = 0; i < stored; i++) {
        CHECK_EQ(k_mailbox_read(in, &n, sizeof n, &from), sizeof n);
        CHECK(n == i && from.node == A);
    }
}

/* A full port delays only its own writers (ancestor issue 219: one blocked port blocked all),
 * loop-back traffic does not eat the room of remote traffic nor the reverse (ancestor issue
 * 242), and a reader of a full port gets the message that it wants although others fill the port
 * (ancestor issue 289). */
static void check_full(int me)
{
    int in = k_mailbox_create(PORT), quiet = k_mailbox_create(QUIET_PORT);
    ikc_meet(PARTIES);
    int out = k_mailbox_open(A, PORT), other = k_mailbox_open(A, QUIET_PORT), n = -1;
    struct k_source from;
    if (me == B) {
        n = ikc_flood(out, A);
        CHECK(n >= 1);
        CHECK_EQ(k_mailbox_write(other, "B", 1), 1);
        CHECK_EQ(k_mailbox_close(out), -B_EBUSY);
    }
    ikc_meet(PARTIES);
    if (me == A) {
        int stored = fill_here(quiet);
        ikc_meet(PARTIES);
        take_others_first(in, stored);
        CHECK_EQ(k_mailbox_set_remote(in, K_ANY, K_ANY), 0);
    } else {
        ikc_meet(PARTIES);
    }
    if (me == C) {
        n = 77;
        CHECK_EQ(k_mailbox_write(out, &n, sizeof n), sizeof n);
    }
    ikc_meet(PARTIES);
    if (me == B) {
        CHECK_EQ(k_ikc_test(K_MAILBOX, out) & ~1, 0);
        CHECK_EQ(k_mailbox_awrite(out, K_ANY, K_ANY, "x", 1), -B_EBUSY);
        CHECK_EQ(k_ikc_wait(K_MAILBOX, out, K_FOREVER), sizeof n);
        int last = -1;
        CHECK_EQ(k_mailbox_write(out, &last, sizeof last), sizeof last);
    }
    if (me == A) {
        for (int i = 0;; i++) {
            CHECK_EQ(k_mailbox_read(in, &n, sizeof n, &from), sizeof n);
            CHECK_EQ(from.node, B);
            if (n < 0)
                break;
            CHECK_EQ(n, i);
        }
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_mailbox_close(other), 0);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    CHECK_EQ(k_mailbox_unlink(quiet), 0);
}

/* A refused write can be cancelled: it never happened. */
static void check_cancel(int me)
{
    int in = k_mailbox_create(PORT), n = 0;
    ikc_meet(PARTIES);
    int out = k_mailbox_open(A, PORT);
    if (me == B) {
        n = ikc_flood(out, A);
        CHECK(ikc_take_back(out));
        CHECK_EQ(k_ikc_wait(K_MAILBOX, out, 0), -B_EINVAL);
        CHECK_EQ(k_mailbox_awrite(out, K_ANY, K_ANY, &n, sizeof n), 0);
        CHECK(ikc_take_back(out)); /* on its way, or refused already */
    }
    ikc_meet(PARTIES);
    if (me == B) {
        int last = -1;
        CHECK_EQ(k_mailbox_write(out, &n, sizeof n), sizeof n);
        CHECK_EQ(k_mailbox_write(out, &last, sizeof last), sizeof last);
    }
    for (int i = 0; me == A && n >= 0; i++) {
        CHECK_EQ(k_mailbox_read(in, &n, sizeof n, NULL), sizeof n);
        CHECK(n == i || n == -1); /* the cancelled message comes once, as the later write of it */
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_mailbox_unlink(in), 0);
}

static void blocked_reader(int me, void *arg)
{
    (void)me;
    char c;
    CHECK_EQ(k_mailbox_read(*(int *)arg, &c, 1, NULL), -B_ECANCELED);
}

/* The input ends: its reader is woken, stored messages are counted, refused writers are told;
 * another input on the same port gets nothing old. */
static void check_unlink(int me)
{
    struct crew_member reader;
    int in = k_mailbox_create(PORT);
    crew_start(&reader, 1, ikc_core(), blocked_reader, &in);
    ikc_until_read(K_MAILBOX, in);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    crew_join(&reader, 1);
    in = k_mailbox_create(PORT);
    ikc_meet(PARTIES);
    int out = k_mailbox_open(A, PORT), n = 0;
    if (me == B)
        n = ikc_flood(out, A);
    ikc_meet(PARTIES);
    if (me == A) {
        CHECK_EQ(k_mailbox_retire(in), -B_EBUSY); /* and nothing has happened */
        CHECK_EQ(k_mailbox_retire(out), -B_EBADF);
        CHECK(k_mailbox_unlink(in) >= 1);
    }
    if (me == B)
        CHECK_EQ(k_ikc_wait(K_MAILBOX, out, K_FOREVER), -B_ENOTCONN);
    ikc_meet(PARTIES);
    if (me == A)
        in = k_mailbox_create(PORT);
    ikc_meet(PARTIES);
    if (me == B) {
        n = 4711;
        CHECK_EQ(k_mailbox_write(out, &n, sizeof n), sizeof n);
    }
    if (me == A) {
        CHECK_EQ(k_mailbox_read(in, &n, sizeof n, NULL), sizeof n);
        CHECK_EQ(n, 4711);
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_mailbox_retire(in), 0);
    CHECK_EQ(k_mailbox_retire(in), -B_EBADF);
}

/* The room of a port, before and after all the rest: what B could store and then A, all of which A
 * reads. */
static int room(int me)
{
    int in = k_mailbox_create(PORT), tell = k_mailbox_create(QUIET_PORT), far = 0, own = 0, got;
    ikc_meet(PARTIES);
    far = me == B ? ikc_capacity(A, PORT) : 0;
    ikc_meet(PARTIES);
    own = me == A ? ikc_capacity(A, PORT) : 0;
    ikc_meet(PARTIES);
    if (me == B) {
        int out = k_mailbox_open(A, QUIET_PORT);
        CHECK_EQ(k_mailbox_write(out, &far, sizeof far), sizeof far);
        CHECK_EQ(k_mailbox_close(out), 0);
    } else if (me == A) {
        CHECK_EQ(k_mailbox_read(tell, &far, sizeof far, NULL), sizeof far);
        CHECK(far > 0);
        ikc_drain(in, far);
        ikc_drain(in, own);
        CHECK_EQ(k_mailbox_aread(in, &got, sizeof got, NULL), 0);
        CHECK_EQ(k_ikc_wait(K_MAILBOX, in, hal_machine()->hz / 1000), -B_ETIMEDOUT);
        CHECK_EQ(k_ikc_cancel(K_MAILBOX, in), 0);
    }
    ikc_meet(PARTIES);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    CHECK_EQ(k_mailbox_unlink(tell), 0);
    return far * 1000 + own;
}

static int body(void *arg)
{
    (void)arg;
    int me = ikc_me();
    if (me >= PARTIES)
        return 0;
    ikc_meet(PARTIES);
    int before = room(me);
    check_arguments();
    check_all_ports(me);
    ikc_meet(PARTIES);
    check_closed_port(me);
    check_full(me);
    check_cancel(me);
    check_unlink(me);
    CHECK_EQ(room(me), before);
    return 0;
}

/* C ends in the middle: writes that it refused, new ones, and reads that only it could serve. */
static int ends(void *arg)
{
    (void)arg;
    int me = ikc_me(), in = k_mailbox_create(PORT), out = k_mailbox_open(C, PORT), n;
    int go = me == C ? k_mailbox_create(QUIET_PORT) : k_mailbox_open(C, QUIET_PORT);
    ikc_meet(PARTIES);
    if (me == C) {
        int local = k_mailbox_open(B, PORT), seven = 7;
        CHECK_EQ(k_mailbox_write(local, &seven, sizeof seven), sizeof seven);
        CHECK_EQ(k_mailbox_read(go, &n, sizeof n, NULL), 2);
        CHECK_EQ(k_mailbox_read(go, &n, sizeof n, NULL), 2);
        k_thread_sleep(hal_machine()->hz / 1000);
        return 0;
    }
    if (me == A) {
        ikc_flood(out, C);
        CHECK_EQ(k_mailbox_write(go, "go", 2), 2);
        CHECK_EQ(k_ikc_wait(K_MAILBOX, out, K_FOREVER), -B_EIO);
    } else {
        CHECK_EQ(k_mailbox_set_remote(in, C, K_ANY), 0);
        CHECK_EQ(k_mailbox_read(in, &n, sizeof n, NULL), sizeof n); /* what it sent before counts */
        CHECK_EQ(n, 7);
        CHECK_EQ(k_mailbox_write(go, "go", 2), 2);
        CHECK_EQ(k_mailbox_read(in, &n, sizeof n, NULL), -B_EIO);
    }
    CHECK_EQ(k_mailbox_write(out, "x", 1), -B_EIO);
    CHECK_EQ(k_mailbox_set_remote(in, C, 3), 0);
    CHECK_EQ(k_mailbox_read(in, &n, sizeof n, NULL), -B_EIO);
    CHECK_EQ(k_mailbox_set_remote(in, K_ANY, K_ANY), 0);
    int peer = k_mailbox_open(me == A ? B : A, PORT);
    CHECK_EQ(k_mailbox_write(peer, "y", 1), 1); /* the others go on */
    CHECK_EQ(k_mailbox_read(in, &n, sizeof n, NULL), 1);
    return 0;
}

int main(void)
{
    CHECK_EQ(ikc_on_machines(body), 0);
    struct hal_machine m = ikc_machine("mini", false);
    CHECK_EQ(on_machine(&m, ends, NULL), 0);
    m.asymmetric = true;
    return on_machine(&m, ends, NULL);
}
