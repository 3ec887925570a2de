/* SPDX-License-Identifier: MIT */
/* Which rank a thread of the program belongs to, where several ranks share the process: the one
 * whose program made it. What stands before the C library's ways to make a thread comes here. */
#ifndef PROCESS_PARENT_H
#define PROCESS_PARENT_H

#include <pthread.h>
#include <stdbool.h>
#include <threads.h>

/* Makes room for what threads may know of the ranks of this process: before its ranks. -B_ENOMEM.
 */
int image_parent_prepare(void);

/* Rank `rank` lives here. */
void image_parent_begin(int rank);

typedef int image_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                 void *(*run)(void *), void *arg);
typedef int image_thrd_create(thrd_t *thread, thrd_start_t run, void *arg);

/* Make a thread by the C library's routine `next`, as that one does, which knows its rank. */
int image_parent_pthread(image_pthread_create *next, pthread_t *thread,
                         const pthread_attr_t *attributes, void *(*run)(void *), void *arg);
int image_parent_thrd(image_thrd_create *next, thrd_t *thread, thrd_start_t run, void *arg);

#endif
