/* SPDX-License-Identifier: MIT */
/* Several threads of a program in MPI, where the process is one rank: they take turns. Who waits
 * inside MPI lets others in meanwhile. */
#ifndef PROCESS_THREADS_H
#define PROCESS_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>

#include <mpiutil/help.h>

struct image_rank;

/* Threads take turns: MPI_THREAD_MULTIPLE was granted, or the helper is armed (helper.h); or ranks
 * that share the process have something to change hands (private.h), or are charged for what they
 * compute between calls (compute.h). Written by threads of the
 * program, which are then in MPI and the only one there. */
extern atomic_bool image_threads;

/* Every call goes by the functions below; a static program goes straight to MPI's. */
extern const bool image_turns;

/* Around each call of MPI if threads take turns; a callback may call MPI again. The one gets what
 * the other gave (compute.h). */
static inline bool image_threads_turn(void)
{
    return __builtin_expect(atomic_load_explicit(&image_threads, memory_order_relaxed), 0);
}
struct image_rank *image_threads_enter(void);
void image_threads_leave(struct image_rank *r);

/* The same around a call that only reads what no other call changes: it waits for no turn. */
struct image_rank *image_threads_look(void);
void image_threads_looked(struct image_rank *r);

/* After a call that has started something, if threads do not take turns: the helper is armed if
 * that was asked for (helper.h). */
extern struct mpu_help image_help;
void image_threads_depart(void);

/* For a thread of the image: has the turn, gives it back. */
void image_threads_take(void);
void image_threads_give(void);

/* The caller's calls that are not over will not be: it has jumped out of them. */
void image_threads_abandon(void);

#endif
