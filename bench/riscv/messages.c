/* SPDX-License-Identifier: MIT */
/* MPI in instructions of bare metal: messages there and back, in a cluster and between two. */
#include <mpi.h>

#include "marks.h"

enum { TIMES = 32, SIZES = 3, PLACES = 2, PER = 3 };

static const int bytes[SIZES] = {8, 1024, 65536};
static const char *const size_name[SIZES] = {"8 B", "1 KB", "64 KB"};
static const char *const place_name[PLACES] = {"in a cluster", "between clusters"};
static char data[65536];
static int rank;

static void send(int n, int to)
{
    MPI_Send(data, n, MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

static void receive(int n, int from)
{
    MPI_Recv(data, n, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A function for each point, as a mark is part of an instruction. */
#define POINT(first)                                                                               \
    static void point_##first(int n, int other)                                                    \
    {                                                                                              \
        for (int i = 0; i < TIMES; i++) {                                                          \
            if (rank == 0) {                                                                       \
                MARK(first + 2);                                                                   \
                MEASURE(first, send(n, other));                                                    \
                receive(n, other);                                                                 \
                MARK(-(first + 2));                                                                \
            } else if (rank == other) {                                                            \
                MEASURE(first + 1, receive(n, 0));                                                 \
                send(n, 0);                                                                        \
            }                                                                                      \
        }                                                                                          \
    }
POINT(1)
POINT(4)
POINT(7)
POINT(10)
POINT(13)
POINT(16)

static void (*const point[PLACES][SIZES])(int n, int other) = {{point_1, point_4, point_7},
                                                               {point_10, point_13, point_16}};

static void tell(int place, int size)
{
    static const char *const what[PER] = {"MPI_Send", "MPI_Recv", "one way on all harts"};
    char name[80];
    for (int i = 0; i < PER && rank == 0; i++) {
        snprintf(name, sizeof name, "MPI of %s %s: %s", size_name[size], place_name[place],
                 what[i]);
        mark_name(1 + (place * SIZES + size) * PER + i, i == 2 ? 2 : 1,
                  i == 2 ? MARK_ALL : MARK_OWN, name);
    }
}

int main(int argc, char **argv)
{
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int place = 0; place < PLACES; place++)
        for (int size = 0; size < SIZES; size++) {
            point[place][size](bytes[size], place == 0 ? 1 : ranks - 1);
            tell(place, size);
        }
    MPI_Finalize();
    return 0;
}
