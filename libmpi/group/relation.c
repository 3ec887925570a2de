/* SPDX-License-Identifier: MIT */
#include "internal/object.h"

static bool member(const struct mpi_group *g, int world)
{
    if (!g->world)
        return world < g->size;
    for (int i = 0; i < g->size; i++)
        if (g->world[i] == world)
            return true;
    return false;
}

int mpi_group_relation(const struct mpi_group *a, const struct mpi_group *b)
{
    if (a->size != b->size)
        return MPI_UNEQUAL;
    int relation = MPI_IDENT;
    for (int i = 0; i < a->size; i++) {
        int world = mpi_group_world(a, i);
        if (world == mpi_group_world(b, i))
            continue;
        if (!member(b, world))
            return MPI_UNEQUAL;
        relation = MPI_SIMILAR;
    }
    return relation;
}
