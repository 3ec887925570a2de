/* SPDX-License-Identifier: MIT */
#ifndef IMAGE_BARE_MAIN_H
#define IMAGE_BARE_MAIN_H

/* Runs as the first thread of each cluster, in the mode of the ranks: services, MPI, ranks. Returns
 * the cluster's status. */
int bare_cluster_main(void *arg);

#endif
