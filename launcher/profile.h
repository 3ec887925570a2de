/* SPDX-License-Identifier: MIT */
/* mpiexec --profile. */
#ifndef LAUNCHER_PROFILE_PRINT_H
#define LAUNCHER_PROFILE_PRINT_H

#include <stdio.h>

#include "plan.h"

/* Makes the records of the plan's ranks and tells the processes that are started from now on where
 * they are. -1, or an exit code. */
int profile_create(const struct plan *plan);

/* Prints what the ranks have recorded. */
void profile_print(FILE *to);

#endif
