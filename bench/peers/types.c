/* SPDX-License-Identifier: MIT */
/* Types with holes: packed and unpacked by one rank, and sent between two as they are. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

struct pair {
    int number;
    double value;
};

struct layout {
    MPI_Datatype type;
    int count;     /* elements of the type in a message */
    size_t packed; /* bytes of data in it */
    size_t spread; /* and from its first to its last byte */
};

struct types {
    struct layout of;
    int rank, room;
    char *spread, *packed;
};

static struct layout blocks(size_t bytes, int length)
{
    int n = (int)(bytes / sizeof(double)) / length;
    struct layout made = {.count = 1,
                          .packed = (size_t)n * (size_t)length * sizeof(double),
                          .spread = (size_t)n * 2 * (size_t)length * sizeof(double)};

    MPI_Type_vector(n, length, 2 * length, MPI_DOUBLE, &made.type);
    return made;
}

static struct layout every_second_double(size_t bytes)
{
    return blocks(bytes, 1);
}

static struct layout blocks_of_128(size_t bytes)
{
    return blocks(bytes, 16);
}

static struct layout structs(size_t bytes)
{
    size_t one = sizeof(int) + sizeof(double), n = bytes / one;
    const int length[2] = {1, 1};
    const MPI_Aint at[2] = {offsetof(struct pair, number), offsetof(struct pair, value)};
    const MPI_Datatype part[2] = {MPI_INT, MPI_DOUBLE};
    struct layout made = {.count = (int)n, .packed = n * one, .spread = n * sizeof(struct pair)};
    MPI_Datatype bare;

    MPI_Type_create_struct(2, length, at, part, &bare);
    MPI_Type_create_resized(bare, 0, sizeof(struct pair), &made.type);
    MPI_Type_free(&bare);
    return made;
}

static const struct {
    const char *name;
    struct layout (*make)(size_t bytes);
} kind[] = {{"vector", every_second_double}, {"blocks", blocks_of_128}, {"struct", structs}};

static void pack(void *arg, int times)
{
    struct types *t = arg;

    for (int i = 0; i < times && t->rank == 0; i++) {
        int at = 0;
        MPI_Pack(t->spread, t->of.count, t->of.type, t->packed, t->room, &at, MPI_COMM_WORLD);
    }
}

static void unpack(void *arg, int times)
{
    struct types *t = arg;

    for (int i = 0; i < times && t->rank == 0; i++) {
        int at = 0;
        MPI_Unpack(t->packed, t->room, &at, t->spread, t->of.count, t->of.type, MPI_COMM_WORLD);
    }
}

static void swing(void *arg, int times)
{
    struct types *t = arg;
    int peer = 1 - t->rank;

    for (int i = 0; i < times; i++) {
        if (t->rank == 0)
            MPI_Send(t->spread, t->of.count, t->of.type, peer, 1, MPI_COMM_WORLD);
        MPI_Recv(t->spread, t->of.count, t->of.type, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (t->rank == 1)
            MPI_Send(t->spread, t->of.count, t->of.type, peer, 1, MPI_COMM_WORLD);
    }
}

/* After the batches both arrays, packed and spread, hold what rank 0 began with: byte i of the
 * packed data is mark(i), and the holes are as they were. */
static unsigned char mark(size_t i)
{
    return (unsigned char)(i % 251 + 1);
}

static void fill(struct types *t)
{
    int at = 0;

    memset(t->spread, 0, t->of.spread);
    for (size_t i = 0; i < t->of.packed; i++)
        t->packed[i] = (char)mark(i);
    MPI_Unpack(t->packed, t->room, &at, t->spread, t->of.count, t->of.type, MPI_COMM_WORLD);
}

static bool intact(struct types *t)
{
    int at = 0;
    size_t i = 0, holes = 0;

    memset(t->packed, 0, t->of.packed);
    MPI_Pack(t->spread, t->of.count, t->of.type, t->packed, t->room, &at, MPI_COMM_WORLD);
    while (i < t->of.packed && (unsigned char)t->packed[i] == mark(i))
        i++;
    for (size_t k = 0; k < t->of.spread; k++)
        holes += t->spread[k] == 0;
    return i == t->of.packed && holes == t->of.spread - t->of.packed;
}

static const struct {
    const char *name;
    peers_batch *batch;
    double scale;
} action[] = {{"pack", pack, 1}, {"unpack", unpack, 1}, {"send", swing, 0.5}};

static void point(struct peers *p, int a, int k, const char *series, size_t bytes)
{
    struct types t = {.of = kind[k].make(bytes), .rank = p->rank, .room = (int)bytes};

    MPI_Type_commit(&t.of.type);
    if (peers_wanted(p, series, bytes, (double)(t.of.spread + bytes))) {
        t.spread = peers_memory(t.of.spread);
        t.packed = peers_memory(bytes);
        fill(&t);
        peers_point(p, series, bytes, action[a].batch, &t, action[a].scale);
        peers_check(intact(&t), series, bytes);
        free(t.spread);
        free(t.packed);
    }
    MPI_Type_free(&t.of.type);
}

void peers_types(struct peers *p)
{
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++) {
            char series[32] = "";

            strcat(strcat(strcat(series, kind[k].name), " "), action[a].name);
            for (int i = 0; i < p->sizes; i++)
                point(p, a, k, series, p->size[i]);
        }
}
