/* SPDX-License-Identifier: MIT */
/* Output of many processes through one place: reads their pipes, writes whole lines. */
#ifndef LAUNCHER_RELAY_H
#define LAUNCHER_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

struct relay;

/* Makes a relay for `sources` pipes; NULL when there is no memory. */
struct relay *relay_create(int sources);
void relay_destroy(struct relay *r);

/* Adds the reading end of a pipe whose text goes to standard output (which = 0) or error (1), each
 * line with "[rank] " in front if rank >= 0. The relay owns fd, which must not block. */
void relay_add(struct relay *r, int fd, int which, int rank);

/* Descriptors to poll for: at most relay_capacity entries are written to p; their number. While a
 * destination does not keep up, no more is read for it, so nothing piles up and nothing is lost. */
size_t relay_capacity(const struct relay *r);
size_t relay_poll(struct relay *r, struct pollfd *p);

/* Moves text for those of the n entries that poll() found ready. False: standard output or error is
 * gone (its reader ended): there is nobody to write to. */
bool relay_move(struct relay *r, const struct pollfd *p, size_t n);

/* Nothing came for a while: shows unfinished lines if the destination is a terminal. */
void relay_quiet(struct relay *r);

/* The processes have ended: takes what is left in the pipes, ends unfinished lines, writes all out;
 * waits for slow readers until `deadline_ms` milliseconds have passed, -1 = for ever. False: a
 * destination took no more, and text is lost. */
bool relay_finish(struct relay *r, int deadline_ms);

#endif
