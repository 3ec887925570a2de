/* SPDX-License-Identifier: MIT */
/* Several threads of a program in MPI, where the process is one rank: they take turns. Who waits
 * inside MPI lets others in meanwhile. */
#ifndef IMAGE_THREADS_H
#define IMAGE_THREADS_H

#include <stdbool.h>

/* Threads take turns: MPI_THREAD_MULTIPLE was granted, or there is a helper (helper.h); or ranks
 * that share the process have something to change hands (private.h). Set before there are such
 * threads, or while the rank's own is in MPI. */
extern bool image_threads;

/* Every call goes by the two functions below; a static program goes straight to MPI's. */
extern const bool image_turns;

/* Around each call of MPI if so; a callback may call MPI again. */
void image_threads_enter(void);
void image_threads_leave(void);

#endif
