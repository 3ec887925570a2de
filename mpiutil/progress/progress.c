/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include <base/assert.h>
#include <mpiutil/trace.h>
#include <sys/k_task.h>
#include <sys/k_thread.h>

#include "progress/progress.h"
#include "protocol/hold.h"
#include "protocol/protocol.h"
#include "transport/cell.h"
#include "transport/credit.h"
#include "transport/lane.h"
#include "transport/transport.h"

/* Of a rank that asks again and again: the part of its time so far that it lets pass before it may
 * ask again; at the end so many times a second. */
#define ASK_PART        256
#define ASKS_PER_SECOND 1000

static void pieces(struct mpu_rank *r, struct mpu_arrival *a)
{
    r->cluster->set->pieces(r, a);
}

void mpu_arrived(struct mpu_rank *r, struct mpu_arrival *a)
{
    static void (*const handler[MPU_KINDS])(struct mpu_rank *, struct mpu_arrival *) = {
        [MPU_EAGER] = mpu_deliver,
        [MPU_RTS] = mpu_announcement,
        [MPU_ALLOW] = mpu_allowed,
        [MPU_MORE] = pieces,
        [MPU_CREDIT] = mpu_arrival_end,
        [MPU_SYNC] = mpu_deliver,
        [MPU_ACK] = mpu_acked,
        [MPU_CANCEL] = mpu_cancel_asked,
        [MPU_CANCELLED] = mpu_cancel_done,
        [MPU_SPLIT] = pieces,
        [MPU_PIECE] = pieces,
        [MPU_SLOT] = mpu_deliver,
        [MPU_ALARM] = mpu_alarm_arrived,
        [MPU_QUERY] = mpu_alarm_arrived,
        [MPU_WANT] = mpu_hold_wanted,
        [MPU_FOUND] = mpu_want_found,
        [MPU_REFUSED] = mpu_hold_refused,
        [MPU_OVER] = mpu_want_over,
        [MPU_LOCAL] = mpu_deliver};
    b_assert(a->wire.kind < MPU_KINDS && handler[a->wire.kind]);
    handler[a->wire.kind](r, a);
}

static void outbox_progress(struct mpu_rank *r)
{
    r->cluster->transport->progress(r);
    mpu_reply_next(r);
    mpu_cancel_next(r);
    mpu_credit_next(r);
    r->cluster->set->bulk->next(r);
    mpu_want_next(r);
    mpu_hold_next(r);
    mpu_proto_next(r);
    if (r->cluster->set->reap)
        r->cluster->set->reap(r);
}

/* An operation of the kernel is complete, or nothing more could be posted. */
static void kernel_progress(struct mpu_rank *r)
{
    const struct mpu_transport *t = r->cluster->transport;
    if (!t)
        return;
    if (t->take)
        t->take(r);
    r->cluster->set->bulk->progress(r);
    outbox_progress(r);
}

/* Of what rang, what is no message. */
static void note(struct mpu_rank *r, uint32_t rung)
{
    r->told = rung == MPU_RUNG_CLOCK;
    r->notices |=
        (rung & MPU_RUNG_ALARM ? MPU_ALARMED : 0) | (rung & MPU_RUNG_CLOCK ? MPU_STALLED : 0);
    if (r->cluster->set->progress)
        r->cluster->set->progress(r);
}

/* Handles everything that happened since the last call; false if nothing had. */
static inline bool progress(struct mpu_rank *r)
{
    uint32_t rung = k_bell_take(&r->bell);
    bool any = mpu_lane_news(r) && mpu_lane_progress(r);
    if (rung & K_BELL_KERNEL)
        kernel_progress(r);
    if (rung)
        note(r, rung);
    return any || rung;
}

static __attribute__((noinline)) bool progress_now(struct mpu_rank *r)
{
    return progress(r);
}

inline bool mpu_news(const struct mpu_rank *r)
{
    return k_bell_rung(&r->bell) || mpu_lane_news(r);
}

static __attribute__((noinline)) void advance_now(struct mpu_rank *r)
{
    if (r->notices & MPU_STANDS)
        mpu_standing_look(r);
    if (atomic_load_explicit(&r->bell.tasks, memory_order_relaxed) && !r->advancing)
        k_task_serve(&r->bell);
    uint32_t why = r->notices & MPU_NOTICES;
    r->notices &= (uint8_t) ~(MPU_ALARMED | MPU_STALLED);
    if (why & MPU_STOPS)
        mpu_forget(r, NULL, 0, 0); /* of operations that ranks disagreed about */
    if (why && r->hooks.notify)
        r->hooks.notify(r->hooks.notify_arg, why);
    if (!r->advance)
        return;
    struct mpu_flow *now = r->flows.now; /* its step looks around: what others start is not its */
    r->flows.now = NULL;
    r->advancing++;
    r->advance(r->hooks.advance_arg);
    b_assert(r->advancing > 0 && !r->flows.now);
    r->advancing--;
    r->flows.now = now;
}

static inline void advance(struct mpu_rank *r)
{
    if (r->notices || atomic_load_explicit(&r->bell.tasks, memory_order_relaxed))
        advance_now(r);
}

bool mpu_poll(struct mpu_rank *r)
{
    bool any = mpu_news(r) && progress_now(r);
    advance(r);
    return any;
}

void mpu_set_notify(struct mpu_rank *r, void (*f)(void *arg, uint32_t why), void *arg)
{
    r->hooks.notify = f;
    r->hooks.notify_arg = arg;
}

void mpu_set_unexpected(struct mpu_rank *r, bool (*f)(void *arg, uint32_t context, int tag))
{
    r->hooks.unexpected = f;
}

static void set(struct mpu_rank *r, unsigned int bit, bool on)
{
    r->notices = (uint8_t)((r->notices & ~bit) | (on ? bit : 0));
}

void mpu_notify_always(struct mpu_rank *r, bool always)
{
    set(r, MPU_ALWAYS, always);
}

void mpu_set_advance(struct mpu_rank *r, void (*f)(void *arg), void *arg)
{
    r->advance = f;
    r->hooks.advance_arg = arg;
    set(r, MPU_ADVANCES, f != NULL);
}

bool mpu_look(struct mpu_rank *r, bool (*seen)(void *arg), void *arg)
{
    enum { LOOKS_PER_POLL = 16, LOOKS_PER_CLOCK = 64 };
    uint64_t end = 0;
    if (r->cluster->info.spin_cycles == 0)
        return false;
    for (unsigned int i = 1;; i++) {
        if (seen(arg))
            return true;
        k_thread_pass();
        if (i % LOOKS_PER_POLL == 0)
            mpu_poll(r);
        if (i % LOOKS_PER_CLOCK == 0) {
            uint64_t now = k_time_cycles();
            end = end == 0 ? now + r->cluster->info.spin_cycles : end;
            if (now >= end)
                return false;
        }
    }
}

/* Where looking costs nothing: time is modelled. If nothing else took time since the last call,
 * the rank only asks, and what it asks for changes with a ring, or with time that must pass. */
static void let_time_pass(struct mpu_rank *r, uint64_t now)
{
    const struct k_info *info = &r->cluster->info;
    uint64_t most = info->hz / ASKS_PER_SECOND;
    if (r->spun.at != now)
        r->spun.from = now;
    uint64_t cycles = (now - r->spun.from) / ASK_PART;
    if (cycles)
        k_bell_work(&r->bell, cycles < most ? cycles : most);
    r->spun.at = k_time_cycles();
}

void mpu_yield(struct mpu_rank *r)
{
    bool modelled = r->cluster->info.spin_cycles == 0;
    uint64_t now = modelled ? k_time_cycles() : 0;
    k_thread_pass();
    if (modelled)
        let_time_pass(r, now);
}

void mpu_await(struct mpu_rank *r, const struct mpu_request *q)
{
    r->awaited = r->advance ? NULL : q;
}

void mpu_set_pause(struct mpu_rank *r, void (*pause)(bool waits))
{
    r->hooks.pause = pause;
    set(r, MPU_PAUSES, pause != NULL);
}

/* Whether there is something better to do than to sleep, and it is done. */
static __attribute__((noinline)) bool rests_otherwise(struct mpu_rank *r)
{
    if (!(r->notices & MPU_PAUSES))
        return mpu_standing_rest(r);
    k_thread_yield();
    r->hooks.pause(true);
    return true;
}

inline void mpu_rest(struct mpu_rank *r, struct k_crowd *crowd)
{
    mpu_land(r);
    if (r->notices & (MPU_PAUSES | MPU_STANDS) && rests_otherwise(r))
        return;
    mpu_note(r, r->told ? MPU_TOLD : MPU_WAITS);
    mpu_stall_clock_run(&r->cluster->stall_clock);
    if (crowd)
        k_crowd_wait(crowd, &r->bell);
    else
        k_bell_wait(&r->bell, K_FOREVER);
    mpu_note(r, MPU_RUNS);
}

/* A message there and back takes some hundred nanoseconds. For so long a rank that has its core for
 * itself looks for one: all that the kernel looks at besides takes two to four times as long. But
 * the kernel has timers, the network and other threads to see to, so of IN_A_ROW waits one goes
 * there at once. True: something came. */
static inline bool glance(const struct mpu_rank *r)
{
    enum { GLANCES = 400, IN_A_ROW = 256 };
    bool alone = r->at_core->ranks == 1 && !(r->notices & (MPU_PAUSES | MPU_STANDS));
    bool spins = alone && r->cluster->info.spin_cycles;
    int looks = spins && ++r->at_core->waits % IN_A_ROW != 0 ? GLANCES : 0;
    while (looks > 0 && !mpu_news(r))
        looks--;
    return looks > 0;
}

/* A function for each `done` that is waited for often.
 * Between `done` and the rest no other thread of the core runs, so nothing is done unseen; what
 * other cores do rings in any case. */
static inline __attribute__((always_inline)) void until(struct mpu_rank *r, bool (*done)(void *arg),
                                                        void *arg)
{
    for (;;) {
        advance(r);
        r->awaited = NULL;
        if (done(arg))
            return;
        if (mpu_news(r) && progress_now(r))
            continue;
        if (!glance(r))
            mpu_rest(r, NULL);
        progress(r);
    }
}

void mpu_until(struct mpu_rank *r, bool (*done)(void *arg), void *arg)
{
    until(r, done, arg);
}

static bool request_done(void *arg)
{
    struct mpu_request *q = arg;
    mpu_await(q->rank, q);
    return mpu_done(q);
}

/* In the trace a wait bears the name of the protocol. */
static __attribute__((cold)) void wait_traced(struct mpu_request *q)
{
    struct mpu_span span;
    const char *way = q->proto ? q->proto->name : NULL; /* of a receive only the sender knows */
    mpu_span_begin(q->rank, &span, way ? way : "receive");
    mpu_until(q->rank, request_done, q);
    mpu_span_end(q->rank, &span, way != NULL);
}

void mpu_wait(struct mpu_request *q)
{
    if (mpu_done(q))
        return;
    if (q->rank->cluster->traced)
        wait_traced(q);
    else
        until(q->rank, request_done, q);
}
