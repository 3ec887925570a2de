/* SPDX-License-Identifier: MIT */
/* How few leaders, each with a processor of its own, meet without a gate.
 *
 * Whoever arrives fills in its slot, says so there, and looks at the slots of those that it needs
 * until they have, too. Those that nobody gives anything, as in a Gather all but the root, go on,
 * and may be ahead of others: by half as many meetings as a slot has turns, which are used one
 * after the other. Before a leader fills in one, all others have come to the meeting so many
 * before, or to a later one: so nobody reads that turn any more, as who is at a meeting reads
 * nothing of one before. What others said there, whom it did not see there, is there still, as none
 * of them has gone on by more than half of its turns since, and is compared now. Of those who wait
 * for that the one at the earliest call never does, so they do not wait for each other for ever.
 *
 * A leader may have left a call before it was there, so turns of leaders may differ, and a leader's
 * is the one that bears the call's number. */

#include <base/assert.h>
#include <base/fence.h>
#include <base/mem.h>

#include "progress/progress.h"
#include "segment/leaders.h"

enum { NONE = -1 };

/* The turn that was used so many meetings before `turn`. */
static unsigned int turn_before(const struct mpu_segment *s, unsigned int turn, unsigned int many)
{
    return (turn - many) & (s->turns - 1u);
}

/* By how many meetings a leader may be ahead. */
static unsigned int ahead(const struct mpu_segment *s)
{
    return s->turns / 2u;
}

static uint32_t at_of(const struct mpu_segment *s, int i, unsigned int turn)
{
    return atomic_load(&leader_turn(s, i, turn)->at);
}

/* In which turn leader i is at the call, probably `turn`; NONE: it is elsewhere. */
static int turn_at(const struct mpu_segment *s, int i, uint32_t at, unsigned int turn)
{
    for (unsigned int k = 0; k < s->turns; k++, turn = turn_before(s, turn, 1))
        if (at_of(s, i, turn) == at)
            return (int)turn;
    return NONE;
}

/* The turn in which a leader says where it is: at this call; or at a later one, if it was somewhere
 * else meanwhile, and so differs from the visitor. It cannot fill in that one again until the
 * visitor has come: if it has been at this call, too, it is found there after it is seen at the
 * later one. NONE: it is to come. */
static int turn_from(const struct mpu_segment *s, int i, uint32_t at)
{
    int turn = turn_at(s, i, at, s->turn);
    if (turn != NONE)
        return turn;
    uint32_t latest = leader_latest(s, i);
    if (!mpu_later(latest, at))
        return NONE;
    turn = turn_at(s, i, at, s->turn);
    return turn != NONE ? turn : turn_at(s, i, latest, s->turn);
}

/* Whether leader i has a turn still from before the call. */
static bool has_before(const struct mpu_segment *s, int i, uint32_t at)
{
    bool any = false;
    for (unsigned int turn = 0; turn < s->turns; turn++)
        any |= !mpu_later(at_of(s, i, turn), at);
    return any;
}

/* What leader i, which has come to that call or to a later one, said at the call of the own turn
 * `own`; or that it was in something else then, which is no meeting. If both called the same
 * operation with the same root, one that needed the other has compared the rest. */
static void look_back(const struct mpu_await *a, int i, unsigned int own)
{
    struct mpu_segment *s = a->segment;
    uint32_t at = at_of(s, s->cluster, own);
    const struct mpu_signature *mine = &leader_turn(s, s->cluster, own)->said;
    int turn = turn_at(s, i, at, own);
    bool elsewhere = turn == NONE;
    if (elsewhere)
        turn = turn_at(s, i, leader_latest(s, i), own);
    b_assert(turn != NONE); /* nobody withdraws where not all need all */
    const struct mpu_signature *other = &leader_turn(s, i, (unsigned int)turn)->said;
    bool differs = elsewhere ? has_before(s, i, at)
                             : other->operation != mine->operation || other->root != mine->root;
    s->unseen[i] &= (uint8_t) ~(1u << own);
    if (differs && !(s->excused >> own & 1))
        a->visit->late = other->rank;
}

/* At the calls at which leader i was not seen; or only at those at which it is found at once. */
static void look_at_unseen(const struct mpu_await *a, int i, bool at_once)
{
    const struct mpu_segment *s = a->segment;
    for (unsigned int own = 0; own < s->turns; own++)
        if (s->unseen[i] >> own & 1 && (!at_once || at_of(s, i, own) == at_of(s, s->cluster, own)))
            look_back(a, i, own);
}

/* Those that the visitor needs are here. Whoever has written its turn changes the gate's word if
 * any sleep, as they cannot know which turn it is. */
static mpu_word *not_here(struct mpu_await *a)
{
    struct mpu_segment *s = a->segment;
    struct mpu_leader_wait *w = (struct mpu_leader_wait *)a;
    uint32_t at = mpu_at_call(a->visit->said.number);
    for (; w->next < a->visit->needs; w->next++) {
        int turn = turn_from(s, w->next, at);
        if (turn == NONE)
            return &s->shared->gate.opened;
        s->found[w->next] = (uint8_t)turn;
        s->unseen[w->next] &= (uint8_t) ~(1u << s->turn);
        if (s->unseen[w->next])
            look_at_unseen(a, w->next, false);
    }
    return NULL;
}

/* All have come so far that nobody reads the turn any more that is to be filled in. */
static mpu_word *turn_read(struct mpu_await *a)
{
    struct mpu_segment *s = a->segment;
    struct mpu_leader_wait *w = (struct mpu_leader_wait *)a;
    unsigned int own = turn_before(s, s->turn, ahead(s) - 1);
    for (; w->next < s->clusters; w->next++) {
        if (!(s->unseen[w->next] >> own & 1))
            continue;
        if (mpu_later(at_of(s, s->cluster, own), leader_latest(s, w->next)))
            return &s->shared->gate.opened;
        look_back(a, w->next, own);
    }
    return NULL;
}

static void wake_others(struct mpu_segment *s, const struct mpu_rank *r)
{
    if (!mpu_any_sleeps(s, MPU_FOR_LEADERS))
        return;
    atomic_fetch_add(&s->shared->gate.opened, 1);
    mpu_tell(s, r, MPU_FOR_LEADERS);
}

/* Its own turn may be what others wait for. */
static void before_sleep(struct mpu_await *a)
{
    b_fence();
    wake_others(a->segment, a->rank);
}

static const struct mpu_awaited all_have_read = {MPU_FOR_LEADERS, turn_read, NULL, before_sleep};
static const struct mpu_awaited needed_are_here = {MPU_FOR_LEADERS, not_here, NULL, before_sleep};

static bool begin(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct mpu_leader_wait w = {.await = {s, r, v, &all_have_read, NULL, 0}};
    if (turn_read(&w.await) && !mpu_await_word(&w.await))
        return false;
    s->turn = (uint8_t)turn_before(s, s->turn, s->turns - 1u);
    return true;
}

/* What is there already is compared before it waits, not when the others have come. */
static void come(struct mpu_leader_wait *w)
{
    struct mpu_segment *s = w->await.segment;
    w->await.awaited = &needed_are_here;
    w->next = 0;
    for (int i = 0; i < s->clusters; i++) {
        if (s->unseen[i] && i < w->await.visit->needs)
            look_at_unseen(&w->await, i, true);
        s->unseen[i] |= (uint8_t)(i != s->cluster ? 1u << s->turn : 0);
    }
    s->excused &= (uint8_t) ~(1u << s->turn);
    s->been = true;
}

/* All were at the calls before, which ended well. */
static void withdraw(struct mpu_leader_wait *w)
{
    struct mpu_segment *s = w->await.segment;
    s->turn = (uint8_t)turn_before(s, s->turn, 1);
    memset(s->unseen, 0, sizeof s->unseen);
}

void mpu_turns_wipe(struct mpu_segment *s)
{
    for (int i = 0; i < s->clusters; i++)
        for (unsigned int turn = 0; turn < s->turns; turn++)
            atomic_store_explicit(&leader_turn(s, i, turn)->at, 0, memory_order_relaxed);
}

/* The turns of both kinds of slots: who meets there next may have the other one, and would find
 * what was given to this one where the calls of its leaders are to be. */
static void wipe_all_turns(const struct mpu_segment *s)
{
    struct mpu_segment few = *s, many = *s;
    if (!mpu_leaders_each(s->leader, 1))
        return; /* there is but one kind, and who has met has left */
    few.turns = 2;
    few.turn_bytes = TURN_BYTES(MPU_SEGMENT_BYTES);
    many.turns = MPU_LEADERS_TURNS;
    many.turn_bytes = TURN_BYTES(MPU_SEGMENT_EACH);
    mpu_turns_wipe(&few);
    mpu_turns_wipe(&many);
}

static void wipe(struct mpu_segment *s)
{
    wipe_all_turns(s);
    if (mpu_multicasts_wipe)
        mpu_multicasts_wipe(s);
    if (mpu_channels_wipe)
        mpu_channels_wipe(s);
}

const struct mpu_each mpu_each = {begin, come, withdraw, wake_others, wipe};
