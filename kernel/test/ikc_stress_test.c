/* SPDX-License-Identifier: MIT */
/* 16 clusters, every thread sends to every thread, mailboxes and portals; on sim with many
 * seeds, which change the order of everything that happens on one cycle. Nothing is lost,
 * doubled, mixed up or out of order. A failure names the seed that repeats it. */
#include <test/crew.h>
#include "ikc.h"

enum { CLUSTERS = 16, MOST = 16, MESSAGES = 3, LARGEST = 3000 };

struct mail {
    int node, thread, number, sum;
};

/* Per cluster. */
struct stress {
    int me, threads, rounds;
    int in[MOST], out[MOST]; /* mailboxes */
    int portal_in[MOST], portal_out[MOST];
    uint8_t seen[MOST][CLUSTERS * MOST];
    unsigned char to[MOST][LARGEST], from[MOST][LARGEST];
};

static int sum_of(const struct mail *m)
{
    return m->node * 31 + m->thread * 17 + m->number;
}

static int everybody(const struct stress *s)
{
    return CLUSTERS * s->threads;
}

/* Mailboxes ------------------------------------------------------------------------------------ */

static void take_mail(struct stress *s, int thread, const struct mail *m,
                      const struct k_source *from)
{
    CHECK_EQ(m->sum, sum_of(m));
    CHECK_EQ(m->node, from->node);
    CHECK_EQ(m->thread, from->port);
    CHECK_EQ(m->number, s->seen[thread][m->node * s->threads + m->thread]++);
}

static void wait_for_bell(struct k_bell *bell)
{
    CHECK_EQ(k_bell_wait(bell, K_FOREVER), 0);
    CHECK_EQ(k_bell_take(bell), K_BELL_KERNEL);
}

/* Sends MESSAGES to everybody, itself included, and takes as many. */
static void exchange_mail(int me, void *arg)
{
    struct stress *s = arg;
    int total = everybody(s) * MESSAGES, sent = 0, received = 0;
    struct k_bell bell;
    struct mail m;
    struct k_source from;
    CHECK_EQ(k_bell_init(&bell, "stress"), 0);
    CHECK_EQ(k_ikc_attach(K_MAILBOX, s->in[me], &bell), 0);
    CHECK_EQ(k_ikc_attach(K_MAILBOX, s->out[me], &bell), 0);
    CHECK_EQ(k_mailbox_aread(s->in[me], &m, sizeof m, &from), 0);
    bool writing = false;
    while (sent < total || received < total) {
        if (!writing && sent < total) {
            int whom = (s->me * s->threads + me + sent) % everybody(s);
            struct mail out = {s->me, me, sent / everybody(s), 0};
            out.sum = sum_of(&out);
            CHECK_EQ(k_mailbox_awrite(s->out[me], whom / s->threads, whom % s->threads, &out,
                                      sizeof out),
                     0);
            writing = true;
        }
        bool moved = false;
        if (writing && k_ikc_test(K_MAILBOX, s->out[me]) == 1) {
            CHECK_EQ(k_ikc_wait(K_MAILBOX, s->out[me], 0), sizeof m);
            writing = false;
            moved = true;
            sent++;
        }
        if (received < total && k_ikc_test(K_MAILBOX, s->in[me]) == 1) {
            CHECK_EQ(k_ikc_wait(K_MAILBOX, s->in[me], 0), sizeof m);
            take_mail(s, me, &m, &from);
            moved = true;
            if (++received < total)
                CHECK_EQ(k_mailbox_aread(s->in[me], &m, sizeof m, &from), 0);
        }
        if (!moved)
            wait_for_bell(&bell);
    }
    CHECK_EQ(k_ikc_attach(K_MAILBOX, s->in[me], NULL), 0);
    CHECK_EQ(k_ikc_attach(K_MAILBOX, s->out[me], NULL), 0);
    k_bell_take(&bell);
}

/* Portals -------------------------------------------------------------------------------------- */

static size_t length_of(int whole, int round)
{
    uint32_t x = (uint32_t)(whole * 7919 + round * 104729);
    x ^= x >> 7;
    return x % 5 == 0 ? 0 : x % LARGEST;
}

static unsigned char byte_of(int writer, int round, size_t i)
{
    return (unsigned char)((size_t)writer * 13 + (size_t)round * 5 + i);
}

static void check_block(const unsigned char *p, long n, int writer, int round)
{
    CHECK_EQ(n, length_of(writer, round));
    for (long i = 0; i < n; i++)
        CHECK_EQ(p[i], byte_of(writer, round, (size_t)i));
}

static void fill(unsigned char *p, size_t n, int writer, int round)
{
    for (size_t i = 0; i < n; i++)
        p[i] = byte_of(writer, round, i);
}

/* In round r everybody writes to the one r further and reads from the one r before. Quiet writes
 * are in the last round only: their readers hold channels until the writer comes, and where one who
 * has still a quiet round to go through comes later than his reader, all may wait in a circle. */
static void exchange_named(int me, void *arg)
{
    struct stress *s = arg;
    int all = everybody(s), self = s->me * s->threads + me;
    for (int i = 0; i < s->rounds; i++) {
        int round = i * (all / s->rounds);
        int to = (self + round) % all, from = (self + all - round) % all;
        bool quiet = i == s->rounds - 1;
        size_t n = length_of(self, round);
        struct k_source reader = {to / s->threads, to % s->threads}, got;
        struct k_source writer = {from / s->threads, from % s->threads};
        fill(s->to[me], n, self, round);
        CHECK_EQ(k_portal_aread(s->portal_in[me], &writer, s->from[me], LARGEST, &got), 0);
        CHECK_EQ(
            k_portal_awrite(s->portal_out[me], &reader, s->to[me], n, quiet ? K_PORTAL_QUIET : 0),
            0);
        long r = k_ikc_wait(K_PORTAL, s->portal_in[me], K_FOREVER);
        CHECK(got.node == writer.node && got.port == writer.port);
        check_block(s->from[me], r, from, round);
        CHECK_EQ(k_ikc_wait(K_PORTAL, s->portal_out[me], K_FOREVER), n);
    }
}

/* The same writers, but readers take whoever comes; so nobody may wait for his write before he
 * reads. */
static void exchange_any(int me, void *arg)
{
    struct stress *s = arg;
    int all = everybody(s), self = s->me * s->threads + me, in = s->portal_in[me];
    int out = s->portal_out[me], written = 0, read = 0;
    size_t n = length_of(self, 0);
    struct k_bell bell;
    struct k_source got;
    CHECK_EQ(k_bell_init(&bell, "stress"), 0);
    CHECK_EQ(k_ikc_attach(K_PORTAL, in, &bell), 0);
    CHECK_EQ(k_ikc_attach(K_PORTAL, out, &bell), 0);
    fill(s->to[me], n, self, 0);
    CHECK_EQ(k_portal_aread(in, NULL, s->from[me], LARGEST, &got), 0);
    bool writing = false;
    while (written < s->rounds || read < s->rounds) {
        bool moved = false;
        if (!writing && written < s->rounds) {
            int to = (self + written * (all / s->rounds)) % all;
            struct k_source reader = {to / s->threads, to % s->threads};
            CHECK_EQ(k_portal_awrite(out, &reader, s->to[me], n, 0), 0);
            writing = true;
        }
        if (writing && k_ikc_test(K_PORTAL, out) == 1) {
            CHECK_EQ(k_ikc_wait(K_PORTAL, out, 0), n);
            writing = false;
            moved = true;
            written++;
        }
        if (read < s->rounds && k_ikc_test(K_PORTAL, in) == 1) {
            long r = k_ikc_wait(K_PORTAL, in, 0);
            check_block(s->from[me], r, got.node * s->threads + got.port, 0);
            moved = true;
            if (++read < s->rounds)
                CHECK_EQ(k_portal_aread(in, NULL, s->from[me], LARGEST, &got), 0);
        }
        if (!moved)
            wait_for_bell(&bell);
    }
    CHECK_EQ(k_ikc_attach(K_PORTAL, in, NULL), 0);
    CHECK_EQ(k_ikc_attach(K_PORTAL, out, NULL), 0);
    k_bell_take(&bell);
}

/* ---------------------------------------------------------------------------------------------- */

static void open_all(struct stress *s)
{
    for (int i = 0; i < s->threads; i++) {
        CHECK((s->in[i] = k_mailbox_create(i)) >= 0);
        CHECK((s->out[i] = k_mailbox_open(K_ANY, K_ANY)) >= 0);
        CHECK((s->portal_in[i] = k_portal_create(i)) >= 0);
        CHECK((s->portal_out[i] = k_portal_open(K_ANY, K_ANY)) >= 0);
        CHECK_EQ(k_mailbox_get_port(s->out[i]), i);
        CHECK_EQ(k_portal_get_port(s->portal_out[i]), i);
    }
}

static void close_all(struct stress *s)
{
    for (int i = 0; i < s->threads; i++) {
        CHECK_EQ(k_mailbox_unlink(s->in[i]), 0); /* nothing is left over */
        CHECK_EQ(k_mailbox_close(s->out[i]), 0);
        CHECK_EQ(k_portal_unlink(s->portal_in[i]), 0);
        CHECK_EQ(k_portal_close(s->portal_out[i]), 0);
    }
}

/* What the next cluster, and this one, can store in each port of this one. */
static int room(struct stress *s)
{
    int sum = 0;
    for (int i = 0; i < s->threads; i++) {
        int remote = ikc_capacity((s->me + 1) % CLUSTERS, i);
        ikc_meet(CLUSTERS);
        ikc_drain(s->in[i], remote);
        int local = ikc_capacity(s->me, i);
        ikc_drain(s->in[i], local);
        ikc_meet(CLUSTERS);
        sum += remote * 1000 + local;
    }
    return sum;
}

static int body(void *arg)
{
    struct k_info info;
    k_info(&info);
    if (info.cluster >= CLUSTERS)
        return 0;
    void *p;
    CHECK_EQ(k_page_alloc(sizeof(struct stress), &p), 0);
    struct stress *s = p;
    s->me = info.cluster;
    s->threads = info.cores - info.user_core;
    s->rounds = *(int *)arg;
    open_all(s);
    ikc_meet(CLUSTERS);
    int before = room(s);
    static void (*const phase[])(int me, void *arg) = {exchange_mail, exchange_named, exchange_any};
    for (int i = 0; i < 3; i++) {
        struct crew_member crew[MOST];
        ikc_meet(CLUSTERS);
        crew_start(crew, s->threads, -1, phase[i], s);
        crew_join(crew, s->threads);
    }
    ikc_meet(CLUSTERS);
    CHECK_EQ(room(s), before);
    close_all(s);
    ikc_meet(CLUSTERS);
    return 0;
}

static struct hal_machine crowd(const char *name, int cores, bool asymmetric)
{
    struct hal_machine m = ikc_machine(name, asymmetric);
    m.compute_clusters = CLUSTERS;
    m.compute_cores = (uint32_t)cores;
    m.io_clusters = 0;
    m.noc.torus_x = m.noc.torus_y = 4;
    return m;
}

static void run(const struct hal_machine *m, uint64_t seed, int rounds)
{
    test_seed = seed;
    int status = on_machine(m, body, &rounds);
    if (status != 0)
        fprintf(stderr, "machine %s, seed %" PRIu64 ": status %d\n", m->name, seed, status);
    CHECK_EQ(status, 0);
}

int main(void)
{
    struct hal_machine m = crowd("mini", 2, false);
    if (strcmp(hal_port_name, "sim") != 0) {
        run(&m, 0, 8);
        m = crowd("mini", 3, true);
        run(&m, 0, 4);
        return 0;
    }
    for (uint64_t seed = 0; seed < 24; seed++) {
        m = seed % 2 == 0 ? crowd("mini", 3, false) : crowd("mini", 4, true);
        run(&m, seed, 8);
    }
    m = crowd("mppa256", 17, true);
    run(&m, 1, 4);
    return 0;
}
