/* SPDX-License-Identifier: MIT */
#include "segment/standing.h"

#include <base/assert.h>
#include <mpiutil/flow.h>
#include <sys/k_board.h>
#include <sys/k_thread.h>

#include "progress/progress.h"

void mpu_standing_begin(struct mpu_standing *s)
{
    struct mpu_rank *r = s->await->rank;
    struct mpu_standing **first = &r->cluster->standing;
    b_assert(!s->stands && !s->told && r->cluster->locals == 1 && r->flows.now);
    s->stands = true;
    s->flow = mpu_flow_hold(r);
    s->next = *first;
    s->at = first;
    if (s->next)
        s->next->at = &s->next;
    *first = s;
    r->notices |= MPU_STANDS;
}

void mpu_standing_end(struct mpu_standing *s)
{
    struct mpu_rank *r = s->await->rank;
    b_assert(s->stands);
    if (s->told) {
        k_board_forget(&s->watch);
        mpu_await_end(s->await);
    }
    s->told = s->stands = false;
    r->cluster->stood++;
    *s->at = s->next;
    if (s->next)
        s->next->at = s->at;
    if (!r->cluster->standing)
        r->notices &= (uint8_t)~MPU_STANDS;
    mpu_flow_done(s->flow);
}

/* The word is watched, and has not changed since, as long as anything is pending: the look at it
 * comes after the one that took its value. */
static mpu_word *watched(struct mpu_standing *s)
{
    struct mpu_await *a = s->await;
    mpu_word *word;
    while ((word = a->awaited->pending(a)) && (word != a->word || atomic_load(word) != a->seen)) {
        k_board_forget(&s->watch);
        mpu_await_watch(a, word, &s->watch);
    }
    return word;
}

static bool has_come(struct mpu_standing *s)
{
    struct mpu_await *a = s->await;
    if (s->told ? watched(s) : a->awaited->pending(a))
        return false;
    mpu_standing_end(s);
    return true;
}

/* Whoever changes the word afterwards sees that it is to tell; what was changed before is seen
 * here. */
void mpu_standing_tell(struct mpu_standing *s)
{
    struct mpu_await *a = s->await;
    if (s->told)
        return;
    mpu_await_begin(a);
    s->told = true;
    s->watch.at = NULL;
    a->word = NULL;
    has_come(s);
}

/* Ends those that have come; has the others be told, if they are to. */
static void look(struct mpu_rank *r, bool tell)
{
    for (struct mpu_standing *s = r->cluster->standing, *next; s; s = next) {
        next = s->next;
        if (!has_come(s) && tell)
            mpu_standing_tell(s);
    }
}

void mpu_standing_look(struct mpu_rank *r)
{
    look(r, false);
}

/* Of a rank that is to sleep: some end of a wait, or of a message. */
struct resting {
    struct mpu_rank *rank;
    uint32_t stood;
};

static bool stirred(void *arg)
{
    const struct resting *w = arg;
    struct mpu_rank *r = w->rank;
    look(r, false);
    return r->cluster->stood != w->stood || mpu_news(r);
}

bool mpu_standing_rest(struct mpu_rank *r)
{
    struct resting w = {r, r->cluster->stood};
    if (mpu_look_on(r, stirred, &w))
        return true;
    look(r, true);
    return r->cluster->stood != w.stood;
}
