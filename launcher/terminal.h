/* SPDX-License-Identifier: MIT */
/* A terminal for a process whose output mpiexec passes on to its own terminal. */
#ifndef LAUNCHER_TERMINAL_H
#define LAUNCHER_TERMINAL_H

/* Makes a pair of descriptors, both closed on exec: what is written to *theirs, which is a terminal
 * of the size of `like`, is read from *ours unchanged. 0 or -errno. */
int terminal_pair(int like, int *ours, int *theirs);

#endif
