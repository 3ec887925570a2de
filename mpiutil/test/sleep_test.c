/* SPDX-License-Identifier: MIT */
/* Sleep: a rank waits until several words of the board have come far enough, which others write
 * step by step and tell of. Wherever it looks, one of them may just have changed. It is always
 * woken. */
#include "fake.h"
#include "fake_kernel.h"
#include "segment/leaders.h"

enum { WORDS = 3, ENOUGH = 2, SEEDS = 20000 };

struct waiting {
    struct mpu_await await;
    mpu_word word[WORDS];
};

static struct waiting waiting;
static bool must_tell[WORDS]; /* who wrote */

/* A writer is as far as one can be. */
static bool steps(int i)
{
    if (must_tell[i])
        mpu_tell(waiting.await.segment, fake_rank(1), MPU_FOR_ROOM);
    else if (atomic_load(&waiting.word[i]) < ENOUGH)
        atomic_fetch_add(&waiting.word[i], 1);
    else
        return false;
    must_tell[i] = !must_tell[i];
    return true;
}

static bool others(void)
{
    int first = (int)fake_random(WORDS);
    bool any = false;
    for (int i = 0; i < WORDS && !any; i++)
        any = steps((first + i) % WORDS);
    fake_kernel_look();
    return any;
}

static void others_may(void)
{
    if (fake_random(3) == 0)
        others();
}

static mpu_word *behind(struct mpu_await *a)
{
    struct waiting *w = (struct waiting *)a;
    mpu_word *found = NULL;
    for (int i = 0; i < WORDS && !found; i++) {
        others_may();
        found = atomic_load(&w->word[i]) < ENOUGH ? &w->word[i] : NULL;
    }
    others_may();
    return found;
}

static const struct mpu_awaited all_words = {MPU_FOR_ROOM, behind, NULL, NULL};

static void wait_for_all(uint32_t seed)
{
    struct mpu_visit visit = {.left = false};
    fake_begin(
        &(struct fake_shape){.ranks = 2, .board = 1 << 19, .lane = 4096, .oversubscribed = true},
        seed);
    fake_when_waiting(others);
    struct mpu_rank *r = fake_rank(0);
    struct mpu_segment *s = mpu_segment_join(r, fake_comm(0));
    CHECK(s && s->shared);
    waiting = (struct waiting){.await = {s, r, &visit, &all_words, NULL, 0}};
    for (int i = 0; i < WORDS; i++)
        must_tell[i] = false;
    CHECK_SEED(mpu_await_word(&waiting.await));
    for (int i = 0; i < WORDS; i++)
        CHECK_SEED(atomic_load(&waiting.word[i]) == ENOUGH);
    CHECK_SEED(!mpu_any_sleeps(s, MPU_FOR_ROOM));
    mpu_segment_leave(r, s);
    fake_end();
}

int main(void)
{
    for (uint32_t seed = 1; seed <= SEEDS; seed++)
        wait_for_all(seed);
    return 0;
}
