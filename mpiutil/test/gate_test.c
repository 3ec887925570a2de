/* SPDX-License-Identifier: MIT */
/* Gates: several threads arrive, some of them take that back and come again. Nobody passes before
 * all have arrived; the last one, and only one, sees what all wrote; who could not take its arrival
 * back is released. Also where the 16 bits in which releases are counted wrap. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include <mpiutil/gate.h>
#include <test/check.h>

#define MEMBERS 4
#define ROUNDS  20000

static struct mpu_gate gate;
static uint32_t wrote[MEMBERS], sum; /* what each wrote for the round; by the last one */

static bool arrives_as_last(uint32_t seen, int me, uint32_t round)
{
    wrote[me] = round + (uint32_t)me;
    return mpu_gate_arrive(&gate, seen, MEMBERS);
}

/* True: it was taken back. */
static bool regrets(unsigned int *dice, uint32_t seen)
{
    if (rand_r(dice) % 4)
        return false;
    return mpu_gate_retract(&gate, seen, MEMBERS);
}

static void close_it(uint32_t seen, uint32_t round)
{
    sum = 0;
    CHECK(mpu_gate_full(&gate, seen, MEMBERS));
    CHECK(!mpu_gate_retract(&gate, seen, MEMBERS));
    for (uint32_t i = 0; i < MEMBERS; i++) {
        CHECK_EQ(wrote[i], round + i);
        sum += wrote[i];
    }
    mpu_gate_open(&gate);
}

static void *member(void *arg)
{
    int me = (int)(intptr_t)arg;
    unsigned int dice = (unsigned int)me + 1;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t seen = mpu_gate_releases(&gate);
        bool last;
        while (!(last = arrives_as_last(seen, me, round)) && regrets(&dice, seen))
            sched_yield();
        if (last)
            close_it(seen, round);
        while (!mpu_gate_passed(&gate, seen))
            sched_yield();
        CHECK_EQ(sum, MEMBERS * round + MEMBERS * (MEMBERS - 1) / 2);
        CHECK(!mpu_gate_retract(&gate, seen, MEMBERS));
    }
    return NULL;
}

static void run(uint32_t releases)
{
    pthread_t thread[MEMBERS];
    atomic_store(&gate.opened, releases);
    atomic_store(&gate.arrived, mpu_gate_count(releases, 0));
    for (intptr_t i = 0; i < MEMBERS; i++)
        CHECK_EQ(pthread_create(&thread[i], NULL, member, (void *)i), 0);
    for (int i = 0; i < MEMBERS; i++)
        CHECK_EQ(pthread_join(thread[i], NULL), 0);
    CHECK_EQ(mpu_gate_releases(&gate), releases + ROUNDS);
}

int main(void)
{
    run(0);
    run(UINT16_MAX - ROUNDS / 2);
    run(UINT32_MAX - ROUNDS / 2);
    return 0;
}
