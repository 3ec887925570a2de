/* SPDX-License-Identifier: MIT */
#ifndef IMAGE_BARE_RANK_H
#define IMAGE_BARE_RANK_H

#include <svc/spawn.h>

/* Runs the program's main as rank `rank` on the calling kernel thread, in its copy; its exit
 * status. `arg` is the struct svc_job. */
int bare_rank_main(int rank, void *arg);

#endif
