/* SPDX-License-Identifier: MIT */
/* Two threads of one cluster, each of which may be the one that copies: every operation ends once,
 * whoever looks when. One that ended twice would end the next one with it. */
#include <test/crew.h>
#include "ikc.h"

enum { ROUNDS = 400, LARGEST = 16384 };

static struct {
    int in, out;
    unsigned char from[LARGEST], to[LARGEST];
} both;

static long poll_for(int id)
{
    long done;
    while ((done = k_ikc_test(K_PORTAL, id)) == 0) {
        k_thread_yield();
    }
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

static void transfer(int me, void *arg)
{
    struct k_source reader = {*(int *)arg, 0}, got;
    for (int i = 0; i < ROUNDS; i++) {
        if (me == 0) {
            memset(both.from, i, length_of(i));
            CHECK_EQ(k_portal_awrite(both.out, &reader, both.from, length_of(i), 0), 0);
            finish(both.out, i);
        } else {
            CHECK_EQ(k_portal_aread(both.in, NULL, both.to, LARGEST, &got), 0);
            finish(both.in, i);
            for (size_t k = 0; k < length_of(i); k++) {
                CHECK_EQ(both.to[k], (unsigned char)i);
            }
        }
    }
}

static int body(void *arg)
{
    struct crew_member crew[2];
    int me = ikc_me();
    (void)arg;
    both.in = k_portal_create(0);
    both.out = k_portal_open(K_ANY, K_ANY);
    crew_start(crew, 2, -1, transfer, &me);
    crew_join(crew, 2);
    CHECK_EQ(ikc_stat_portal(both.in, K_STAT_READS), ROUNDS);
    CHECK_EQ(ikc_stat_portal(both.out, K_STAT_WRITES), ROUNDS);
    CHECK_EQ(k_portal_unlink(both.in), 0);
    CHECK_EQ(k_portal_close(both.out), 0);
    return 0;
}

int main(void)
{
    for (test_seed = 0; test_seed < 4; test_seed++) {
        CHECK_EQ(on_machines(body), 0);
    }
    return 0;
}
