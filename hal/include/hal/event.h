/* SPDX-License-Identifier: MIT */
/* Events: how a core sleeps and how it is woken. One latched event per core. */
#ifndef HAL_EVENT_H
#define HAL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include <base/watch.h>

/* Waits until the calling core's event is raised or the clock reaches `deadline` (cycles,
 * HAL_NEVER = no deadline), then clears the event. An event raised before the call is not lost: the
 * call returns at once, unless it told of something in the network interface that is gone by now (a
 * message released, a verdict, word, grant or completion taken). May return early without reason;
 * callers re-check what they wait for. Must not be called with a hal_lock held. Runs nothing else
 * on this core. */
void hal_event_wait(uint64_t deadline);

/* The same, but returns also once `w` is due, unless it is NULL. While the core does not look at
 * the word of `w` it says so in w->asleep, by the rules of base/watch.h: who makes `w` due then
 * must raise its event. A port whose cores look again by themselves while they sleep here sets
 * w->relaxed. */
void hal_event_watch(uint64_t deadline, struct b_watch *w);

/* Raises the event of a core of the calling cluster. Never blocks; from any context. What the
 * caller wrote to memory before is visible to the woken core. Cheap when the core is awake. */
void hal_event_notify(int core);

/* Chooses which cores of the calling cluster take the events of its network interface (arrival of a
 * message, a freed slot, a grant, the end of a transfer, a signal): bit i = core i, of cores 0..63;
 * at boot only core 0. One NoC event raises the event of one chosen core that waits, or, if none
 * waits, of all chosen cores. Errors: -B_EINVAL for an empty set or a core that is not there. */
int hal_event_noc(uint64_t cores);

/* Cycles that a core which waits looks for events before it really sleeps: who polls by himself
 * should do so for about as long. 0: it sleeps at once, because others need the processor, or
 * because looking is modelled to cost nothing. */
uint64_t hal_event_spin(void);

/* The machine's cores share fewer processors, so that whatever one does takes time of others. The
 * same answer in all clusters. */
bool hal_event_oversubscribed(void);

/* Cores that sleep look again by themselves: hal_event_wait and hal_event_watch return after a
 * while, the first time after a millisecond, later after a second at most. So who writes a word of
 * shared memory for them needs no fence before it looks whether they sleep, which would wait for
 * the line: should both miss the other, the core finds the word then. The same answer in all
 * clusters. */
bool hal_event_naps(void);

/* Tells the port that the calling core found nothing to do once more, inside a bounded polling
 * loop: a few cycles of pause on real machines, or a turn for others where cores share processors;
 * one cycle of virtual time on sim. waits: it can do nothing else; false: its program asked, and
 * may go on computing, so it gives others a turn only when it asks again and again. True: others
 * want the processor, so who polls should call this whenever it finds nothing. */
bool hal_event_relax(bool waits);

#endif
