/* SPDX-License-Identifier: MIT */
/* For the MPI programs of this folder: a failed check says where and ends the job. */
#ifndef TESTS_MPI_CHECK_H
#define TESTS_MPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#define CHECK_EQ(got, want)                                                                        \
    do {                                                                                           \
        long long got_ = (long long)(got), want_ = (long long)(want);                              \
        if (got_ != want_) {                                                                       \
            fprintf(stderr, "%s:%d: %s is %lld, should be %lld\n", __FILE__, __LINE__, #got, got_, \
                    want_);                                                                        \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

#define CHECK(condition) CHECK_EQ(!!(condition), 1)

/* Byte i of message number n from rank r. */
static inline unsigned char byte_of(int r, int n, int i)
{
    return (unsigned char)(r * 31 + n * 7 + i * 3 + 1);
}

static inline void fill(unsigned char *buf, int size, int r, int n)
{
    for (int i = 0; i < size; i++)
        buf[i] = byte_of(r, n, i);
}

static inline void check_filled(const unsigned char *buf, int size, int r, int n)
{
    for (int i = 0; i < size; i++)
        CHECK_EQ(buf[i], byte_of(r, n, i));
}

static inline int world_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static inline int world_size(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/* Ranks other than 0 wait in the one until rank 0 has been in the other. */
static inline void begin_after_first(void)
{
    if (world_rank())
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static inline void first_has_begun(void)
{
    for (int to = 1; to < world_size() && !world_rank(); to++)
        MPI_Send(NULL, 0, MPI_BYTE, to, 5, MPI_COMM_WORLD);
}

#endif
