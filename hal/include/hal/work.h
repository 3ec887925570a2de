/* SPDX-License-Identifier: MIT */
/* Modelled work. */
#ifndef HAL_WORK_H
#define HAL_WORK_H

#include <stdint.h>

/* Lets the calling core work for `cycles`. On sim that much virtual time passes, other cores run
 * meanwhile, and the core is charged as busy; on real machines nothing happens, because the real
 * work takes real time. Kernel paths charge hal_machine()->cost through it; annotated programs
 * reach it through MPI_Pcontrol. Must not be called with a hal_lock held for more than 1000
 * cycles, but by a model of a system that did so. */
void hal_work(uint64_t cycles);

/* The same, but an event of the core (hal/event.h), now latched or coming, ends it: returns the
 * cycles that are left, 0: all is done. The event is taken. Real machines: 0, at once. */
uint64_t hal_work_event(uint64_t cycles);

#endif
