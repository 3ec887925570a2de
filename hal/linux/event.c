/* SPDX-License-Identifier: MIT */
/* Events: polling for a bounded time, then sleeping on a futex; a system call wakes only who
 * sleeps.
 *
 * What a core waits for comes on three ways:
 *  - its event word, RAISED by hal_event_notify;
 *  - the cluster's news counter, which moves with sync words, grants, transfers and deaths;
 *  - the mailbox slots and verdict words themselves, which the core reads where they lie. A message
 *    between two cores that are awake therefore moves its own lines and no other.
 *
 * No wake-up is lost. A core that goes to sleep (1) makes its word ASLEEP, (2) looks at all three
 * once more, (3) sleeps if the word still is ASLEEP (the kernel compares). A cluster that publishes
 * (a) writes slot, verdict or counter, (b) reads the word, and if it is ASLEEP makes it RAISED and
 * wakes. All four accesses are sequentially consistent. If (b) comes before (1) in their order, so
 * does (a), and (2) sees it. If (b) comes after (1), it finds ASLEEP, and either the sleeper is in
 * the kernel and is woken, or (3) finds the word changed and does not sleep.
 *
 * A word that a core watches is the same, with w->asleep in place of the event word; but where each
 * core has a processor and polls before it sleeps, its writers have no fence between (a) and (b)
 * (w->relaxed): with one, two processes with a message of 8 bytes after the other took 1.6 times as
 * long in minutes in which lines are slow. So (b) may come before (1), and (a) after (2). That
 * takes less than a microsecond, for which the core looks on at the word; should it ever take
 * longer, the core, which sleeps for a millisecond at first, then for eight times as long each
 * time up to half a second, finds it at the end of such a nap. So it finds whatever else it is to
 * look at (hal_event_naps), as it returns then. */
#include "port.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <base/error.h>
#include <hal/clock.h>
#include <hal/event.h>

#define TURNS_LEAST  4  /* for others that want the processor, before a core sleeps */
#define CLOCK_PERIOD 32 /* polls between two looks at the clock */
#define WATCH_LOOKS  8  /* looks at a watched word, a nanosecond each, between two polls */

/* Where cores nap: nanoseconds that one looks on at its word before it sleeps, and sleeps. */
enum { LOOK_ON = 1000, NAP = 1000000, NAP_GROWS = 8, NAP_MOST = 512000000 };

/* How long the core's next nap is. */
static _Thread_local uint64_t nap __attribute__((tls_model("initial-exec"))) = NAP;

static _Thread_local unsigned news_seen __attribute__((tls_model("initial-exec")));

static inline void pause_processor(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

bool lx_futex_wait(atomic_uint *word, unsigned value, uint64_t until_ns)
{
    struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000),
                             .tv_nsec = (long)(until_ns % 1000000000)};
    return syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, until_ns == HAL_NEVER ? NULL : &until,
                   NULL, FUTEX_BITSET_MATCH_ANY) == 0;
}

void lx_futex_wake(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool lx_event_arrived(int core)
{
    bool any = false;
    struct lx_cluster *self = lx.self;
    if (core < 64 && (atomic_load(&self->noc) >> core & 1) != 0) {
        unsigned news = atomic_load(&self->news);
        any = news != news_seen;
        news_seen = news;
        any |= lx_mailbox_news(core);
    }
    atomic_uint *event = &self->core[core].event;
    if (atomic_load(event) == LX_RAISED) {
        atomic_exchange(event, LX_AWAKE);
        any = true;
    }
    return any;
}

static bool due(const struct b_watch *w)
{
    return w && b_watch_due(w);
}

/* The same where cores share processors: others have a turn before each poll. Beside one that
 * computes, turns soon outlast the time to poll; beside those that only poll as well they are
 * short, and to be woken would take longer than some of them. */
static bool poll_by_turns(int core, uint64_t deadline, const struct b_watch *w)
{
    uint64_t begin = hal_clock_cycles(), now = begin;
    for (int i = 0; now < deadline && (i < TURNS_LEAST || now - begin < lx.spin_cycles); i++) {
        lx_yield();
        if (due(w) || lx_event_arrived(core))
            return true;
        now = hal_clock_cycles();
    }
    return false;
}

/* Polls until something came (true) or the time to poll or the deadline is over. */
static bool poll(int core, uint64_t deadline, const struct b_watch *w)
{
    if (due(w) || lx_event_arrived(core))
        return true;
    if (!lx.fits)
        return poll_by_turns(core, deadline, w);
    uint64_t end = 0;
    do {
        for (int i = 0; i < CLOCK_PERIOD; i++) {
            for (int look = 0; w && look < WATCH_LOOKS; look++)
                if (b_watch_due(w))
                    return true;
            if (lx_event_arrived(core))
                return true;
        }
        uint64_t now = hal_clock_cycles();
        if (end == 0) {
            end = now + lx.spin_cycles;
            end = deadline < end ? deadline : end;
        }
        if (now >= end)
            return false;
        pause_processor();
        lx_turn();
    } while (true);
}

/* The instant of CLOCK_MONOTONIC at which the clock shows `deadline`. */
static uint64_t deadline_ns(uint64_t deadline)
{
    uint64_t now = hal_clock_cycles();
    if (deadline == HAL_NEVER)
        return HAL_NEVER;
    double left = deadline > now ? (double)(deadline - now) * 1e9 / (double)lx.job->hz : 0.0;
    return left > 1e18 ? HAL_NEVER : lx_monotonic_ns() + (uint64_t)left;
}

static bool relaxed(const struct b_watch *w)
{
    return w && atomic_load_explicit(&w->relaxed, memory_order_relaxed);
}

/* True: it is due, as its writer has not seen that the core is going to sleep. */
static bool look_on(const struct b_watch *w)
{
    uint64_t end = lx_monotonic_ns() + LOOK_ON;
    do {
        if (b_watch_due(w))
            return true;
    } while (lx_monotonic_ns() < end);
    return false;
}

/* Until the event is raised, or `until`, or the end of a nap, or somebody interrupts it. */
static void sleep_shortly(int core, uint64_t until)
{
    uint64_t end = hal_event_naps() ? lx_monotonic_ns() + nap : until;
    bool last = end >= until;
    if (!lx_futex_wait(&lx.self->core[core].event, LX_ASLEEP, last ? until : end) && !last &&
        errno == ETIMEDOUT)
        nap = nap < NAP_MOST ? nap * NAP_GROWS : nap;
    else
        nap = NAP;
}

/* What makes `w` due raises the event, because `asleep` is set before the last look at it. */
static void doze(int core, uint64_t deadline, struct b_watch *w)
{
    atomic_uint *event = &lx.self->core[core].event;
    unsigned awake = LX_AWAKE;
    if (w)
        atomic_store(&w->asleep, 1);
    if (!(relaxed(w) && look_on(w)) && atomic_compare_exchange_strong(event, &awake, LX_ASLEEP)) {
        lx_report_rests(core, __builtin_frame_address(0));
        if (!due(w) && !lx_event_arrived(core))
            sleep_shortly(core, deadline_ns(deadline));
        lx_report_rests(core, NULL);
    }
    atomic_exchange(event, LX_AWAKE);
    if (w)
        atomic_store_explicit(&w->asleep, 0, memory_order_relaxed);
    lx_report_answer();
}

void hal_event_watch(uint64_t deadline, struct b_watch *w)
{
    int core = hal_here_core;
    if (w && !relaxed(w) && hal_event_naps() && hal_event_spin() > 0)
        atomic_store_explicit(&w->relaxed, true, memory_order_relaxed);
    if (!poll(core, deadline, w) && hal_clock_cycles() < deadline)
        doze(core, deadline, w);
    if (atomic_load_explicit(&lx.off, memory_order_relaxed))
        lx_core_stop();
}

void hal_event_wait(uint64_t deadline)
{
    hal_event_watch(deadline, NULL);
}

void lx_event_raise(atomic_uint *event)
{
    if (atomic_exchange(event, LX_RAISED) == LX_ASLEEP)
        lx_futex_wake(event);
}

void hal_event_notify(int core)
{
    if (core >= 0 && core < lx.cores)
        lx_event_raise(&lx.self->core[core].event);
}

int hal_event_noc(uint64_t cores)
{
    uint64_t all = lx.cores >= 64 ? UINT64_MAX : (UINT64_C(1) << lx.cores) - 1;
    if (cores == 0 || (cores & ~all) != 0)
        return -B_EINVAL;
    uint64_t old = atomic_exchange(&lx.self->noc, cores);
    /* A newly chosen core may sleep over something that came while it was not chosen. */
    for (int i = 0; i < lx.cores && i < 64; i++)
        if ((cores & ~old) >> i & 1)
            lx_event_raise(&lx.self->core[i].event);
    return 0;
}

uint64_t hal_event_spin(void)
{
    return lx.fits ? lx.spin_cycles : 0;
}

bool hal_event_oversubscribed(void)
{
    return lx.job->fits == 0;
}

bool hal_event_naps(void)
{
    return lx.job->fits != 0;
}

bool hal_event_relax(bool waits)
{
    if (lx.fits) {
        pause_processor();
        return lx_turn();
    }
    return lx_turn_shared(waits);
}

void lx_event_poke(struct lx_header *h, int to)
{
    struct lx_cluster *c = lx_cluster(h, to);
    for (uint64_t cores = atomic_load(&c->noc); cores != 0; cores &= cores - 1) {
        atomic_uint *event = &c->core[__builtin_ctzll(cores)].event;
        unsigned asleep = LX_ASLEEP;
        if (atomic_load(event) == LX_ASLEEP &&
            atomic_compare_exchange_strong(event, &asleep, LX_RAISED)) {
            lx_futex_wake(event);
            return;
        }
    }
}

void lx_event_news(struct lx_header *h, int to)
{
    atomic_fetch_add(&lx_cluster(h, to)->news, 1);
    lx_event_poke(h, to);
    lx_attend(h, to);
}

void lx_event_all(struct lx_header *h, int cluster)
{
    struct lx_cluster *c = lx_cluster(h, cluster);
    atomic_fetch_add(&c->news, 1);
    for (int i = 0; i < hal_machine_cores(&h->machine, cluster); i++)
        lx_event_raise(&c->core[i].event);
}
