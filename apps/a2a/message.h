/* SPDX-License-Identifier: MIT */
#ifndef A2A_MESSAGE_H
#define A2A_MESSAGE_H

struct a2a;

/* Makes this rank's message of the superstep, in all slots of `out`. */
void a2a_make(struct a2a *a);

/* After an exchange: counts a rank from which not all came as wrong, and forgets what came. */
void a2a_count(struct a2a *a);

#endif
