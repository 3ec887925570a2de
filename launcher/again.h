/* SPDX-License-Identifier: MIT */
/* mpiexec once more, as it was started. */
#ifndef LAUNCHER_AGAIN_H
#define LAUNCHER_AGAIN_H

#include <stdbool.h>
#include <sys/types.h>

/* Before anything else: keeps the words and the environment that mpiexec was started with. The
 * words are copied, as options change theirs. False: no memory. */
bool again_remember(char **words);

/* Starts another mpiexec with these and variables besides, which come before those of the same name
 * (NULL terminated, AGAIN_MORE at most), and with these three as its standard input, output and
 * error. It ends with its job when this one ends. Its process; -1: errno says why there is none. */
enum { AGAIN_MORE = 2 };
pid_t again_start(const char *const *more, const int standard[3]);

/* From now on a signal that asks mpiexec to end is passed on to the one that it has started, and to
 * those that it starts later, and does nothing else. _asked: its number, 0: none has come. */
void again_pass_on(void);
int again_asked(void);

/* Waits for it; its exit code, 128 + s if signal s ended it. */
int again_wait(pid_t pid);

#endif
