/* SPDX-License-Identifier: MIT */
/* What waiting costs in virtual time in both styles: who waits in the ancestor's keeps its core
 * busy, and if another thread of its cluster waits at the same facility, the master core, too. */
#include <sys/k_bell.h>
#include <test/crew.h>

#include "ikc.h"

enum { SENDER, READER, PARTIES, MOST = 2, BYTES = 64 };
#define PAUSE UINT64_C(100000) /* cycles in which nothing comes */

enum how { MAIL, BELL, PORTAL }; /* ... by a bell that it rings */

struct waiting {
    int readers;
    enum how how[MOST];
    uint64_t last, master; /* cycles that cores were busy meanwhile: the last reader's, core 0 */
    uint64_t after;        /* core 0's, when the first reads once more, and nobody else */
};

static void read_one(int me, void *arg)
{
    const struct waiting *w = arg;
    char buf[BYTES];
    if (w->how[me] == PORTAL) {
        int in = k_portal_create(me);
        CHECK_EQ(k_portal_read(in, buf, BYTES, NULL), BYTES);
        CHECK_EQ(k_portal_unlink(in), 0);
        return;
    }
    int in = k_mailbox_create(me);
    struct k_bell bell;
    CHECK_EQ(k_bell_init(&bell, "waiter_test"), 0);
    CHECK_EQ(k_ikc_attach(K_MAILBOX, in, w->how[me] == BELL ? &bell : NULL), 0);
    CHECK_EQ(k_mailbox_aread(in, buf, BYTES, NULL), 0);
    while (w->how[me] == BELL && k_ikc_test(K_MAILBOX, in) == 0)
        CHECK(k_bell_wait(&bell, K_FOREVER) >= 0);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, in, K_FOREVER), BYTES);
    CHECK_EQ(k_mailbox_unlink(in), 0);
}

static void write_to(const struct waiting *w, int readers)
{
    static const char what[BYTES];
    k_thread_sleep(2 * PAUSE);
    for (int i = 0; i < readers; i++) {
        if (w->how[i] == PORTAL) {
            int out = k_portal_open(READER, i);
            CHECK_EQ(k_portal_write(out, what, BYTES), BYTES);
            CHECK_EQ(k_portal_close(out), 0);
        } else {
            int out = k_mailbox_open(READER, i);
            CHECK_EQ(k_mailbox_write(out, what, BYTES), BYTES);
            CHECK_EQ(k_mailbox_close(out), 0);
        }
    }
}

static void read_by(struct waiting *w, int readers, uint64_t *last, uint64_t *master)
{
    struct crew_member crew[MOST];
    struct k_info info;
    k_info(&info);
    int core = info.user_core + readers - 1;
    crew_start(crew, readers, -1, read_one, w);
    k_thread_sleep(PAUSE / 2);
    uint64_t last_before = hal_core_busy(core), master_before = hal_core_busy(0);
    k_thread_sleep(PAUSE);
    *last = hal_core_busy(core) - last_before;
    *master = hal_core_busy(0) - master_before;
    crew_join(crew, readers);
}

static int body(void *arg)
{
    struct waiting *w = arg;
    uint64_t unused;
    ikc_meet(PARTIES);
    if (ikc_me() == SENDER)
        write_to(w, w->readers);
    else
        read_by(w, w->readers, &w->last, &w->master);
    ikc_meet(PARTIES);
    if (ikc_me() == SENDER)
        write_to(w, 1);
    else
        read_by(w, 1, &unused, &w->after);
    return 0;
}

static struct waiting run(bool ancestor, int readers, enum how first, enum how second)
{
    struct waiting w = {readers, {first, second}, 0, 0, 0};
    struct hal_machine m;
    one_cluster("mppa256", true, &m);
    m.compute_clusters = PARTIES;
    m.noc.torus_x = PARTIES;
    m.noc.torus_y = 1;
    m.ancestor_waiting = ancestor;
    CHECK_EQ(on_machine(&m, body, &w), 0);
    return w;
}

int main(void)
{
    static const struct {
        int readers;
        enum how first, second;
        bool same; /* facility */
    } cases[] = {
        {1, MAIL, MAIL, false},   {1, BELL, BELL, false}, {2, MAIL, MAIL, true},
        {2, BELL, MAIL, true},    {2, MAIL, BELL, true},  {2, PORTAL, PORTAL, true},
        {2, MAIL, PORTAL, false},
    };
    const uint64_t few = PAUSE / 50, much = PAUSE / 5;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct waiting own = run(false, cases[i].readers, cases[i].first, cases[i].second);
        CHECK(own.last < few && own.master < few);
        struct waiting w = run(true, cases[i].readers, cases[i].first, cases[i].second);
        CHECK(cases[i].same || w.last > PAUSE - few);
        CHECK(w.after < few);
        CHECK(cases[i].same ? w.last > much && w.master > much : w.master < few);
    }
    return 0;
}
