/* SPDX-License-Identifier: MIT */
/* Slabs: cells of each size hold what they promise and nothing of others, the one that came back is
 * taken again, none is given twice, and others give back at the same time. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <test/check.h>

#include "transport/slab.h"

#define BYTES (512 * 1024)
#define TURNS 100000
#define RING  64

static struct mpu_slab made(void *memory)
{
    struct mpu_slab s;
    memset(memory, 0, BYTES);
    mpu_slab_init(&s, memory, BYTES, 7);
    return s;
}

static bool inside(const void *memory, const struct mpu_slab_cell *c, uint64_t n)
{
    const uint8_t *from = memory;
    return (const uint8_t *)c >= from && c->payload + n <= from + BYTES;
}

/* All cells of a size: each is filled with its own byte, and keeps it. */
static int check_all(struct mpu_slab *s, void *memory, uint64_t n)
{
    static struct mpu_slab_cell *cell[BYTES / MPU_SLAB_PAYLOAD_0];
    int count = 0;
    while ((cell[count] = mpu_slab_take(s, n)) != NULL) {
        CHECK(inside(memory, cell[count], n));
        CHECK_EQ(cell[count]->slab, 7);
        memset(cell[count]->payload, count, n);
        count++;
    }
    for (int i = 0; i < count; i++) {
        for (uint64_t k = 0; k < n; k++) {
            CHECK_EQ(cell[i]->payload[k], (uint8_t)i);
        }
    }
    for (int i = 0; i < count; i++) {
        mpu_slab_give_back(s->shared, cell[i]);
    }
    return count;
}

static void check_sizes(void *memory)
{
    struct mpu_slab s = made(memory);
    uint64_t most = mpu_slab_payload(BYTES);
    CHECK_EQ(most, MPU_CELL_MAX);
    CHECK(mpu_slab_take(&s, MPU_CELL_MAX + 1) == NULL);
    for (uint64_t n = MPU_SLAB_PAYLOAD_0; n <= most; n *= 4) {
        int first = check_all(&s, memory, n);
        CHECK(first >= 1);
        CHECK_EQ(check_all(&s, memory, n), first); /* all came back, and no other */
        CHECK_EQ(check_all(&s, memory, n / 4 + 1), first);
    }
    CHECK_EQ(mpu_slab_payload(0), 0);
    CHECK_EQ(mpu_slab_payload(sizeof(struct mpu_slab_shared) + KERN_LINE), 0);
    CHECK_EQ(mpu_slab_payload(64 * 1024), 4096);
}

static void check_same(void *memory)
{
    struct mpu_slab s = made(memory);
    struct mpu_slab_cell *a = mpu_slab_take(&s, 1000);
    mpu_slab_give_back(s.shared, a);
    for (int i = 0; i < 5; i++) {
        CHECK(mpu_slab_take(&s, 900) == a);
        mpu_slab_give_back(s.shared, a);
    }
}

/* A cell goes to the other thread by a slot of its own, and comes back when that has read it. */
struct passed {
    struct mpu_slab s;
    _Atomic(struct mpu_slab_cell *) slot[RING];
};

static void *give_back(void *arg)
{
    struct passed *p = arg;
    for (int i = 0; i < TURNS; i++) {
        struct mpu_slab_cell *c;
        while ((c = atomic_exchange(&p->slot[i % RING], NULL)) == NULL) {
            sched_yield();
        }
        for (int k = 0; k < MPU_SLAB_PAYLOAD_0; k++) {
            CHECK_EQ(c->payload[k], (uint8_t)i);
        }
        mpu_slab_give_back(p->s.shared, c);
    }
    return NULL;
}

static void check_threads(void *memory)
{
    static struct passed p;
    pthread_t other;
    p.s = made(memory);
    CHECK_EQ(pthread_create(&other, NULL, give_back, &p), 0);
    for (int i = 0; i < TURNS; i++) {
        struct mpu_slab_cell *c;
        while (atomic_load(&p.slot[i % RING]) != NULL ||
               (c = mpu_slab_take(&p.s, MPU_SLAB_PAYLOAD_0)) == NULL) {
            sched_yield();
        }
        memset(c->payload, i, MPU_SLAB_PAYLOAD_0);
        atomic_store(&p.slot[i % RING], c);
    }
    CHECK_EQ(pthread_join(other, NULL), 0);
}

int main(void)
{
    void *memory = aligned_alloc(4096, BYTES);
    CHECK(memory != NULL);
    check_sizes(memory);
    check_same(memory);
    check_threads(memory);
    free(memory);
    return 0;
}
