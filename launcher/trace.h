/* SPDX-License-Identifier: MIT */
/* The ranks' part of mpiexec --trace. */
#ifndef LAUNCHER_TRACE_H
#define LAUNCHER_TRACE_H

#include "plan.h"

/* Adds to the file that the machine has written: a row for each rank with its calls and what it
 * computed between them, arrows of messages; on machine linux also what ranks sent per second.
 * Once records.h has settled. False: not all that there was could be written; says why, unless
 * the machine has told already that the file takes no more. */
bool trace_add(const struct plan *plan, bool told);

#endif
