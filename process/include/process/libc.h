/* SPDX-License-Identifier: MIT */
/* State that the C library keeps once per process and that each rank of a shared process has for
 * itself: random numbers, strtok. A program that seeds its numbers alike on all ranks gets the same
 * numbers on all of them, as with a process per rank. And where it is in its options. */
#ifndef PROCESS_LIBC_H
#define PROCESS_LIBC_H

#define _GNU_SOURCE 1 /* struct random_data */

#include <stdlib.h>

#include <process/getopt.h>

struct image_libc {
    struct random_data random; /* rand, random; zero until the first use */
    char random_state[128];
    struct drand48_data drand48;
    char *strtok;
    struct image_options options;
};

#endif
