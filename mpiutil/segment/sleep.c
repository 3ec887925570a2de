/* SPDX-License-Identifier: MIT */
#include <sys/k_board.h>
#include <sys/k_thread.h>

#include "progress/progress.h"
#include "segment/leaders.h"

/* How often who waits lets others run before it goes to sleep: who sleeps has to be woken, which
 * takes longer than to let one run that looks and finds nothing. */
enum { PASSES = 4 };

/* Of a second: so long it looks on, if who writes has no fence. */
enum { LOOKS_ON = 1000000 };

void mpu_tell(const struct mpu_segment *s, const struct mpu_rank *r, enum mpu_sleeps_for reason)
{
    for (int i = mpu_any_sleeps(s, reason) ? 0 : s->clusters; i < s->clusters; i++)
        if (atomic_load(&s->shared->slot[i].asleep[reason]))
            k_board_tell(r->cluster->endpoint[s->leaders[i]].cluster);
}

static bool has_come(void *arg)
{
    struct mpu_await *a = arg;
    return !a->awaited->pending(a);
}

/* It has come, or another word is pending than the one that is watched, or the rank leaves. The
 * watched word may have changed between the look at it that found it pending and the one that took
 * its value; then it changes no more, and only a third look tells that it is not it that is
 * pending. */
static bool awakes(void *arg)
{
    struct mpu_await *a = arg;
    struct mpu_visit *v = a->visit;
    if (a->awaited->pending(a) != a->word || atomic_load(a->word) != a->seen)
        return true;
    v->left = v->cancelled && v->cancelled(v->arg) &&
              (!a->awaited->may_leave || a->awaited->may_leave(a));
    return v->left;
}

void mpu_await_begin(struct mpu_await *a)
{
    struct mpu_leaders *l = a->segment->shared;
    if (a->awaited->before)
        a->awaited->before(a);
    atomic_fetch_add(&l->slot[a->segment->cluster].asleep[a->awaited->reason], 1);
    atomic_fetch_add(&l->asleep[a->awaited->reason], 1);
}

void mpu_await_end(struct mpu_await *a)
{
    struct mpu_leaders *l = a->segment->shared;
    atomic_fetch_sub(&l->asleep[a->awaited->reason], 1);
    atomic_fetch_sub(&l->slot[a->segment->cluster].asleep[a->awaited->reason], 1);
}

void mpu_await_watch(struct mpu_await *a, mpu_word *word, struct k_watch *w)
{
    a->word = word;
    a->seen = atomic_load(word);
    *w = (struct k_watch){.word = word, .value = a->seen, .bits = MPU_RUNG, .bell = &a->rank->bell};
    k_board_watch(w);
}

/* At what others have written already, and what they do not see who told nobody of it. */
static void look_on(struct mpu_await *a)
{
    uint64_t end = k_time_cycles() + a->rank->cluster->info.hz / LOOKS_ON;
    while (a->awaited->pending(a) && k_time_cycles() < end) {
    }
}

static void sleep_until(struct mpu_await *a)
{
    struct k_watch w;
    mpu_word *word;
    mpu_await_begin(a);
    if (a->segment->relaxed)
        look_on(a);
    while (!a->visit->left && (word = a->awaited->pending(a))) {
        mpu_await_watch(a, word, &w);
        mpu_until(a->rank, awakes, a);
        k_board_forget(&w);
    }
    mpu_await_end(a);
}

/* To other processes alone if the rank has no neighbours, which is half the work. */
static void let_others_run(const struct mpu_rank *r)
{
    if (r->cluster->locals > 1)
        k_thread_pass();
    else
        k_relax(0);
}

bool mpu_look_on(struct mpu_rank *r, bool (*seen)(void *arg), void *arg)
{
    bool come = mpu_look(r, seen, arg);
    for (int i = 0; i < PASSES && !come; i++) {
        let_others_run(r);
        come = seen(arg);
    }
    return come;
}

bool mpu_await_word(struct mpu_await *a)
{
    if (!mpu_look_on(a->rank, has_come, a))
        sleep_until(a);
    return !a->visit->left;
}
