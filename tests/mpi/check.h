/* SPDX-License-Identifier: MIT */
/* For the MPI programs of this folder: a failed check says where and ends the job. */
#ifndef TESTS_MPI_CHECK_H
#define TESTS_MPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum { PERIOD = 256 }; /* bytes of a message after which they begin anew */

/* Byte i of message number n from rank r. */
static inline unsigned char byte_of(int r, int n, int i)
{
    return (unsigned char)(r * 31 + n * 7 + i * 3 + 1);
}

static inline void fill(unsigned char *buf, int size, int r, int n)
{
    for (int i = 0; i < size && i < PERIOD; i++)
        buf[i] = byte_of(r, n, i);
    for (int i = PERIOD; i < size; i += PERIOD)
        memcpy(buf + i, buf, (size_t)(size - i < PERIOD ? size - i : PERIOD));
}

/* By whole periods, which a sanitizer does not look at byte by byte. */
static inline void check_filled(const unsigned char *buf, int size, int r, int n)
{
    unsigned char want[PERIOD];
    fill(want, size < PERIOD ? size : PERIOD, r, n);
    for (int at = 0; at < size; at += PERIOD) {
        int part = size - at < PERIOD ? size - at : PERIOD;
        for (int i = 0; memcmp(buf + at, want, (size_t)part) != 0 && i < part; i++)
            CHECK_EQ(buf[at + i], want[i]);
    }
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
