/* SPDX-License-Identifier: MIT */
/* Mails of which one output has many under way: every thread posts to every thread, with as few
 * buffers as there can be, so that most are refused at some time; on sim with many seeds. Each
 * arrives once and in the order of its sender. A failure names the seed that repeats it. */
#include <sys/k_bell.h>
#include <test/crew.h>
#include "ikc.h"

enum { CLUSTERS = 4, MOST = 4, MAILS = 5, MESSAGES = 24 };

struct mail {
    int node, thread, number;
};

/* Per cluster. */
struct stream {
    int me, threads;
    int in[MOST], out[MOST];
    struct k_mail mail[MOST][MAILS];
    int seen[MOST][CLUSTERS * MOST];
};

/* What a thread is at. */
struct turn {
    struct stream *s;
    int me, sent, received, total;
    bool reading; /* an operation is pending; else it takes */
    uint32_t random;
    struct mail got;
    struct k_source from;
    struct k_bell bell;
};

static uint32_t chance(struct turn *t, uint32_t n)
{
    t->random = t->random * 1664525 + 1013904223;
    return (t->random >> 16) % n;
}

/* Bursts to one receiver at a time, so that many of them follow each other. */
static bool post(struct turn *t)
{
    struct stream *s = t->s;
    int all = CLUSTERS * s->threads, burst = t->sent / 6;
    for (int i = 0; i < MAILS && t->sent < t->total; i++) {
        struct k_mail *m = &s->mail[t->me][i];
        if (k_mail_busy(m))
            continue;
        CHECK_EQ(m->result, 0);
        int to = (s->me * s->threads + t->me + burst) % all, before = burst / all * 6;
        struct mail letter = {s->me, t->me, before + t->sent % 6};
        memcpy(m->data, &letter, sizeof letter);
        m->size = sizeof letter;
        CHECK_EQ(k_mailbox_post(s->out[t->me], to / s->threads, to % s->threads, m), 0);
        t->sent++;
        return true;
    }
    return false;
}

static bool receive(struct turn *t)
{
    int in = t->s->in[t->me];
    long n;
    if (t->received == t->total || chance(t, 3) == 0)
        return false;
    if (!t->reading) {
        CHECK_EQ(k_mailbox_aread(in, &t->got, sizeof t->got, &t->from), 0);
        t->reading = true;
    }
    if (k_ikc_test(K_MAILBOX, in) != 1)
        return false;
    n = k_ikc_wait(K_MAILBOX, in, 0);
    t->reading = false;
    CHECK_EQ(n, sizeof t->got);
    CHECK(t->got.node == t->from.node && t->got.thread == t->from.port);
    int *seen = &t->s->seen[t->me][t->got.node * t->s->threads + t->got.thread];
    CHECK_EQ(t->got.number, *seen);
    ++*seen;
    t->received++;
    return true;
}

static bool busy(struct turn *t, bool tell)
{
    bool any = false;
    for (int i = 0; i < MAILS; i++) {
        struct k_mail *m = &t->s->mail[t->me][i];
        any |= tell ? k_mail_tell(m) : k_mail_busy(m);
    }
    return any;
}

/* Nothing moved: sleeps until the bell rings, unless there is something to do all the same. */
static void rest(struct turn *t)
{
    k_bell_take(&t->bell);
    if (!t->reading && t->received < t->total) {
        CHECK_EQ(k_mailbox_aread(t->s->in[t->me], &t->got, sizeof t->got, &t->from), 0);
        t->reading = true;
    }
    bool done = t->reading && k_ikc_test(K_MAILBOX, t->s->in[t->me]) == 1;
    if (done || (!busy(t, true) && (t->sent < t->total || !t->reading)))
        return;
    CHECK_EQ(k_bell_wait(&t->bell, K_FOREVER), 0);
}

static void exchange(int me, void *arg)
{
    struct stream *s = arg;
    struct turn t = {.s = s, .me = me, .total = CLUSTERS * s->threads * MESSAGES};
    t.random = (uint32_t)(test_seed * 977 + (uint64_t)(s->me * MOST + me));
    CHECK_EQ(k_bell_init(&t.bell, "stream"), 0);
    CHECK_EQ(k_ikc_attach(K_MAILBOX, s->in[me], &t.bell), 0);
    CHECK_EQ(k_ikc_attach(K_MAILBOX, s->out[me], &t.bell), 0);
    while (t.sent < t.total || t.received < t.total || busy(&t, false)) {
        bool moved = chance(&t, 4) != 0 && post(&t);
        moved |= receive(&t);
        if (chance(&t, 16) == 0)
            k_thread_sleep(chance(&t, 20000));
        else if (!moved && chance(&t, 2) == 0)
            rest(&t);
    }
    CHECK_EQ(k_ikc_attach(K_MAILBOX, s->in[me], NULL), 0);
    CHECK_EQ(k_ikc_attach(K_MAILBOX, s->out[me], NULL), 0);
    k_bell_take(&t.bell); /* nobody has it any more */
}

/* What is refused at once, and what a mail to nobody ends with. */
static void check_errors(struct stream *s)
{
    struct k_mail *m = &s->mail[0][0];
    int node = (s->me + 1) % CLUSTERS, out = s->out[0], in = s->in[0], ports;
    struct k_info info;
    k_info(&info);
    ports = info.mailbox_ports;
    m->size = HAL_MAIL_DATA + 1;
    CHECK_EQ(k_mailbox_post(out, node, 0, m), -B_EINVAL);
    m->size = 0;
    CHECK_EQ(k_mailbox_post(out, node, 0, NULL), -B_EINVAL);
    CHECK_EQ(k_mailbox_post(out, K_ANY, K_ANY, m), -B_EINVAL);
    CHECK_EQ(k_mailbox_post(out, node, ports, m), -B_EINVAL);
    CHECK_EQ(k_mailbox_post(out, hal_machine_clusters(hal_machine()), 0, m), -B_EHOSTUNREACH);
    CHECK_EQ(k_mailbox_post(in, node, 0, m), -B_EBADF);
    CHECK(!k_mail_busy(m) && !k_mail_tell(m));
    CHECK_EQ(k_mailbox_post(out, node, ports - 1, m), 0); /* nobody is there */
    while (k_mail_busy(m))
        k_thread_sleep(1000);
    CHECK_EQ(m->result, -B_ENOTCONN);
    m->result = 0;
}

static int body(void *arg)
{
    struct k_info info;
    (void)arg;
    k_info(&info);
    if (info.cluster >= CLUSTERS)
        return 0;
    void *p;
    CHECK_EQ(k_page_alloc(sizeof(struct stream), &p), 0);
    struct stream *s = p;
    s->me = info.cluster;
    s->threads = info.cores - info.user_core;
    for (int i = 0; i < s->threads; i++) {
        CHECK((s->in[i] = k_mailbox_create(i)) >= 0);
        CHECK((s->out[i] = k_mailbox_open(K_ANY, K_ANY)) >= 0);
    }
    ikc_meet(CLUSTERS);
    check_errors(s);
    ikc_meet(CLUSTERS);
    struct crew_member crew[MOST];
    crew_start(crew, s->threads, -1, exchange, s);
    crew_join(crew, s->threads);
    for (int i = 0; i < s->threads; i++) {
        CHECK_EQ(ikc_stat_mailbox(s->out[i], K_STAT_WRITES), CLUSTERS * s->threads * MESSAGES);
        CHECK_EQ(k_mailbox_unlink(s->in[i]), 0); /* nothing is left over */
        CHECK_EQ(k_mailbox_close(s->out[i]), 0);
    }
    ikc_meet(CLUSTERS);
    return 0;
}

static void run(uint32_t slots, int cores, bool asymmetric, uint64_t seed)
{
    struct hal_machine m = ikc_machine("mini", asymmetric);
    m.compute_clusters = CLUSTERS;
    m.compute_cores = (uint32_t)cores;
    m.mail_slots = slots;
    m.mailbox_ports = MOST + 1;
    m.mail_buffers = m.mail_buffers_local = 1; /* one for each port */
    m.io_clusters = 0;
    m.noc.torus_x = m.noc.torus_y = 2;
    test_seed = seed;
    int status = on_machine(&m, body, NULL);
    if (status != 0) {
        fprintf(stderr, "%u slots, %d cores, seed %" PRIu64 ": status %d\n", (unsigned)slots, cores,
                seed, status);
    }
    CHECK_EQ(status, 0);
}

int main(void)
{
    /* The last two had mails that were refused because of others, with a buffer free. */
    static const uint64_t seeds[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 56, 194};
    int n = strcmp(hal_port_name, "sim") == 0 ? (int)(sizeof seeds / sizeof seeds[0]) : 1;
    for (int i = 0; i < n; i++) {
        for (uint32_t slots = 1; slots <= 8; slots *= 2)
            run(slots, (int)(seeds[i] % 3) + 1, false, seeds[i]);
        run(4, 3, true, seeds[i]);
    }
    return 0;
}
