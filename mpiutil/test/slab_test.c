/* SPDX-License-Identifier: MIT */
/* Slabs: cells of each size hold what they promise and nothing of others, the one that came back is
 * taken again, none is given twice, and others give back at the same time. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <test/check.h>

#include "shared/slab.h"
#include "watched.h"

#define BYTES (4 * 1024 * 1024)
#define TURNS (1000000 / SLOWER)
#define RING  64

static struct mpu_slab_shape shape;

static struct mpu_slab made(void *memory)
{
    memset(memory, 0, BYTES);
    shape = mpu_slab_shape(BYTES, BYTES / 8);
    return (struct mpu_slab){.at = memory, .shape = &shape};
}

static bool inside(const struct mpu_slab *s, const struct mpu_slab_cell *c, uint64_t n)
{
    return mpu_slab_room(&shape, (uint64_t)((const uint8_t *)c - s->at)) >= n &&
           mpu_slab_room(&shape, (uint64_t)((const uint8_t *)c - s->at) + 1) == 0 &&
           c->payload + n <= s->at + BYTES;
}

static bool give_back(struct mpu_slab *s, const struct mpu_slab_cell *cell)
{
    struct mpu_slab_chain one = {.list = NULL};
    CHECK(mpu_slab_gather(&one, &shape, s->at, cell));
    return mpu_slab_give_back(&one);
}

static struct mpu_slab_cell *take(struct mpu_slab *s, uint64_t n)
{
    return mpu_slab_take(s, n, MPU_SLAB_MESSAGE);
}

static struct mpu_slab_cell *take_piece(struct mpu_slab *s)
{
    return mpu_slab_take(s, 1, MPU_SLAB_PIECE);
}

/* All cells of a size: each is filled with its own byte, and keeps it. */
static int check_all(struct mpu_slab *s, uint64_t n, enum mpu_slab_use use)
{
    static struct mpu_slab_cell *cell[BYTES / MPU_SLAB_PAYLOAD_0];
    int count = 0;
    while ((cell[count] = mpu_slab_take(s, n, use))) {
        CHECK(inside(s, cell[count], n));
        memset(cell[count]->payload, count, n);
        count++;
    }
    for (int i = 0; i < count; i++)
        for (uint64_t k = 0; k < n; k++)
            CHECK_EQ(cell[i]->payload[k], (uint8_t)i);
    for (int i = 0; i < count; i++)
        CHECK(!give_back(s, cell[i]));
    return count;
}

static void check_sizes(void *memory)
{
    struct mpu_slab s = made(memory);
    CHECK_EQ(shape.payload, MPU_CELL_MAX);
    CHECK_EQ(mpu_slab_room(&shape, 0), 0);
    CHECK_EQ(mpu_slab_room(&shape, BYTES), 0);
    for (uint64_t before = 64; before <= BYTES; before += 64)
        CHECK_EQ(mpu_slab_room(&shape, -before), 0);
    for (uint64_t n = MPU_SLAB_PAYLOAD_0; n <= MPU_CELL_MAX; n *= 4) {
        int first = check_all(&s, n, MPU_SLAB_MESSAGE);
        CHECK(first >= 4);
        CHECK_EQ(check_all(&s, n, MPU_SLAB_MESSAGE), first); /* all came back, and no other */
        CHECK_EQ(check_all(&s, n / 4 + 1, MPU_SLAB_MESSAGE), first);
    }
    CHECK_EQ(shape.piece, MPU_CELL_MAX);
    CHECK_EQ(check_all(&s, shape.piece, MPU_SLAB_PIECE), 7);
    CHECK_EQ(check_all(&s, 1, MPU_SLAB_PIECE), 7);
    CHECK_EQ(mpu_slab_shape(0, 0).payload, 0);
    CHECK_EQ(mpu_slab_shape(0, 0).piece, 0);
    CHECK_EQ(mpu_slab_shape(64 * 1024, 8 * 1024).payload, 4096);
    CHECK_EQ(mpu_slab_shape(64 * 1024, 8 * 1024).piece, 1024); /* 4096: only one */
}

static void check_same(void *memory)
{
    struct mpu_slab s = made(memory);
    struct mpu_slab_cell *a = take(&s, 1000);
    CHECK(!give_back(&s, a));
    for (int i = 0; i < 5; i++) {
        CHECK(take(&s, 900) == a);
        CHECK(!give_back(&s, a));
    }
}

/* Messages that nobody takes leave the cells of pieces alone, and the other way round. */
static void check_apart(void *memory)
{
    struct mpu_slab s = made(memory);
    const struct mpu_slab_cell *piece = NULL, *message = NULL, *c;
    while ((c = take_piece(&s)))
        piece = c;
    for (uint64_t n = MPU_SLAB_PAYLOAD_0; n <= MPU_CELL_MAX; n *= 4)
        while ((c = take(&s, n)))
            message = c;
    CHECK(!give_back(&s, message));
    CHECK(!take_piece(&s));
    CHECK(take(&s, MPU_CELL_MAX) == message);
    CHECK(!give_back(&s, piece));
    CHECK(!take(&s, 1));
    CHECK(take_piece(&s) == piece);
}

/* Who wants a cell is told of the next one, once; not if one has come meanwhile. */
static void check_want(void *memory)
{
    struct mpu_slab s = made(memory);
    struct mpu_slab_cell *a = take_piece(&s), *b = take_piece(&s);
    uint32_t seen;
    const _Atomic(uint32_t) *word = mpu_slab_want(&s, &seen);
    CHECK(word && *word == seen);
    CHECK(give_back(&s, a));
    CHECK(*word != seen);
    CHECK(!give_back(&s, b));
    CHECK(!mpu_slab_want(&s, &seen));
    CHECK(take_piece(&s) == b && take_piece(&s) == a);
}

/* Two ranks of a core want cells. One takes what has come before the other looks, which sees all
 * the same that it was told, and is told of the next one if it wants that. */
static void check_both_want(void *memory)
{
    struct mpu_slab s = made(memory);
    struct mpu_slab_cell *a = take_piece(&s);
    uint32_t first, second;
    const _Atomic(uint32_t) *one = mpu_slab_want(&s, &first);
    const _Atomic(uint32_t) *other = mpu_slab_want(&s, &second);
    CHECK(one && other);
    CHECK(give_back(&s, a));
    CHECK(*one != first && take_piece(&s) == a);
    CHECK(*other != second);
    other = mpu_slab_want(&s, &second);
    CHECK(other && *other == second);
    CHECK(give_back(&s, a));
    CHECK(*other != second && take_piece(&s) == a);
}

/* Cells that are given back together are all there again, whatever had come before; those of
 * another size or slab do not join them. */
static void check_chain(void *memory)
{
    struct mpu_slab s = made(memory);
    struct mpu_slab_cell *c[4], *other = take(&s, 1);
    struct mpu_slab_chain chain = {.list = NULL};
    for (int i = 0; i < 4; i++)
        c[i] = take_piece(&s);
    CHECK(!give_back(&s, c[3]));
    for (int i = 0; i < 3; i++)
        CHECK(mpu_slab_gather(&chain, &shape, s.at, c[i]));
    CHECK(!mpu_slab_gather(&chain, &shape, s.at, other));
    uint32_t seen;
    CHECK(!mpu_slab_want(&s, &seen)); /* that of c[3] has come, but none of these yet */
    CHECK(take_piece(&s) == c[3]);
    CHECK(mpu_slab_want(&s, &seen) != NULL);
    CHECK(mpu_slab_give_back(&chain));
    CHECK(!chain.list);
    CHECK(mpu_slab_gather(&chain, &shape, s.at, other));
    for (int i = 2; i >= 0; i--)
        CHECK(take_piece(&s) == c[i]);
}

/* A cell goes to the other thread by a slot of its own, and comes back when that has read it. */
struct passed {
    struct mpu_slab s;
    struct watched owner;
    _Atomic(struct mpu_slab_cell *) slot[RING];
};

static void *read_all(void *arg)
{
    struct passed *p = arg;
    for (int i = 0; i < TURNS; i++) {
        struct mpu_slab_cell *c;
        while (!(c = atomic_exchange(&p->slot[i % RING], NULL)))
            sched_yield();
        for (int k = 0; k < MPU_SLAB_PAYLOAD_0; k++)
            CHECK_EQ(c->payload[k], (uint8_t)i);
        if (give_back(&p->s, c))
            watched_tell(&p->owner);
    }
    return NULL;
}

/* All but a few cells are kept back, so that the owner often has none: then it sleeps until it is
 * told of one. */
static struct mpu_slab_cell *take_or_wait(struct passed *p)
{
    struct mpu_slab_cell *c;
    while (!(c = take_piece(&p->s))) {
        uint32_t seen;
        const _Atomic(uint32_t) *word = mpu_slab_want(&p->s, &seen);
        if (word)
            watched_wait(&p->owner, word, seen);
    }
    return c;
}

static void check_threads(void *memory)
{
    static struct passed p = {.owner = WATCHED_INIT};
    pthread_t other;
    p.s = made(memory);
    CHECK_EQ(pthread_create(&other, NULL, read_all, &p), 0);
    for (int i = 0; i < TURNS; i++) {
        struct mpu_slab_cell *c = take_or_wait(&p);
        while (atomic_load(&p.slot[i % RING]))
            sched_yield();
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
    check_apart(memory);
    check_want(memory);
    check_both_want(memory);
    check_chain(memory);
    check_threads(memory);
    free(memory);
    return 0;
}
