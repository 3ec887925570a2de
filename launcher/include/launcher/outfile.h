/* SPDX-License-Identifier: MIT */
/* Files for the output of single ranks. */
#ifndef LAUNCHER_OUTFILE_H
#define LAUNCHER_OUTFILE_H

#include <stdbool.h>

/* Opens the file that `pattern` names for a rank, to append to it: in the pattern %r is the rank,
 * %h the name of this computer, %% a percent sign, and %p and %g are 0 (there is one group of
 * processes, on one computer). clear: what it held goes. The descriptor closes on exec. Returns it,
 * or -errno; -EINVAL: another letter behind %. */
int launcher_outfile(const char *pattern, int rank, bool clear);

#endif
