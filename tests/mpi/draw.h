/* SPDX-License-Identifier: MIT */
/* Numbers that look drawn by lot, the same in every run; the same on all ranks if their states
 * are. */
#ifndef TESTS_MPI_DRAW_H
#define TESTS_MPI_DRAW_H

/* One of 0 .. below - 1; *state goes on. */
static inline unsigned int draw(unsigned int *state, unsigned int below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

#endif
