/* SPDX-License-Identifier: MIT */
/* What a bare machine says by its serial line: the ranks' text to where it belongs, in whole lines,
 * labelled or to files as the environment says; all else to standard error, faults with the name of
 * the function (where.h). */
#ifndef LAUNCHER_SERIAL_H
#define LAUNCHER_SERIAL_H

#include <stdbool.h>
#include <stddef.h>

/* More has come. False: what is to be written to takes no more. */
bool serial_take(const char *text, size_t n);

/* Nothing comes any more: unfinished lines are written. */
bool serial_end(void);

#endif
