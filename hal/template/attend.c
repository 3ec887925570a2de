/* SPDX-License-Identifier: MIT */
/* To write: nothing, where an interrupt ends what a core does; these answers are then right. */
#include <hal/attend.h>

bool hal_attend_possible(void)
{
    return false;
}

void hal_attend_urge(int to)
{
    (void)to;
}

void hal_attend_away(void)
{
}

void hal_attend_back(void)
{
}

void hal_attend_begin(void)
{
}

void hal_attend_wait(void)
{
}
