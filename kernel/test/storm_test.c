/* SPDX-License-Identifier: MIT */
/* Storms of wake-ups across cores: tokens run through rings of threads that lie on different
 * cores, while sleepers, time-outs and joins come and go. A lost wake-up is a deadlock, a double
 * one breaks the count. On sim the same under 20 orders of simultaneous events. */
#include <sys/k_wait.h>

#include <test/crew.h>
#include <test/on_machine.h>

enum { RING = 12, LAPS = 60 };

struct ring {
    struct k_sem token[RING];
    long hops;
};

static void hop(int me, void *arg)
{
    struct ring *r = arg;
    for (int i = 0; i < LAPS; i++) {
        CHECK_EQ(k_sem_down(&r->token[me], K_FOREVER), 0);
        __atomic_fetch_add(&r->hops, 1, __ATOMIC_RELAXED);
        k_sem_up(&r->token[(me + 1) % RING]);
    }
}

static void restless(int me, void *arg)
{
    long *stop = arg;
    for (int i = 0; __atomic_load_n(stop, __ATOMIC_RELAXED) == 0; i++)
        k_thread_sleep((uint64_t)(50 + (me * 37 + i * 13) % 400));
}

static void parent(int me, void *arg)
{
    struct crew_member child;
    long one = 1;
    (void)me, (void)arg;
    for (int i = 0; i < 25; i++) {
        crew_start(&child, 1, i % (int)hal_machine()->compute_cores, restless, &one);
        crew_join(&child, 1);
    }
}

/* Two threads on different cores hand a token over while the time between two hand-overs sweeps
 * through the moments in which a core falls asleep. */
struct sweep {
    struct k_sem token[2];
    int rounds;
};

static void swing(int me, void *arg)
{
    struct sweep *s = arg;
    for (int i = 0; i < s->rounds; i++) {
        CHECK_EQ(k_sem_down(&s->token[me], K_FOREVER), 0);
        for (volatile int pause = (i * (me + 1)) % 200; pause > 0; pause--) {
        }
        k_work((uint64_t)(i * (me + 1) % 100));
        k_sem_up(&s->token[1 - me]);
    }
}

static void check_sweep(void)
{
    struct crew_member m[2];
    struct sweep s = {.rounds = strcmp(hal_port_name, "sim") == 0 ? 200 : 20000};
    k_sem_init(&s.token[0], 1);
    k_sem_init(&s.token[1], 0);
    crew_start(m, 2, -1, swing, &s);
    crew_join(m, 2);
}

static int body(void *arg)
{
    (void)arg;
    struct crew_member ring[RING], sleepers[3], parents[3];
    struct ring r = {.hops = 0};
    long stop = 0;
    for (int i = 0; i < RING; i++)
        k_sem_init(&r.token[i], i % 4 == 0);
    crew_start(sleepers, 3, -1, restless, &stop);
    crew_start(ring, RING, -1, hop, &r);
    crew_start(parents, 3, -1, parent, NULL);
    crew_join(ring, RING);
    crew_join(parents, 3);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    crew_join(sleepers, 3);
    CHECK_EQ(r.hops, RING * LAPS);
    check_sweep();
    return 0;
}

int main(void)
{
    bool sim = strcmp(hal_port_name, "sim") == 0;
    for (test_seed = 0; test_seed < (sim ? 20 : 1); test_seed++)
        on_machines(body);
    return 0;
}
