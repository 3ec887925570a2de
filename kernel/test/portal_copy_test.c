/* SPDX-License-Identifier: MIT */
/* Two threads of one cluster, each of which may be the one that copies: every operation ends once,
 * whoever looks when. One that ended twice would end the next one with it. Others ask all the time,
 * so that the locks are wanted and change hands wherever they can. */
#include <test/crew.h>
#include "ikc.h"

enum { ROUNDS = 1500, LARGEST = 16384, CREW = 4 };

static struct {
    int in, out, over;
    uint64_t nap; /* 20 us */
    unsigned char from[LARGEST], to[LARGEST];
} both;

static long poll_for(int id)
{
    enum { PATIENCE = 20 }; /* then the processor may be needed by who goes on */
    long done;
    for (int i = 0; (done = k_ikc_test(K_PORTAL, id)) == 0; i++)
        if (i < PATIENCE)
            k_thread_yield();
        else
            k_thread_sleep(both.nap);
    CHECK_EQ(done, 1);
    return k_ikc_wait(K_PORTAL, id, 0);
}

static size_t length_of(int round)
{
    return round % 2 == 0 ? LARGEST : (size_t)round;
}

/* Polls in three of four rounds, waits in the fourth. */
static void finish(int id, int round)
{
    long n = round % 4 == 3 ? k_ikc_wait(K_PORTAL, id, K_FOREVER) : poll_for(id);
    CHECK_EQ(n, length_of(round));
}

/* Asks until both have ended. */
static void ask(void)
{
    while (__atomic_load_n(&both.over, __ATOMIC_RELAXED) < 2) {
        CHECK(k_ikc_test(K_MAILBOX, -1) < 0);
        CHECK(k_portal_get_port(both.in) >= 0);
        k_thread_yield();
    }
}

static void transfer(int me, void *arg)
{
    if (me >= 2) {
        ask();
        return;
    }
    struct k_source reader = {*(int *)arg, 0}, got;
    for (int i = 0; i < ROUNDS; i++) {
        if (me == 0) {
            memset(both.from, i, length_of(i));
            CHECK_EQ(k_portal_awrite(both.out, &reader, both.from, length_of(i), 0), 0);
            finish(both.out, i);
        } else {
            CHECK_EQ(k_portal_aread(both.in, NULL, both.to, LARGEST, &got), 0);
            finish(both.in, i);
            for (size_t k = 0; k < length_of(i); k++)
                CHECK_EQ(both.to[k], (unsigned char)i);
        }
    }
    __atomic_fetch_add(&both.over, 1, __ATOMIC_RELAXED);
}

static int body(void *arg)
{
    struct crew_member crew[CREW];
    int me = ikc_me();
    (void)arg;
    struct k_info info;
    k_info(&info);
    both.nap = info.hz / 50000;
    both.over = 0;
    both.in = k_portal_create(0);
    both.out = k_portal_open(K_ANY, K_ANY);
    crew_start(crew, CREW, -1, transfer, &me);
    crew_join(crew, CREW);
    CHECK_EQ(ikc_stat_portal(both.in, K_STAT_READS), ROUNDS);
    CHECK_EQ(ikc_stat_portal(both.out, K_STAT_WRITES), ROUNDS);
    CHECK_EQ(k_portal_unlink(both.in), 0);
    CHECK_EQ(k_portal_close(both.out), 0);
    return 0;
}

int main(void)
{
    uint64_t seeds = strcmp(hal_port_name, "sim") == 0 ? 2 : 1;
    for (test_seed = 0; test_seed < seeds; test_seed++)
        CHECK_EQ(on_machines(body), 0);
    return 0;
}
