/* SPDX-License-Identifier: MIT */
/* Which calls are legal in which states (souto-2022, figure 4): one row for each call. */
#include "engine.h"

#include <base/error.h>

#define IN(state) (1u << K_TASK_##state)

static const unsigned legal[] = {
    [TASK_UNLINK] = IN(CREATED) | IN(COMPLETED) | IN(ERROR) | IN(STOPPED) | IN(PERIODIC),
    [TASK_START] = IN(CREATED) | IN(COMPLETED) | IN(ERROR),
    [TASK_RESUME] = IN(STOPPED),
    [TASK_COMPLETE] = IN(STOPPED) | IN(PERIODIC),
    [TASK_OTHER] = ~IN(INVALID),
};

int task_check(const struct k_task *t, enum task_call call)
{
    if (t->state == K_TASK_INVALID || t->state > K_TASK_ERROR) {
        return -B_EBADF;
    }
    return (legal[call] >> t->state & 1) != 0 ? 0 : -B_EBUSY;
}

bool task_at_rest(const struct k_task *t)
{
    return (legal[TASK_START] >> t->state & 1) != 0 && (t->flags & TASK_FAILED) == 0;
}
