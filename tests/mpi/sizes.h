/* SPDX-License-Identifier: MIT */
/* Sizes around every threshold of the protocols. */
#ifndef TESTS_MPI_SIZES_H
#define TESTS_MPI_SIZES_H

static const int sizes[] = {0, 1, 8, 95, 96, 97, 128, 1000, 4096, 4097, 65536, 300001};

#define SIZES           ((int)(sizeof sizes / sizeof sizes[0]))
#define SIZE_MAX_TESTED 300001

#endif
