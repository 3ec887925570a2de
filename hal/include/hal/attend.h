/* SPDX-License-Identifier: MIT */
/* Attention: where a program's own code keeps the cores of a cluster from looking for events, and
 * nothing can interrupt it, a thread of the host that is no core, the *helper*, is told of what
 * cannot wait, and does a core's work in its place. Only while a core is away; the two are never at
 * work together, to which their callers see. Ports whose cores are interrupted by events have no
 * helper. Nothing here switches context. */
#ifndef HAL_ATTEND_H
#define HAL_ATTEND_H

#include <stdbool.h>

/* Whether the port has helpers; constant. If not, the other functions do nothing. */
bool hal_attend_possible(void);

/* Something that cannot wait was sent to cluster `to` (hal/mailbox.h; the port itself sees to
 * grants, transfers and signals): its helper is told if its core is away. After the sending. Cheap
 * if not, never blocks, from any core. */
void hal_attend_urge(int to);

/* The calling cluster's core goes away (back: comes back). From any thread, one at a time. The
 * helper is told of what is sent from now on, and of what was sent before and it was not told of:
 * the core may have seen to that itself. */
void hal_attend_away(void);
void hal_attend_back(void);

/* Helper: becomes it; then waits until it is told. What was sent before is visible. It is told of a
 * core that stays away, so some 0.1 ms after the sending; if it had to wake up not long ago it
 * looks by itself: 0.5 ms later at most, or 4 if the core came and went often meanwhile. All that
 * times the number of cores to a processor. */
void hal_attend_begin(void);
void hal_attend_wait(void);

#endif
