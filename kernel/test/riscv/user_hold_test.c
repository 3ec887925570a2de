/* SPDX-License-Identifier: MIT */
/* A thread that holds its core is not interrupted for another one, however long it computes, and
 * gives way when it releases; the network reaches it meanwhile. Without a hold, the same threads
 * meet in the middle of what they do. */
#include <stdatomic.h>

#include <sys/k_bell.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_thread.h>
#include <sys/k_wait.h>

#include <test/crew.h>

#include "../ikc.h"

enum { PORT = 4, WORKERS = 3, ROUNDS = 10 };

/* Threads of one core change both numbers, with some ticks in between, without a lock. */
static struct shared {
    volatile int first, second;
    int last;   /* who was here last */
    int turns;  /* ... and how often another one than before */
    int broken; /* meetings in the middle */
} shared;

static void compute(uint64_t cycles)
{
    uint64_t begin = k_time_cycles();
    do {
        for (volatile int i = 0; i < 1000; i = i + 1) {
        }
    } while (k_time_cycles() - begin < cycles);
}

static void change(int me, uint64_t cycles)
{
    shared.broken += shared.first != shared.second;
    shared.turns += shared.last != me;
    shared.last = me;
    shared.first = shared.first + 1;
    compute(cycles);
    shared.second = shared.second + 1;
}

static bool holding;

static void worker(int me, void *arg)
{
    uint64_t tick = ((const struct k_info *)arg)->hz / 1000;
    for (int i = 0; i < ROUNDS; i++) {
        if (holding) {
            k_thread_hold();
            k_thread_hold();
        }
        change(me, 2 * tick);
        if (holding) {
            k_thread_release();
            change(me, 2 * tick); /* it still holds */
            k_thread_release();
        }
    }
}

static void check_workers(struct k_info *info, bool hold)
{
    struct crew_member m[WORKERS];
    shared = (struct shared){.last = -1};
    holding = hold;
    crew_start(m, WORKERS, info->user_core, worker, info);
    crew_join(m, WORKERS);
    CHECK((shared.broken == 0) == hold);
    CHECK(!hold || shared.first == (WORKERS * ROUNDS) * 2);
    CHECK(shared.turns >= ROUNDS); /* a tick that was held back is made up for */
}

/* A tick comes over a thread that has the word of a queue, for others run then: one that wants it
 * and holds the core lets the first go on. */
static struct k_wait word;
static volatile int has_word;

static void keeps_word(int me, void *arg)
{
    (void)me;
    k_wait_lock(&word);
    has_word = 1;
    compute(3 * ((const struct k_info *)arg)->hz / 1000);
    has_word = 2;
    k_wait_unlock(&word);
}

static void wants_word(int me, void *arg)
{
    (void)me, (void)arg;
    while (has_word == 0)
        k_thread_yield();
    CHECK_EQ(has_word, 1);
    k_thread_hold();
    k_wait_lock(&word);
    CHECK_EQ(has_word, 2);
    k_wait_unlock(&word);
    k_thread_release();
}

static void check_word(struct k_info *info)
{
    struct crew_member keeper, wanter;
    k_wait_init(&word, "word");
    has_word = 0;
    crew_start(&wanter, 1, info->user_core, wants_word, info);
    crew_start(&keeper, 1, info->user_core, keeps_word, info);
    crew_join(&keeper, 1);
    crew_join(&wanter, 1);
}

/* Core 0 answers a call of one thread while another one of its core, which holds that, wants what
 * the first makes: it lets the first go on. */
static atomic_bool made, wanted;

static void makes(int me, void *arg)
{
    void *page;
    (void)me, (void)arg;
    for (int left = ROUNDS; left > 0; left -= wanted) {
        CHECK_EQ(k_page_alloc(1, &page), 0);
        CHECK_EQ(k_page_free(page, 1), 0);
    }
    made = true;
}

static void wants_made(int me, void *arg)
{
    (void)me, (void)arg;
    k_thread_hold();
    wanted = true;
    for (long tries = 0; !made; tries++)
        k_relax(tries);
    k_thread_release();
}

static void check_made(struct k_info *info)
{
    struct crew_member maker, wanter;
    crew_start(&maker, 1, info->user_core, makes, info);
    crew_start(&wanter, 1, info->user_core, wants_made, info);
    crew_join(&maker, 1);
    crew_join(&wanter, 1);
}

/* No call, and no other thread, between the hold and the message. */
static void receive(struct k_info *info)
{
    struct k_bell bell;
    int got, in = k_mailbox_create(PORT);
    CHECK_EQ(k_bell_init(&bell, "held"), 0);
    CHECK_EQ(k_mailbox_aread(in, &got, sizeof got, NULL), 0);
    CHECK_EQ(k_ikc_attach(K_MAILBOX, in, &bell), 0);
    k_thread_hold();
    ikc_meet(2);
    while (!k_bell_rung(&bell)) {
    }
    k_thread_release();
    CHECK_EQ(k_bell_take(&bell), K_BELL_KERNEL);
    CHECK_EQ(k_ikc_wait(K_MAILBOX, in, 0), sizeof got);
    CHECK_EQ(got, info->clusters);
    CHECK_EQ(k_mailbox_unlink(in), 0);
}

static void send(struct k_info *info)
{
    int out = k_mailbox_open(0, PORT);
    ikc_meet(2);
    k_thread_sleep(info->hz / 100);
    CHECK_EQ(k_mailbox_write(out, &info->clusters, sizeof info->clusters), sizeof info->clusters);
    CHECK_EQ(k_mailbox_close(out), 0);
}

static int body(void *arg)
{
    struct k_info info;
    (void)arg;
    k_info(&info);
    if (info.cluster == 0) {
        check_workers(&info, true);
        check_workers(&info, false);
        check_word(&info);
        check_made(&info);
        receive(&info);
    } else if (info.cluster == 1) {
        send(&info);
    }
    return 0;
}

int main(void)
{
    return ikc_on_machines(body);
}
