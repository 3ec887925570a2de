/* SPDX-License-Identifier: MIT */
/* mpiexec --report: one HTML file of what the job did, with all that it needs. */
#ifndef LAUNCHER_REPORT_H
#define LAUNCHER_REPORT_H

#include "plan.h"

/* Once the job has ended and its trace is complete. The page has its data as JSON in itself, which
 * --against takes out of another one. False, and says why: it could not be written. */
bool report_write(const struct plan *plan);

/* Is there a report in this file? Then its data; freed by the caller. */
char *report_read(const char *path);

#endif
