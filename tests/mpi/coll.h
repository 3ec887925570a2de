/* SPDX-License-Identifier: MIT */
/* What the tests of collectives share: each operation in its three forms, on communicators of every
 * size, with a type without and one with gaps. */
#ifndef TESTS_MPI_COLL_H
#define TESTS_MPI_COLL_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

/* MPI_X(args, comm), MPI_Ix(args, comm, ...) or MPI_X_init(args, comm, ...), to its end. */
#define COLL(form, X, Ix, ...)                                                                     \
    do {                                                                                           \
        MPI_Request q_;                                                                            \
        if ((form) == BLOCKING) {                                                                  \
            CHECK(MPI_##X(__VA_ARGS__) == MPI_SUCCESS);                                            \
            break;                                                                                 \
        }                                                                                          \
        if ((form) == NONBLOCKING) {                                                               \
            CHECK(MPI_##Ix(__VA_ARGS__, &q_) == MPI_SUCCESS);                                      \
        } else {                                                                                   \
            CHECK(MPI_##X##_init(__VA_ARGS__, MPI_INFO_NULL, &q_) == MPI_SUCCESS);                 \
            CHECK(MPI_Start(&q_) == MPI_SUCCESS);                                                  \
        }                                                                                          \
        CHECK(MPI_Wait(&q_, MPI_STATUS_IGNORE) == MPI_SUCCESS);                                    \
        if ((form) == PERSISTENT)                                                                  \
            CHECK(MPI_Request_free(&q_) == MPI_SUCCESS);                                           \
        CHECK(q_ == MPI_REQUEST_NULL);                                                             \
    } while (0)

/* A type of `ints` ints, `step` apart, with an extent of `extent` ints. */
struct shape {
    MPI_Datatype type;
    int ints, step, extent;
};

static inline void shapes_make(struct shape shape[2])
{
    MPI_Datatype vector;
    shape[0] = (struct shape){MPI_INT, 1, 1, 1};
    shape[1] = (struct shape){MPI_DATATYPE_NULL, 2, 2, 5};
    CHECK(MPI_Type_vector(2, 1, 2, MPI_INT, &vector) == MPI_SUCCESS);
    CHECK(MPI_Type_create_resized(vector, 0, 5 * (MPI_Aint)sizeof(int), &shape[1].type) ==
          MPI_SUCCESS);
    CHECK(MPI_Type_commit(&shape[1].type) == MPI_SUCCESS);
    CHECK(MPI_Type_free(&vector) == MPI_SUCCESS);
}

static inline void shapes_free(struct shape shape[2])
{
    CHECK(MPI_Type_free(&shape[1].type) == MPI_SUCCESS);
}

#define UNTOUCHED (-77)

/* Room for n elements, all untouched. */
static inline int *elements(const struct shape *s, int n)
{
    size_t ints = (size_t)(n + 1) * (size_t)s->extent;
    int *buf = malloc(ints * sizeof *buf);
    for (size_t i = 0; i < ints; i++)
        buf[i] = UNTOUCHED;
    return buf;
}

static inline int same(const struct shape *s, int n, const int *a, const int *b)
{
    return memcmp(a, b, (size_t)(n + 1) * (size_t)s->extent * sizeof *a) == 0;
}

/* What rank `from` gives rank `to` as its element e. */
static inline int value(int from, int to, int e, int j)
{
    return from * 10007 + to * 131 + e * 3 + j + 1;
}

static inline void put(const struct shape *s, int *buf, int at, int n, int from, int to)
{
    for (int e = 0; e < n; e++)
        for (int j = 0; j < s->ints; j++)
            buf[(at + e) * s->extent + j * s->step] = value(from, to, e, j);
}

/* Calls test on a communicator of each size that the world has room for: in its order, and, for the
 * first half of the sizes, in the opposite one. */
static inline void each_size(void (*test)(MPI_Comm comm))
{
    static const int sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 40};
    int me, world;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    for (int i = 0; i < 9; i++) {
        if (sizes[i] > world)
            break;
        for (int turned = 0; turned < (i < 5 ? 2 : 1); turned++) {
            MPI_Comm comm;
            int in = turned ? me >= world - sizes[i] : me < sizes[i];
            MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, turned ? -me : me, &comm);
            if (comm != MPI_COMM_NULL) {
                test(comm);
                MPI_Comm_free(&comm);
            }
        }
    }
}

#endif
