/* SPDX-License-Identifier: MIT */
/* What is faster on this computer's processor: machines/processors.tuning, which `./lwmpi bench
 * tune` writes. Its sections begin with a pattern in brackets, in which * stands for anything, for
 * a processor's name, VENDOR-FAMILY-MODEL as /proc/cpuinfo has them; the first one that fits
 * counts. Where processes share processors, and so caches, -shared follows the name: a section
 * without that was measured with a processor for each. Its lines are NAME = VALUE, where NAME is
 * one of the variables that replace thresholds (mpiutil/tuning.h); # begins a comment. */
#ifndef LAUNCHER_TUNING_H
#define LAUNCHER_TUNING_H

#include <stdbool.h>

/* Sets the variables of the section for this processor that are not set yet. shared: processes
 * share processors. File: $LWMPI_TUNING, which must exist, or processors.tuning beside the machine
 * files, which need not. -1; else the exit code, and said why. */
int tuning_export(bool shared);

#endif
