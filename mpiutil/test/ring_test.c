/* SPDX-License-Identifier: MIT */
/* Rings: how many entries a message takes, full and empty, and several producers at once: each
 * one's messages arrive in order and whole, nobody who waits for room is forgotten; producers in
 * another process. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <test/check.h>

#include "shared/ring.h"
#include "watched.h"

#define PRODUCERS 3
#define MESSAGES  40000
#define LONGEST   MPU_INLINE_MAX

static struct mpu_ring *make(uint32_t bytes)
{
    size_t n = (mpu_ring_bytes(bytes) + KERN_LINE - 1) / KERN_LINE * KERN_LINE;
    struct mpu_ring *g = aligned_alloc(KERN_LINE, n);
    CHECK(g != NULL);
    memset(g, 0, n);
    mpu_ring_init(g, bytes);
    return g;
}

static void check_sizes(void)
{
    CHECK_EQ(mpu_ring_bytes(0), 0);
    CHECK_EQ(mpu_ring_bytes(sizeof(struct mpu_entry) - 1), 0);
    CHECK_EQ(mpu_ring_bytes(100 * sizeof(struct mpu_entry)),
             sizeof(struct mpu_ring) + 64 * sizeof(struct mpu_entry));
    CHECK_EQ(mpu_ring_need(0), 1);
    CHECK_EQ(mpu_ring_need(MPU_ENTRY_DATA), 1);
    CHECK_EQ(mpu_ring_need(MPU_ENTRY_DATA + 1), 2);
    CHECK_EQ(mpu_ring_need(MPU_ENTRY_DATA + MPU_ENTRY_MORE), 2);
    CHECK_EQ(mpu_ring_need(MPU_ENTRY_DATA + MPU_ENTRY_MORE + 1), 3);
}

/* Every length comes out as it went in, wherever in the ring it lies; no byte too many is written.
 */
static void check_lengths(void)
{
    struct mpu_ring *g = make(8 * sizeof(struct mpu_entry));
    uint8_t in[LONGEST + 1], out[LONGEST + 1];
    uint32_t taken = 0, at;
    for (uint32_t n = 0; n <= LONGEST; n++) {
        for (uint32_t i = 0; i <= LONGEST; i++)
            in[i] = (uint8_t)(i * 7 + n);
        memset(out, 0xee, sizeof out);
        CHECK(mpu_ring_claim(g, mpu_ring_need(n), &at));
        CHECK_EQ(at, taken);
        CHECK(!mpu_ring_due(g, taken));
        mpu_ring_fill(g, at, 1, 0, NULL, in, n);
        CHECK(!mpu_ring_give(g, at));
        CHECK(mpu_ring_due(g, taken));
        CHECK(b_watch_due(&g->watch));
        mpu_ring_get(g, taken, out, n);
        CHECK(memcmp(in, out, n) == 0 && out[n] == 0xee);
        taken += mpu_ring_need(n);
        mpu_ring_watch(g, taken);
        mpu_ring_taken(g, taken);
        CHECK(!b_watch_due(&g->watch));
    }
    free(g);
}

/* A full ring refuses, changes nothing, and tells those who want room, each cluster once. */
static void check_full(void)
{
    struct mpu_ring *g = make(4 * sizeof(struct mpu_entry));
    uint32_t at, seen = 99;
    CHECK(!mpu_ring_claim(g, 5, &at));
    CHECK(mpu_ring_claim(g, 3, &at));
    CHECK(!mpu_ring_claim(g, 2, &at));
    CHECK(mpu_ring_claim(g, 1, &at));
    CHECK_EQ(at, 3);
    CHECK_EQ(mpu_ring_wanted(g), -1);
    CHECK(mpu_ring_want(g, 5, 1, &seen));
    CHECK_EQ(seen, 0);
    CHECK(mpu_ring_want(g, 700, 1, &seen));
    CHECK(mpu_ring_want(g, 5, 1, &seen));
    mpu_ring_fill(g, 0, 0, 0, NULL, NULL, 0);
    (void)mpu_ring_give(g, 0);
    mpu_ring_taken(g, 3);
    CHECK_EQ(mpu_ring_wanted(g), 5);
    CHECK_EQ(mpu_ring_wanted(g), 700);
    CHECK_EQ(mpu_ring_wanted(g), -1);
    CHECK(!mpu_ring_want(g, 5, 3, &seen)); /* there is room by now */
    CHECK_EQ(seen, 3);
    CHECK(mpu_ring_claim(g, 3, &at));
    free(g);
}

/* Who takes tells it at once where a producer waits, and else when it is more than an eighth of the
 * ring; until then producers find less room than there is. */
static void check_owes(void)
{
    struct mpu_ring *g = make(16 * sizeof(struct mpu_entry));
    uint32_t at, seen;
    CHECK(mpu_ring_claim(g, 16, &at));
    CHECK(!mpu_ring_owes(g, 0));
    CHECK(!mpu_ring_owes(g, 2));
    CHECK(mpu_ring_owes(g, 3));
    mpu_ring_watch(g, 2);
    CHECK(!mpu_ring_claim(g, 1, &at));
    CHECK(mpu_ring_want(g, 5, 1, &seen));
    CHECK(mpu_ring_owes(g, 1));
    mpu_ring_taken(g, 2);
    CHECK_EQ(mpu_ring_wanted(g), 5);
    CHECK(!mpu_ring_owes(g, 4));
    CHECK(mpu_ring_claim(g, 2, &at));
    free(g);
}

/* In a ring of any size all of which was taken the longest message finds room, told or not: its
 * producer would else wait for a consumer that has nothing to do. */
static void check_untold(void)
{
    for (uint32_t entries = 1; entries <= 64; entries *= 2)
        for (uint32_t taken = 1; taken <= entries; taken++) {
            struct mpu_ring *g = make(entries * sizeof(struct mpu_entry));
            uint32_t at, longest = mpu_ring_need(MPU_INLINE_MAX);
            CHECK(mpu_ring_claim(g, taken, &at));
            if (mpu_ring_owes(g, taken))
                mpu_ring_taken(g, taken);
            CHECK(mpu_ring_claim(g, longest < entries ? longest : entries, &at));
            free(g);
        }
}

struct shared {
    struct mpu_ring *ring;
    struct watched watched[PRODUCERS]; /* `head`; by producer, as a cluster */
};

struct producer {
    struct shared *s;
    int number;
};

/* The length of a producer's i-th message. */
static uint32_t length(int producer, uint32_t i)
{
    return (i * 37 + (uint32_t)producer * 11) % (LONGEST + 1);
}

static void wait_for_room(struct shared *s, int me, uint32_t need)
{
    uint32_t seen;
    if (mpu_ring_want(s->ring, me, need, &seen))
        watched_wait(&s->watched[me], &s->ring->head, seen);
}

static void *produce(void *arg)
{
    struct producer *p = arg;
    struct mpu_ring *g = p->s->ring;
    uint8_t data[LONGEST];
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint32_t n = length(p->number, i), at;
        while (!mpu_ring_claim(g, mpu_ring_need(n), &at))
            wait_for_room(p->s, p->number, mpu_ring_need(n));
        memset(data, (int)(i + (uint32_t)p->number), n);
        mpu_ring_fill(g, at, (uint16_t)p->number, 0, &(struct mpu_wire){.cookie = i}, data, n);
        (void)mpu_ring_give(g, at);
    }
    return NULL;
}

static void consume(struct shared *s)
{
    uint32_t taken = 0, next[PRODUCERS] = {0};
    uint8_t data[LONGEST];
    for (int left = PRODUCERS * MESSAGES; left > 0; left--) {
        while (!mpu_ring_due(s->ring, taken))
            sched_yield();
        struct mpu_entry *e = mpu_ring_entry(s->ring, taken);
        uint32_t n = mpu_entry_bytes(e);
        int from = e->to;
        CHECK(from < PRODUCERS);
        CHECK_EQ(e->wire.cookie, next[from]);
        CHECK_EQ(n, length(from, next[from]));
        mpu_ring_get(s->ring, taken, data, n);
        for (uint32_t i = 0; i < n; i++)
            CHECK_EQ(data[i], (uint8_t)(next[from] + (uint32_t)from));
        next[from]++;
        taken += mpu_ring_need(n);
        mpu_ring_taken(s->ring, taken);
        for (int who; (who = mpu_ring_wanted(s->ring)) >= 0;)
            watched_tell(&s->watched[who]);
    }
}

static void check_many(void)
{
    struct shared s = {.ring = make(16 * sizeof(struct mpu_entry)),
                       .watched = {WATCHED_INIT, WATCHED_INIT, WATCHED_INIT}};
    struct producer p[PRODUCERS];
    pthread_t thread[PRODUCERS];
    for (int i = 0; i < PRODUCERS; i++) {
        p[i] = (struct producer){&s, i};
        CHECK_EQ(pthread_create(&thread[i], NULL, produce, &p[i]), 0);
    }
    consume(&s);
    for (int i = 0; i < PRODUCERS; i++)
        CHECK_EQ(pthread_join(thread[i], NULL), 0);
    free(s.ring);
}

/* A ring of two entries, both taken, whose producer in another process is the one that saw it. */
struct far {
    struct mpu_ring *ring;       /* behind this, in memory that both map */
    _Atomic(int) taken, claimed; /* told in an order that a tool which looks for races cannot see */
};

static void wait_for(const _Atomic(int) *word)
{
    while (!atomic_load_explicit(word, memory_order_relaxed))
        sched_yield();
}

static void *fill_again(void *arg)
{
    struct far *f = arg;
    uint32_t at;
    wait_for(&f->claimed);
    CHECK(mpu_ring_claim(f->ring, 1, &at));
    mpu_ring_fill(f->ring, at, 1, 0, NULL, NULL, 0);
    mpu_ring_give(f->ring, at);
    return NULL;
}

static void *take_two(void *arg)
{
    struct far *f = arg;
    for (uint32_t i = 0; i < 2; i++)
        CHECK_EQ(mpu_ring_entry(f->ring, i)->to, 0);
    mpu_ring_taken(f->ring, 2);
    atomic_store_explicit(&f->taken, 1, memory_order_relaxed);
    return NULL;
}

static void fill_two(struct mpu_ring *g)
{
    uint32_t at;
    for (int i = 0; i < 2; i++) {
        CHECK(mpu_ring_claim(g, 1, &at));
        mpu_ring_fill(g, at, 0, 0, NULL, NULL, 0);
        mpu_ring_give(g, at);
    }
}

/* What the consumer did with an entry is over before it is filled again, whoever looked for room:
 * a tool that watches only this process agrees. */
static void check_far_producer(void)
{
    size_t n = sizeof(struct far) + mpu_ring_bytes(2 * sizeof(struct mpu_entry)) + KERN_LINE;
    struct far *f = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(f != MAP_FAILED);
    f->ring = (struct mpu_ring *)((uint8_t *)f + KERN_LINE);
    mpu_ring_init(f->ring, 2 * sizeof(struct mpu_entry));
    fill_two(f->ring);
    pid_t far = fork();
    CHECK(far >= 0);
    if (far == 0) {
        uint32_t at;
        wait_for(&f->taken);
        bool claimed = mpu_ring_claim(f->ring, 1, &at);
        mpu_ring_give(f->ring, at);
        atomic_store_explicit(&f->claimed, 1, memory_order_relaxed);
        _exit(claimed ? 0 : 1);
    }
    pthread_t thread[2];
    CHECK_EQ(pthread_create(&thread[0], NULL, fill_again, f), 0);
    CHECK_EQ(pthread_create(&thread[1], NULL, take_two, f), 0);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(pthread_join(thread[i], NULL), 0);
    int status;
    CHECK(waitpid(far, &status, 0) == far && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    munmap(f, n);
}

int main(void)
{
    check_sizes();
    check_lengths();
    check_full();
    check_owes();
    check_untold();
    check_many();
    check_far_producer();
    return 0;
}
